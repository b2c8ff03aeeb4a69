/* features.h - features of a position: threats, classes of squares, distances, and the inputs of
 * the networks.
 */
#ifndef EVAL_FEATURES_H
#define EVAL_FEATURES_H

#include <stdlib.h>

#include "eval/nn/value_net.h"
#include "eval/tables.h"

/* The threats that colour c could make, weakest class lowest: an open three, two, a four, a four
 * and an open three, an open four or two fours, a five. */
u32 eval_threats(const Position *p, Color c);

/* The number of squares of class SQUARE_THREE + `class` of colour c, at most COUNTS - 1. */
int eval_count(const Position *p, Color c, int class);

/* The features of a position for the value network. score: of the tables, from the mover's view. */
void eval_features(const Position *p, int score, int16_t out[NET_FEATURES]);

/* The position of a square relative to the last move: 0 without a last move, else by distance;
 * squares on one of its lines have classes of their own. */
static inline int eval_near(Cell last, Cell c) {
    if (last == NO_CELL) return 0;
    const int dx = abs(cell_x(last) - cell_x(c)), dy = abs(cell_y(last) - cell_y(c));
    const int far = dx > dy ? dx : dy;
    if (far > 5) return 11;
    return 2 * far - (dx == 0 || dy == 0 || dx == dy);
}

/* Black's sum of the weights minus White's, from the sums of the patterns. */
static inline int eval_difference(u64 value) {
    return (int32_t)(u32)value - (int32_t)(u32)(value >> 32);
}

#endif
