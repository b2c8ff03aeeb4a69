#include "eval/nn/value_net.h"

#include <string.h>

enum {
    SQUARE_SHIFT = 3, /* from the units of a sum to a sixteenth of it in 1/128 */
    AROUND_SHIFT = 7,
    HIDDEN_SHIFT = 8,
    OUT_SHIFT = 15
};
_Static_assert(NET_SQUARE_ONE << NET_SUM_SHIFT == NET_ONE << SQUARE_SHIFT, "units of squares");
_Static_assert(NET_AROUND_ONE << NET_SUM_SHIFT == NET_ONE << AROUND_SHIFT, "units around them");
_Static_assert(NET_SQUARE_ONE << NET_RECENT_SHIFT == NET_ONE << 2, "units around a stone");
_Static_assert(NET_AROUND_ONE << NET_RECENT_SHIFT == NET_ONE << 6, "the same");
_Static_assert(NET_RECENT_ONE == NET_ONE << 1, "units of its lines");

static int clamp(int v, int low, int high) {
    return v < low ? low : v > high ? high : v;
}

_Static_assert((int64_t)NET_INPUTS * NET_INPUT_MAX * NET_WEIGHT_MAX +
                       (int64_t)NET_RECENT_INPUTS * NET_RECENT_INPUT_MAX * NET_WEIGHT_MAX +
                       NET_PRODUCTS_MAX <=
                   INT32_MAX,
               "a hidden number fits 32 bits");
_Static_assert(NET_ABSENT_MAX <= NET_RECENT_SUMS * NET_RECENT_INPUT_MAX * NET_WEIGHT_MAX,
               "a missing stone adds no more than a stone");

void value_net_init(ValueNet *v, const ValueParts *of) {
    const Network *n = of->network;
    const FirstLayer first = {n->factor,
                              n->bias,
                              {of->squares[BLACK], of->squares[WHITE]},
                              {of->lines[BLACK], of->lines[WHITE]},
                              of->shapes};
    v->network = n;
    accumulator_table_init(&v->first, &first, &v->lines);
    for (int j = 0; j < NET_HIDDEN; j++) {
        for (int i = 0; i < NET_INPUTS; i++) v->hidden[i / 2][j][i % 2] = n->hidden[j][i];
        for (int i = 0; of->recent_layer && i < NET_RECENT_INPUTS; i++)
            v->of_recent[i / 2][j][i % 2] = of->recent_layer->hidden[j][i];
    }
    v->recent_layer = of->recent_layer;
    if (v->recent_layer) recent_table_init(&v->recent, of->recent);
}

static int16_t *put_sums(int16_t *in, const int32_t *sum, int count, int shift) {
    for (int i = 0; i < count; i++) *in++ = (int16_t)clamp(sum[i] >> shift, 0, NET_INPUT_MAX);
    return in;
}

static int16_t *put_view(int16_t *in, const AccumulatorSums *sums, Color c) {
    in = put_sums(in, sums->square + c * NET_WIDTH, NET_WIDTH, SQUARE_SHIFT);
    return put_sums(in, sums->around + c * NET_WIDTH, NET_WIDTH, AROUND_SHIFT);
}

enum { SUMS = 8, BLOCK = SUMS * SIMD_INT32S }; /* as many sums as stay in registers */
_Static_assert(NET_HIDDEN % BLOCK == 0, "whole blocks of hidden numbers");

/* The bias of a missing stone. */
static void add_absent(const ValueNet *v, const RecentInputs *recent, int first,
                       SimdInt32 sum[SUMS]) {
    for (int stone = 0; stone < NET_RECENT_STONES; stone++) {
        const SimdInt32 *row = (const SimdInt32 *)&v->recent_layer->absent[stone][first];
        for (int k = 0; recent->absent[stone] && k < SUMS; k++) sum[k] += row[k];
    }
}

/* recent: NULL without the last stones. */
static ALWAYS_INLINE void add_block(const ValueNet *v, const int16_t in[NET_INPUTS],
                                    const RecentInputs *recent, int first, int32_t out[BLOCK]) {
    SimdInt32 sum[SUMS];
    memcpy(sum, &v->network->hidden_bias[first], sizeof sum);
    simd_add_inputs(sum, SUMS, in, NET_INPUTS / 2, v->hidden[0][first], 2 * NET_HIDDEN);
    if (recent) {
        simd_add_inputs(sum, SUMS, recent->in, NET_RECENT_INPUTS / 2, v->of_recent[0][first],
                        2 * NET_HIDDEN);
        if (recent->absent[0] | recent->absent[1]) add_absent(v, recent, first, sum);
    }
    memcpy(out, sum, sizeof sum);
}

void value_net_inputs(Color mover, const AccumulatorSums *sums,
                      const int16_t features[NET_FEATURES], int16_t in[NET_INPUTS]) {
    int16_t *rest = put_view(put_view(in, sums, mover), sums, other(mover));
    memcpy(rest, features, NET_FEATURES * sizeof *features);
}

int value_net_correction(const ValueNet *v, Color mover, const AccumulatorSums *sums,
                         const int16_t features[NET_FEATURES], const RecentInputs *recent) {
    const Network *n = v->network;
    int16_t in[NET_INPUTS];
    int32_t hidden[NET_HIDDEN];
    value_net_inputs(mover, sums, features, in);
    for (int j = 0; j < NET_HIDDEN; j += BLOCK) add_block(v, in, recent, j, &hidden[j]);
    int32_t out = n->out_bias;
    for (int j = 0; j < NET_HIDDEN; j++)
        out += clamp(hidden[j] >> HIDDEN_SHIFT, 0, NET_INPUT_MAX) * n->out[j];
    return (int)((int64_t)out * NET_SCALE / (1 << OUT_SHIFT));
}
