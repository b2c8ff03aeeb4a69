/* value_net.h - a small network that corrects the sum of the weights.
 *
 *   sums of the accumulator      16 of the mover, 16 of the other side  }  64 inputs
 *   features of the position     32 (features.h)                        }
 *   with the last stones         their surroundings (recent.h)          }  80 inputs more
 *   hidden                       64, relu
 *   correction                   1
 *
 * Integers throughout, so that every machine computes the same score.
 */
#ifndef EVAL_NN_VALUE_NET_H
#define EVAL_NN_VALUE_NET_H

#include "eval/nn/recent.h"

/* layout: begin */
enum { NET_FEATURES = 32, NET_INPUTS = 2 * NET_SUMS + NET_FEATURES, NET_HIDDEN = 64 };

enum NetworkUnits {
    /* Fixed point. Squares in 1/64, factors in 1/16, so what is around a square in 1/1024; features
     * and hidden numbers in 1/128, the weights between in 1/256. */
    NET_SQUARE_ONE = 64,
    NET_FACTOR_ONE = 16,
    NET_AROUND_ONE = NET_SQUARE_ONE * NET_FACTOR_ONE,
    NET_ONE = 128,
    NET_WEIGHT_ONE = 256,
    NET_SUM_SHIFT = 4,    /* an input is a sixteenth of its sum */
    NET_RECENT_SHIFT = 3, /* around the last stones, an eighth */
    NET_RECENT_ONE = 256, /* of a row of the last stones */
    NET_INPUT_MAX = 8191, /* 64 products of an input and a weight fit 32 bits */
    NET_SCALE = 220       /* a score of this multiplies the odds by e */
};

enum {
    NET_WEIGHT_MAX = 2047,     /* also of the last layer */
    NET_PRODUCTS_MAX = 1 << 29 /* biases of both layers, in units of a product */
};

typedef struct {
    int16_t factor[NET_RINGS][NET_WIDTH], bias[NET_WIDTH];
    int16_t hidden[NET_HIDDEN][NET_INPUTS];
    int32_t hidden_bias[NET_HIDDEN]; /* in units of a product, like the next */
    int16_t out[NET_HIDDEN];
    int32_t out_bias;
} Network;

/* The rows of the last stones for the hidden layer. absent: added for a stone that does not exist,
 * in units of a product. */
typedef struct {
    int16_t hidden[NET_HIDDEN][NET_RECENT_INPUTS];
    int32_t absent[NET_RECENT_STONES][NET_HIDDEN];
} NetRecentLayer;
/* layout: end */

/* A network in the form that the search needs: the hidden layer by pairs of inputs. */
typedef struct {
    const Network *network;
    AccumulatorTable first;
    _Alignas(64) int16_t hidden[NET_INPUTS / 2][NET_HIDDEN][2];
    LineRows lines; /* with lines only */
    RecentTable recent;
    const NetRecentLayer *recent_layer; /* NULL: a network without the last stones */
    _Alignas(64) int16_t of_recent[NET_RECENT_INPUTS / 2][NET_HIDDEN][2];
} ValueNet;

/* By colour; the same twice where the colours have one law. The parts of lines and of the last
 * stones are NULL in a network without them. */
typedef struct {
    const Network *network;
    const NetSquares *squares[COLORS];
    const NetLines *lines[COLORS];
    const ShapeTable *shapes; /* of the rule */
    const NetRecent *recent[COLORS];
    const NetRecentLayer *recent_layer;
} ValueParts;

void value_net_init(ValueNet *v, const ValueParts *of);
/* The inputs of the hidden layer: the sums of the mover, of the other side, the features. */
void value_net_inputs(Color mover, const AccumulatorSums *sums,
                      const int16_t features[NET_FEATURES], int16_t in[NET_INPUTS]);
/* The correction, to be added to the mover's score. recent: NULL for a network without the last
 * stones. */
int value_net_correction(const ValueNet *v, Color mover, const AccumulatorSums *sums,
                         const int16_t features[NET_FEATURES], const RecentInputs *recent);

#endif
