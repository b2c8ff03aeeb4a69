/* eval.h - what a position is worth without looking ahead.
 *
 * Every empty square has, for each colour, the code of the four shapes a stone there would make.
 * A table over the codes says what that is worth; the sums are kept by the patterns, so the score
 * is a difference and a few terms for the side to move. A second table over the codes says how
 * good a move there looks: it orders moves and leads reductions.
 */
#ifndef EVAL_EVAL_H
#define EVAL_EVAL_H

#include "eval/weights.h"
#include "position/position.h"

enum { EVAL_MAX = 20000 }; /* |score| of any position that is not a proven win */

typedef struct {
    const EvalWeights *weights;
    PatternTable pattern;
} EvalTable;

/* The table of a rule, made on first use, constant afterwards. */
const EvalTable *eval_table(Rule rule);

/* The score from the side to move's view; swapping the colours and the side to move gives the
 * same, except under renju, where the colours have different laws. */
int eval_score(const EvalTable *t, const Position *p);

/* How good a move on the empty square c looks for the side to move. */
static inline int eval_move(const EvalTable *t, const Position *p, Cell c) {
    const Color us = position_to_move(p);
    return t->weights->attack[us][pattern_code(&p->pattern, us, c)] +
           t->weights->defence[other(us)][pattern_code(&p->pattern, other(us), c)];
}

#endif
