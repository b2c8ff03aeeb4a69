/* network.h - a small network that corrects the sum of the weights.
 *
 *   each empty square, for each colour   own[its code] + other[the code to the other side],
 *                                        cut off below 0:  16 numbers
 *   their sums over the board            16 of the mover, 16 of the other side  }  64 inputs
 *   features of the position (eval.h)    32                                     }
 *   hidden                               64, cut off below 0
 *   correction                           1
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
    NET_FEATURES = 32,
    NET_INPUTS = 2 * NET_WIDTH + NET_FEATURES,
    NET_HIDDEN = 64,
    /* fixed point: squares, features and hidden numbers in 1/128, the weights between in 1/256 */
    NET_ONE = 128,
    NET_WEIGHT_ONE = 256,
    NET_SUM_SHIFT = 4,    /* an input is a sixteenth of its sum */
    NET_SQUARE_MAX = 255, /* |own|, |other|: so 64 squares' changes fit 16 bits, ... */
    NET_INPUT_MAX = 8191, /* ... 64 products of an input and a weight 32 */
    NET_WEIGHT_MAX = 2047,
    NET_SCALE = 220 /* a score of so much is odds of e to 1 */
};

typedef struct {
    int16_t own[NET_WIDTH], other[NET_WIDTH];
} NetSquare;

typedef struct {
    const NetSquare *square[COLORS]; /* SQUARE_CODES each; under renju the colours have their own */
    int16_t hidden[NET_HIDDEN][NET_INPUTS];
    int32_t hidden_bias[NET_HIDDEN]; /* in units of a product, like the next */
    int16_t out[NET_HIDDEN];
    int32_t out_bias;
} Network;

/* Of a rule; NULL where the score is the sum of the weights. */
extern const Network *const NETWORK_FREESTYLE,
    *const NETWORK_STANDARD, *const NETWORK_RENJU, *const NETWORK_CARO,
                                                       *const NETWORK_CARO_STANDARD,
                                                           *const NETWORK_NINUKI;

typedef struct {
    bool known;
    u64 key; /* of the position that they belong to */
    int32_t sum[COLORS][NET_WIDTH];
} NetSums;

/* The sums on the way to a position, by its number of moves. Zeroed: none known. Of one rule and
 * one size of board. */
typedef struct {
    NetSums after[MAX_GAME_PLIES + 1];
} NetTrail;

/* Brings the trail up to the position and returns its sums. */
const NetSums *network_follow(const Network *n, const Position *p, NetTrail *trail);
/* The same from nothing. */
void network_sums(const Network *n, const Position *p, NetSums *out);
/* What to add to the mover's score. */
int network_correction(const Network *n, Color mover, const NetSums *sums,
                       const int16_t features[NET_FEATURES]);

#endif
