/* network.h - a small network that corrects the sum of the weights.
 *
 *   each square, for each colour     own[its code] + other[the code to the other side]:  8 numbers
 *   around it                        a bias, and by one factor a number and ring the sums of
 *                                      2 1 2     ring 0, its own 8 numbers,
 *                                      1 0 1     ring 1, the four squares beside it,
 *                                      2 1 2     ring 2, the four across its corners
 *   over the board                   sums of both, each cut off below 0:
 *                                      16 of the mover, 16 of the other side  }  64 inputs
 *   features of the position (eval.h)    32                                   }
 *   hidden                           64, cut off below 0
 *   correction                       1
 *
 * A square's numbers depend on both codes together, what is around it on those of its neighbours,
 * and what the sums mean on all of them: that is what a sum of weights cannot say. A stone is a
 * code more. Whole numbers throughout, so that every machine gives the same. The squares follow the
 * position from move to move, but only when a score is asked for: what a stone changed lies on the
 * patterns' stack.
 */
#ifndef EVAL_NETWORK_H
#define EVAL_NETWORK_H

#include "eval/products.h"
#include "eval/tables.h"
#include "position/position.h"

/* layout: begin */
enum {
    NET_WIDTH = 8,
    NET_LANES = COLORS * NET_WIDTH, /* both views of a square */
    NET_RINGS = 3,
    NET_CODES = SQUARE_CODES + COLORS, /* of empty squares; an own stone, a foreign one */
    NET_SUMS = 2 * NET_WIDTH,          /* of a colour: its squares, and what is around them */
    NET_OWN_STONE = SQUARE_CODES,
    NET_FOREIGN_STONE,
    NET_FEATURES = 32,
    NET_INPUTS = 2 * NET_SUMS + NET_FEATURES,
    NET_HIDDEN = 64
};

enum NetworkUnits {
    /* Fixed point. Squares in 1/64, factors in 1/16, so what is around a square in 1/1024; features
     * and hidden numbers in 1/128, the weights between in 1/256. */
    NET_SQUARE_ONE = 64,
    NET_FACTOR_ONE = 16,
    NET_AROUND_ONE = NET_SQUARE_ONE * NET_FACTOR_ONE,
    NET_ONE = 128,
    NET_WEIGHT_ONE = 256,
    NET_SUM_SHIFT = 4,    /* an input is a sixteenth of its sum */
    NET_INPUT_MAX = 8191, /* 64 products of an input and a weight fit 32 bits */
    NET_SCALE = 220       /* a score of so much is odds of e to 1 */
};

enum {
    /* |own|, |other|; the factors by ring. So a square is at most 126 and changes by 252, what is
     * around it at most 16,900, and what one change adds to nine sums fits 16 bits. */
    NET_SQUARE_MAX = 63,
    NET_FACTOR_MAX = 30,
    NET_RING_MAX = 12,
    NET_BIAS_MAX = 1024,
    NET_WEIGHT_MAX = 2047,     /* also of the last layer */
    NET_PRODUCTS_MAX = 1 << 29 /* biases of both layers, in units of a product */
};

typedef struct {
    int8_t own[NET_WIDTH], other[NET_WIDTH];
} NetSquare;

/* By code. Colours with different laws have one each. */
typedef struct {
    NetSquare code[NET_CODES];
} NetSquares;

typedef struct {
    int16_t factor[NET_RINGS][NET_WIDTH], bias[NET_WIDTH];
    int16_t hidden[NET_HIDDEN][NET_INPUTS];
    int32_t hidden_bias[NET_HIDDEN]; /* in units of a product, like the next */
    int16_t out[NET_HIDDEN];
    int32_t out_bias;
} Network;
/* layout: end */

/* As Black sees it, then as White does. */
enum { NET_PARTS = NET_LANES / NET_PART };
typedef struct {
    NetPart part[NET_PARTS];
} NetRow;

/* A network as it is worked with: rows for both views at once, and the hidden layer by pairs of
 * inputs. Here and in the map below no row lies across two lines of the cache: 1.02 times the speed
 * of the search. */
typedef struct {
    const Network *network;
    _Alignas(64) NetRow square[COLORS][NET_CODES]; /* what a code of it adds to both views */
    NetRow factor[NET_RINGS], bias;
    _Alignas(64) int16_t hidden[NET_INPUTS / 2][NET_HIDDEN][2];
} NetTable;

/* squares: by colour; the same twice where the colours have one law. */
void network_table_init(NetTable *t, const Network *n, const NetSquares *const squares[COLORS]);

/* In the order of the lanes. */
typedef struct {
    int32_t square[NET_LANES], around[NET_LANES];
} NetSums;

/* The squares of a position and the sums over them. `around` goes beyond the board, so that nobody
 * need ask where it ends. */
enum { NET_BEYOND = STRIDE + 1 };
typedef struct {
    _Alignas(64) NetRow at[CELLS], around[NET_BEYOND + CELLS + NET_BEYOND];
    NetSums sums;
} NetMap;

/* A move of the way to the position that the map is of: the position that it made, and the squares
 * that differ from the one before. */
typedef struct {
    u64 key;
    int plies;
    Bitboard changed;
} NetStep;

/* Zeroed, or with no steps: nothing is known. Of one rule and one size of board. */
typedef struct {
    int steps;
    NetStep step[MAX_GAME_PLIES + 1];
    NetMap map;
} NetTrail;

/* Brings the trail to the position and returns its sums. */
const NetSums *network_follow(const NetTable *t, const Position *p, NetTrail *trail);
/* Fills a map from nothing. */
void network_fill(const NetTable *t, const Position *p, NetMap *map);
/* The sums from nothing, where there is no trail; takes 50 KB of the stack meanwhile. */
void network_sums(const NetTable *t, const Position *p, NetSums *out);
/* What the hidden layer is told: the sums of the mover, of the other side, the features. */
void network_inputs(Color mover, const NetSums *sums, const int16_t features[NET_FEATURES],
                    int16_t in[NET_INPUTS]);
/* What to add to the mover's score. */
int network_correction(const NetTable *t, Color mover, const NetSums *sums,
                       const int16_t features[NET_FEATURES]);

#endif
