/* evaluate.h - the static evaluation of a position.
 *
 * Every empty square has a code for each colour: the four shapes of a stone there. A table gives
 * the worth of each code, and the patterns keep the sums. The score is the difference of the sums,
 * averaged over this position and the one before, plus a few terms for the side to move. A small
 * network (nn/value_net.h) corrects it. A second table over the codes scores moves, for ordering
 * and reductions. Far from the horizon another small network (nn/policy_net.h) adds to these
 * scores.
 *
 * A score depends on the last move, and with the part of nn/recent.h on the last two. The
 * transposition table keeps the score of the order of moves that came first.
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
    u8 near[2 * FARTHEST + 1]; /* eval_near, by the position of a move relative to the last one */
    u8 nowhere[CELLS];         /* the same without a last move */
    bool has_network;          /* else only the tables count */
    ValueNet network;
    bool has_policy; /* only together with a network */
    PolicyNet policy;
} EvalTable;

/* The table of a rule's built-in weights, made on first use and constant afterwards; NULL without
 * readable weights. */
const EvalTable *eval_table(Rule rule);
/* A table of other weights, whose bytes must outlive it. t: zeroed. */
void eval_table_init(EvalTable *t, const Weights *weights);

/* The score from the side to move's view. Exchanging the colours and the side to move gives the
 * same score, except under renju, where the colours have different laws. stack: the accumulator
 * that follows the search; NULL: the sums are computed from nothing. */
int eval_score(const EvalTable *t, const Position *p, AccumulatorStack *stack);
/* Prepares the policy network for the moves of the position, for a rule that has one. *out is valid
 * until the stack changes. */
void eval_policy(const EvalTable *t, const Position *p, AccumulatorStack *stack, PolicyNode *out);
/* The score without the network's correction. */
int eval_without_network(const EvalTable *t, const Position *p);

/* The score of a move on the empty square c for a beginner, who sees single lines only. It is the
 * strongest of the eight shapes, own before foreign, then nearest to the last move. `captures`: the
 * squares on which the side to move captures. `eager`: the number of steps by which the other
 * side's shapes are underrated, except fives. */
int eval_plain_move(const EvalTable *t, const Position *p, Cell c, const Bitboard *captures,
                    int eager);

/* The inputs of eval_move, looked up once for all moves of a position. */
typedef struct {
    const Pattern *pattern;
    const int16_t *attack, *defence; /* by code */
    const int16_t *nearness;         /* by distance */
    const u8 *near;                  /* by square */
    Color us;
    const Position *position;
    const CaptureWeights *captures; /* NULL: a rule without captures */
    const PolicyNode *policy;       /* NULL: only the tables count */
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
