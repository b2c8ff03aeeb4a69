/* policy_net.h - a small network for the order of a node's moves.
 *
 *     a candidate     a row for each of the four shapes that it makes and of the four that it
 *                     denies, and one for its place relative to the last move (eval_near)
 *     around it       the accumulator's numbers around it (accumulator.h), in the views of the
 *                     mover and of the other side:                                    16 inputs
 *     the position    the inputs of the value network's hidden layer:                 64 inputs
 *     hidden          16 sums of all these, relu, at most 64
 *     a move's score  `scale` times that of the tables, plus a sum of the hidden numbers
 *
 * The position's part is the same for all candidates and computed once. A candidate therefore costs
 * little more than a row of the value network. The position's part shows which squares matter:
 * whether to attack or to defend, here or elsewhere.
 */
#ifndef EVAL_NN_POLICY_NET_H
#define EVAL_NN_POLICY_NET_H

#include "eval/nn/value_net.h"
#include "eval/tables.h"

/* layout: begin */
enum { POLICY_HIDDEN = 16 };

enum PolicyUnits {
    POLICY_AROUND_SHIFT = 3, /* from 1/1024 to 1/128, as the position's inputs are */
    /* Fixed point. Rows in 1/512, weights in 1/128, so sums in 1/16384; hidden numbers in 1/128,
     * the last layer in eighths of a point of move score. */
    POLICY_ROW_ONE = 512,
    POLICY_ROW_SHIFT = 5,
    POLICY_ONE = 128,
    POLICY_HIDDEN_SHIFT = 7,
    POLICY_OUT_ONE = 8,
    POLICY_OUT_SHIFT = 10,
    POLICY_SCALE_ONE = 256
};

enum { POLICY_SCALE_MAX = 4 * POLICY_SCALE_ONE };

/* The rows of a colour's shapes: for its own move that makes them, and for the other side's that
 * denies them; one for each law. */
typedef struct {
    int16_t made[SHAPES][POLICY_HIDDEN], denied[SHAPES][POLICY_HIDDEN];
} PolicyShapes;

/* Bounds as those of Network: rows, weights and `out` NET_WEIGHT_MAX, the bias NET_PRODUCTS_MAX; of
 * `scale` POLICY_SCALE_MAX, from 0. */
typedef struct {
    int16_t near[NEAR_CLASSES][POLICY_HIDDEN];
    int16_t around[NET_LANES][POLICY_HIDDEN]; /* the mover's first */
    int16_t position[NET_INPUTS][POLICY_HIDDEN];
    int32_t bias[POLICY_HIDDEN];
    int16_t out[POLICY_HIDDEN];
    int32_t scale;
} Policy;
/* layout: end */

/* In the units of a weights file: the sum of all rows of a candidate fits 16 bits. */
typedef int16_t PolicyRow[POLICY_HIDDEN];

/* The rows of a colour's codes, each the sum of its shapes'. */
typedef struct {
    PolicyRow made[SQUARE_CODES], denied[SQUARE_CODES];
} PolicyCodes;

/* The form for computing: rows by codes, inputs by pairs; the inputs around a candidate by the
 * mover's colour. */
typedef struct {
    const Policy *policy;
    const PolicyCodes *codes[COLORS];
    _Alignas(64) PolicyCodes law[COLORS]; /* the second only if the colours have two */
    PolicyRow near[NEAR_CLASSES];
    int16_t around[COLORS][NET_LANES / 2][2 * POLICY_HIDDEN];
    int16_t position[NET_INPUTS / 2][2 * POLICY_HIDDEN];
    _Alignas(64) SimdInt16 out[POLICY_HIDDEN / SIMD_INT16S]; /* in the order of simd_pack */
} PolicyNet;

/* A position with candidates to score. */
typedef struct {
    const PolicyNet *table;
    const Accumulator *squares;
    Color us;
    _Alignas(64) int32_t bias[POLICY_HIDDEN]; /* with the position's part */
} PolicyNode;

/* A candidate as the tables see it. */
typedef struct {
    u32 made, denied; /* codes: of the mover, of the other side */
    int near;         /* eval_near */
    int score;        /* the score of the tables */
} PolicyCandidate;

/* rows: by colour; the same twice if the colours have one law. shapes: of the same rule. */
void policy_net_init(PolicyNet *t, const Policy *p, const PolicyShapes *const rows[COLORS],
                     const ShapeTable *shapes);
/* squares: of the position. inputs: those of the value network's hidden layer. */
void policy_node_init(PolicyNode *n, const PolicyNet *t, const Accumulator *squares, Color us,
                      const int16_t inputs[NET_INPUTS]);

/* The numbers around a square, Black's view before White's. */
static ALWAYS_INLINE void policy_around(const Accumulator *squares, Cell c, int16_t in[NET_LANES]) {
    NetRow around = squares->around[NET_BEYOND + c];
    for (int i = 0; i < NET_PARTS; i++) around.part[i] >>= POLICY_AROUND_SHIFT;
    memcpy(in, &around, sizeof around);
}

/* The score of a move on the empty square c. */
static ALWAYS_INLINE int policy_score(const PolicyNode *n, Cell c, const PolicyCandidate *of) {
    enum { PAIRS = POLICY_HIDDEN / SIMD_INT16S };
    const PolicyNet *t = n->table;
    const SimdInt16 *made = (const SimdInt16 *)t->codes[n->us]->made[of->made];
    const SimdInt16 *denied = (const SimdInt16 *)t->codes[other(n->us)]->denied[of->denied];
    const SimdInt16 *near = (const SimdInt16 *)t->near[of->near];
    int16_t in[NET_LANES];
    SimdInt32 sum[2 * PAIRS], all = {0};
    policy_around(n->squares, c, in);
    memcpy(sum, n->bias, sizeof sum);
    for (int k = 0; k < PAIRS; k++)
        simd_add_multiple(&sum[2 * k], made[k] + denied[k] + near[k], 1 << POLICY_ROW_SHIFT);
    simd_add_inputs(sum, 2 * PAIRS, in, NET_LANES / 2, t->around[n->us][0], 2 * POLICY_HIDDEN);
    for (int k = 0; k < 2 * PAIRS; k++)
        sum[k] = simd_clipped_relu(sum[k] >> POLICY_HIDDEN_SHIFT, NET_INPUT_MAX);
    for (int k = 0; k < PAIRS; k++)
        all += simd_multiply_add(simd_pack(sum[2 * k], sum[2 * k + 1]), t->out[k]);
    int32_t out = 0;
    for (int i = 0; i < SIMD_INT32S; i++) out += all[i];
    return (of->score * t->policy->scale >> 8) + (out >> POLICY_OUT_SHIFT);
}

#endif
