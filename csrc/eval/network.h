/* network.h - a small network that corrects the sum of the weights.
 *
 *   every empty square, for each colour    own[code to it] + other[code to the other side], cut
 *                                          off below 0: 16 numbers
 *   their sums over the board              16 for the mover, 16 for the other side, \
 *   how many squares of each class          7 and 7,                                 } 48 inputs
 *   the score without the network           2                                       /
 *   hidden                                 16, cut off below 0
 *   correction                              1
 *
 * A square's 16 numbers depend on both codes together, and what the sums mean on all of them: that
 * is what a sum of weights cannot say. Whole numbers throughout, so that every machine gives the
 * same. The sums follow the position from move to move: what a stone changed lies on the patterns'
 * stack, so they are brought up to date when a score is asked for, and not before.
 */
#ifndef EVAL_NETWORK_H
#define EVAL_NETWORK_H

#include "eval/weights.h"
#include "position/position.h"

enum {
    NET_WIDTH = 16,
    NET_HIDDEN = 16,
    NET_INPUTS = 2 * NET_WIDTH + 2 * COUNT_CLASSES + 2,
    NET_SQUARE_MAX = 255 /* |own|, |other|: 64 squares' changes fit 16 bits */
};

typedef struct {
    int16_t own[NET_WIDTH], other[NET_WIDTH];
} NetSquare;

/* Fixed point: squares, inputs and hidden in 1/128, the weights between them in 1/256. */
typedef struct {
    const NetSquare *square[COLORS]; /* SQUARE_CODES each; under renju the colours have their own */
    int16_t hidden[NET_HIDDEN][NET_INPUTS];
    int32_t hidden_bias[NET_HIDDEN];
    int16_t out[NET_HIDDEN];
    int32_t out_bias;
} Network;

/* Of a rule, or NULL where its score is the sum of the weights. */
extern const Network *const NETWORK_FREESTYLE,
    *const NETWORK_STANDARD, *const NETWORK_RENJU, *const NETWORK_CARO,
                                                       *const NETWORK_CARO_STANDARD,
                                                           *const NETWORK_NINUKI;

typedef struct {
    u64 key; /* of the position that they belong to */
    int32_t sum[COLORS][NET_WIDTH];
} NetSums;

/* The sums on the way to a position, by its number of moves. Zeroed: none known. One rule and one
 * board's side only. */
typedef struct {
    NetSums after[MAX_GAME_PLIES + 1];
} NetTrail;

/* Brings the trail up to the present position. */
const NetSums *network_follow(const Network *n, const Position *p, NetTrail *trail);
/* What to add to `score`, the mover's without the network. trail: NULL = sums from nothing. */
int network_correction(const Network *n, const Position *p, NetTrail *trail, int score);

#endif
