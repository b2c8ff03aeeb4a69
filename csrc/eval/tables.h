/* tables.h - the fitted tables of the evaluation, as a weights file holds them (weights.h). */
#ifndef EVAL_TABLES_H
#define EVAL_TABLES_H

#include "shape/shape.h"

/* layout: begin */
enum {
    /* which threats a side could make, a bit for each class of squares that it has */
    THREAT_BITS = 6,
    THREAT_SETS = 1 << THREAT_BITS,
    NEAR_CLASSES = 12,
    /* how many squares of each class a side has, from SQUARE_THREE to SQUARE_FIVE, 7 or more as 7
     */
    COUNT_CLASSES = 7,
    COUNTS = 8,
    VALUE_MAX = 4095, /* of `value`: the patterns keep 12 bits of it (pattern.h) */
    /* |attack|, |defence| and all of CaptureWeights; |threat|, |count|, |near|. So a move's score
     * fits 21 bits, a policy's part included, and the order of moves packs it with a square. */
    MOVE_WEIGHT_MAX = 8000,
    SCORE_WEIGHT_MAX = 2000,
    MOVE_SCALE = 100 /* of a move: a score of so much is odds of e to 1 */
};

/* By the code of a square's shapes. Colours with different laws have one each. */
typedef struct {
    uint16_t value[SQUARE_CODES];  /* an empty square's worth to the colour; from 0 */
    int16_t attack[SQUARE_CODES];  /* how good a move looks for what it makes, ... */
    int16_t defence[SQUARE_CODES]; /* ... and for what it denies the colour */
} CodeTables;

/* Of the position as a whole, and of a move's place. */
typedef struct {
    int16_t threat[THREAT_SETS * THREAT_SETS]; /* [the other side's threats << 6 | the mover's] */
    int16_t count[2][COUNT_CLASSES][COUNTS];   /* the mover's classes, and the other side's */
    int16_t near[NEAR_CLASSES];                /* how good a move looks for where the last was */
} ScoreTables;
/* layout: end */

#endif
