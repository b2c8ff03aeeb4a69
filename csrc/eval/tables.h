/* tables.h - the fitted tables of the evaluation, as in a weights file (weights.h).
 */
#ifndef EVAL_TABLES_H
#define EVAL_TABLES_H

#include "shape/shape.h"

/* layout: begin */
enum {
    /* the threats of a side, one bit for each class of squares that it has */
    THREAT_BITS = 6,
    THREAT_SETS = 1 << THREAT_BITS,
    NEAR_CLASSES = 12,
    /* the number of squares of each class, from SQUARE_THREE to SQUARE_FIVE, at most 7 */
    COUNT_CLASSES = 7,
    COUNTS = 8,
    VALUE_MAX = 4095, /* of `value`: the patterns keep 12 bits of it (pattern.h) */
    /* |attack|, |defence| and all of CaptureWeights; |threat|, |count|, |near|. A move's score thus
     * fits 21 bits with the policy's part, and the order of moves packs it with a square. */
    MOVE_WEIGHT_MAX = 8000,
    SCORE_WEIGHT_MAX = 2000,
    MOVE_SCALE = 100 /* of a move: a score of this multiplies the odds by e */
};

/* By the code of a square's shapes. Colours with different laws have one each. */
typedef struct {
    uint16_t value[SQUARE_CODES];  /* an empty square's worth to the colour; from 0 */
    int16_t attack[SQUARE_CODES];  /* the worth of a move for the shapes that it makes, ... */
    int16_t defence[SQUARE_CODES]; /* ... and for those that it denies the colour */
} CodeTables;

/* Terms for the position as a whole, and for the place of a move. */
typedef struct {
    int16_t threat[THREAT_SETS * THREAT_SETS]; /* [the other side's threats << 6 | the mover's] */
    int16_t count[2][COUNT_CLASSES][COUNTS];   /* the mover's classes, and the other side's */
    int16_t near[NEAR_CLASSES]; /* the worth of a move by its place relative to the last one */
} ScoreTables;
/* layout: end */

#endif
