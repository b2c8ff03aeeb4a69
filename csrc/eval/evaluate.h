/* evaluate.h - the static evaluation of a position.
 *
 * Every empty square has, for each colour, the code of the four shapes a stone there would make.
 * A table over the codes says what that is worth; the sums are kept by the patterns, so the score
 * is a difference, taken now and before the last move, and a few terms for the side to move; a
 * small network (nn/value_net.h) corrects it. A second table over the codes says how good a move
 * there looks: it orders moves and leads reductions; far from the horizon another small network
 * (nn/policy_net.h) is asked as well.
 */
#ifndef EVAL_EVALUATE_H
#define EVAL_EVALUATE_H

#include "eval/features.h"
#include "eval/weights.h"

enum { EVAL_MAX = 20000 }; /* |score| of any position that is not a proven win */

enum { FARTHEST = (MAX_SIZE - 1) * (STRIDE + 1) }; /* from one corner to the other */

typedef struct {
    Weights weights;
    PatternTable pattern;
    u8 near[2 * FARTHEST + 1]; /* eval_near by how far a move lies from the last one */
    u8 nowhere[CELLS];         /* the same without a last one */
    bool has_network;          /* else the weights are all */
    ValueNet network;
    bool has_policy; /* only beside a network */
    PolicyNet policy;
} EvalTable;

/* The table of a rule's built-in weights, made on first use and constant afterwards; NULL if
 * no readable weights exist. */
const EvalTable *eval_table(Rule rule);
/* A table of other weights, whose bytes must outlive it. t: zeroed. */
void eval_table_init(EvalTable *t, const Weights *weights);

/* The score from the side to move's view; swapping the colours and the side to move gives the
 * same, except under renju, where the colours have different laws. stack: the accumulator that
 * follows the search; NULL: none, the sums are computed from nothing. */
int eval_score(const EvalTable *t, const Position *p, AccumulatorStack *stack);
/* Prepares the policy network for the moves of the position; only for a rule that has one. *out is
 * valid until the stack is updated. */
void eval_policy(const EvalTable *t, const Position *p, AccumulatorStack *stack, PolicyNode *out);
/* The score without the network's correction. */
int eval_without_network(const EvalTable *t, const Position *p);

/* How a move on the empty square c looks to a beginner, who sees one line at a time and nothing of
 * what two of them make together: the strongest of the eight, own before foreign, what lies near
 * the last move first. `captures`: ninuki's squares of capture for the side to move. `eager`: by so
 * many shapes the other side's lines are underrated, but for its fives. */
int eval_plain_move(const EvalTable *t, const Position *p, Cell c, const Bitboard *captures,
                    int eager);

/* The inputs of eval_move, looked up once for all moves of a position. */
typedef struct {
    const Pattern *pattern;
    const int16_t *attack, *defence; /* by code */
    const int16_t *nearness;         /* by how near */
    const u8 *near;                  /* by square */
    Color us;
    const Position *position;
    const CaptureWeights *captures; /* NULL: a rule without them */
    const PolicyNode *policy;       /* NULL: the tables are all */
} MoveScores;

static inline MoveScores eval_moves(const EvalTable *t, const Position *p,
                                    const PolicyNode *policy) {
    const Color us = position_to_move(p);
    const Cell last = position_last(p);
    return (MoveScores){&p->pattern,
                        t->weights.codes[us]->attack,
                        t->weights.codes[other(us)]->defence,
                        t->weights.scores->near,
                        last == NO_CELL ? t->nowhere : &t->near[FARTHEST - last],
                        us,
                        p,
                        t->weights.captures,
                        policy};
}

/* The move score of the empty square c for the side to move. */
static inline int eval_move(const MoveScores *m, Cell c) {
    PolicyCandidate of = {.made = pattern_code(m->pattern, m->us, c),
                          .denied = pattern_code(m->pattern, other(m->us), c),
                          .near = m->near[c]};
    of.score = m->nearness[of.near] + m->attack[of.made] + m->defence[of.denied] +
               (m->captures ? captures_move(m->captures, m->position, c) : 0);
    return m->policy ? policy_score(m->policy, c, &of) : of.score;
}

#endif
