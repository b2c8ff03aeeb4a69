/* features.h - what the evaluation counts on a board: threats, classes of squares, distances, and
 * the features of a position for the networks.
 */
#ifndef EVAL_FEATURES_H
#define EVAL_FEATURES_H

#include <stdlib.h>

#include "eval/nn/value_net.h"
#include "eval/tables.h"

/* Which threats colour c could make, weakest class lowest: an open three, two, a four, a four and
 * an open three, an open four or two fours, a five. */
u32 eval_threats(const Position *p, Color c);

/* How many squares of class SQUARE_THREE + `class` colour c has, COUNTS - 1 or more as COUNTS - 1.
 */
int eval_count(const Position *p, Color c, int class);

/* The features of a position for the value network. score: of the tables, from the mover's view. */
void eval_features(const Position *p, int score, int16_t out[NET_FEATURES]);

/* Where a square lies as seen from the last move: 0 no last move, else by distance, squares on one
 * of its lines apart from the others. */
static inline int eval_near(Cell last, Cell c) {
    if (last == NO_CELL) return 0;
    const int dx = abs(cell_x(last) - cell_x(c)), dy = abs(cell_y(last) - cell_y(c));
    const int far = dx > dy ? dx : dy;
    if (far > 5) return 11;
    return 2 * far - (dx == 0 || dy == 0 || dx == dy);
}

/* Black's sum of the weights less White's, from the sums that the patterns keep. */
static inline int eval_difference(u64 value) {
    return (int32_t)(u32)value - (int32_t)(u32)(value >> 32);
}

#endif
