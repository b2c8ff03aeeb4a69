/* weights.h - the numbers of the evaluation, a set per rule, in one file that the fit writes. */
#ifndef EVAL_WEIGHTS_H
#define EVAL_WEIGHTS_H

#include "shape/shape.h"

enum {
    /* which threats a side could make, a bit for each class of squares that it has */
    THREAT_BITS = 6,
    THREAT_SETS = 1 << THREAT_BITS,
    NEAR_CLASSES = 12,
    /* how many squares of each class a side has, from SQUARE_THREE to SQUARE_FIVE, 7 or more as 7
     */
    COUNT_CLASSES = 7,
    COUNTS = 8
};

typedef struct {
    /* by colour and code, SQUARE_CODES each; the same table twice where the colours have one law */
    const u16 *value[COLORS];                  /* an empty square's worth to a colour; from 0 */
    const int16_t *attack[COLORS];             /* how good a move looks for what it makes, ... */
    const int16_t *defence[COLORS];            /* ... and for what it denies that colour */
    int16_t threat[THREAT_SETS * THREAT_SETS]; /* [the other side's threats << 6 | the mover's] */
    int16_t count[2][COUNT_CLASSES][COUNTS];   /* the mover's classes, and the other side's */
    int16_t near[NEAR_CLASSES];                /* how good a move looks for where the last was */
} EvalWeights;

/* A rule without games of its own may share another one's tables. */
extern const EvalWeights *const WEIGHTS_FREESTYLE;
extern const EvalWeights *const WEIGHTS_STANDARD;
extern const EvalWeights *const WEIGHTS_RENJU;
extern const EvalWeights *const WEIGHTS_CARO;
extern const EvalWeights *const WEIGHTS_CARO_STANDARD;
extern const EvalWeights *const WEIGHTS_NINUKI;

#endif
