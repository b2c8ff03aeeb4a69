/* eval.h - what a position is worth without looking ahead.
 *
 * Every empty square has, for each colour, the code of the four shapes a stone there would make.
 * A table over the codes says what that is worth; the sums are kept by the patterns, so the score
 * is a difference, taken now and before the last move, and a few terms for the side to move; a
 * small network (network.h) corrects it. A second table over the codes says how good a move there
 * looks: it orders moves and leads reductions; far from the horizon another small network
 * (policy.h) is asked as well.
 */
#ifndef EVAL_EVAL_H
#define EVAL_EVAL_H

#include <stdlib.h>

#include "eval/captures.h"
#include "eval/policy.h"

enum { EVAL_MAX = 20000 }; /* |score| of any position that is not a proven win */

enum { FARTHEST = (MAX_SIZE - 1) * (STRIDE + 1) }; /* from one corner to the other */

typedef struct {
    const EvalWeights *weights;
    PatternTable pattern;
    u8 near[2 * FARTHEST + 1]; /* eval_near by how far a move lies from the last one */
    u8 nowhere[CELLS];         /* the same without a last one */
    bool has_network;          /* else the weights are all */
    NetTable network;
    bool has_policy; /* only beside a network */
    PolicyTable policy;
} EvalTable;

/* The table of a rule, made on first use, constant afterwards. */
const EvalTable *eval_table(Rule rule);

/* The score from the side to move's view; swapping the colours and the side to move gives the
 * same, except under renju, where the colours have different laws. trail: what was known on the way
 * here, NULL = nothing. */
int eval_score(const EvalTable *t, const Position *p, NetTrail *trail);
/* Tells the network for the order of moves of the position; a rule without one is a programming
 * error. *out is of use until the trail moves on. */
void eval_policy(const EvalTable *t, const Position *p, NetTrail *trail, PolicyNode *out);
/* The score without the network's correction, and what else the network is told of the position. */
int eval_without_network(const EvalTable *t, const Position *p);
void eval_features(const Position *p, int score, int16_t out[NET_FEATURES]);

/* Which threats colour c could make, weakest class lowest: an open three, two, a four, a four and
 * an open three, an open four or two fours, a five. */
u32 eval_threats(const Position *p, Color c);

/* How many squares of class SQUARE_THREE + `class` colour c has, COUNTS - 1 or more as COUNTS - 1.
 */
int eval_count(const Position *p, Color c, int class);

/* Where a square lies as seen from the last move: 0 no last move, else by distance, squares on one
 * of its lines apart from the others. */
static inline int eval_near(Cell last, Cell c) {
    if (last == NO_CELL) return 0;
    const int dx = abs(cell_x(last) - cell_x(c)), dy = abs(cell_y(last) - cell_y(c));
    const int far = dx > dy ? dx : dy;
    if (far > 5) return 11;
    return 2 * far - (dx == 0 || dy == 0 || dx == dy);
}

/* How a move on the empty square c looks to a beginner, who sees one line at a time and nothing of
 * what two of them make together: the strongest of the eight, own before foreign, what lies near
 * the last move first. `captures`: ninuki's squares of capture for the side to move. `eager`: by so
 * many shapes the other side's lines are underrated, but for its fives. */
int eval_plain_move(const EvalTable *t, const Position *p, Cell c, const Bitboard *captures,
                    int eager);

/* What the moves of a position are scored by, looked up once for all of them. */
typedef struct {
    const Pattern *pattern;
    const int16_t *attack, *defence; /* by code */
    const int16_t *nearness;         /* by how near */
    const u8 *near;                  /* by square */
    Color us;
    const Position *captures; /* NULL: a rule without them */
    const PolicyNode *policy; /* NULL: the tables are all */
} MoveScores;

static inline MoveScores eval_moves(const EvalTable *t, const Position *p,
                                    const PolicyNode *policy) {
    const Color us = position_to_move(p);
    const Cell last = position_last(p);
    return (MoveScores){&p->pattern,
                        t->weights->attack[us],
                        t->weights->defence[other(us)],
                        t->weights->near,
                        last == NO_CELL ? t->nowhere : &t->near[FARTHEST - last],
                        us,
                        p->traits.captures ? p : NULL,
                        policy};
}

/* How good a move on the empty square c looks for the side to move. */
static inline int eval_move(const MoveScores *m, Cell c) {
    PolicyCandidate of = {.made = pattern_code(m->pattern, m->us, c),
                          .denied = pattern_code(m->pattern, other(m->us), c),
                          .near = m->near[c]};
    of.score = m->nearness[of.near] + m->attack[of.made] + m->defence[of.denied] +
               (m->captures ? captures_move(m->captures, c) : 0);
    return m->policy ? policy_score(m->policy, c, &of) : of.score;
}

#endif
