#include "eval/nn/policy_net.h"

_Static_assert(1 << 8 == POLICY_SCALE_ONE, "the shift of the tables' score");
_Static_assert(POLICY_ONE *POLICY_OUT_ONE == 1 << POLICY_OUT_SHIFT, "units of the last layer");
_Static_assert(POLICY_ROW_ONE << POLICY_ROW_SHIFT == POLICY_ONE << POLICY_HIDDEN_SHIFT,
               "units of rows");
_Static_assert((NET_AROUND_ONE >> POLICY_AROUND_SHIFT) * POLICY_ONE == POLICY_ONE
                                                                           << POLICY_HIDDEN_SHIFT,
               "units of what is around a candidate");
_Static_assert((int)NET_ONE == (int)POLICY_ONE, "units of the position");
_Static_assert(POLICY_HIDDEN % SIMD_INT16S == 0, "whole vectors of hidden numbers");
_Static_assert((2 * DIRECTIONS + 1) * NET_WEIGHT_MAX <= INT16_MAX, "the rows of a candidate");
_Static_assert((int)NET_INPUT_MAX <= INT16_MAX, "a hidden number is packed into 16 bits");
_Static_assert((int64_t)POLICY_HIDDEN * NET_INPUT_MAX * NET_WEIGHT_MAX <= INT32_MAX,
               "the last layer");

/* The index of one of the mover's inputs among the lanes, which have Black's first. */
static int lane_of(int input, Color us) {
    return us == BLACK ? input : (input + NET_WIDTH) % NET_LANES;
}

static void add_row(PolicyRow to, const int16_t row[POLICY_HIDDEN]) {
    for (int j = 0; j < POLICY_HIDDEN; j++) to[j] = (int16_t)(to[j] + row[j]);
}

static void add_shapes(PolicyCodes *to, const PolicyShapes *rows, const ShapeTable *shapes) {
    memset(to, 0, sizeof *to);
    for (int code = 0; code < SQUARE_CODES; code++)
        for (int d = 0; d < DIRECTIONS; d++) {
            const u8 shape = shapes->members[code][d];
            add_row(to->made[code], rows->made[shape]);
            add_row(to->denied[code], rows->denied[shape]);
        }
}

static void put_codes(PolicyNet *t, const PolicyShapes *const rows[COLORS],
                      const ShapeTable *shapes) {
    const bool two_laws = rows[WHITE] != rows[BLACK];
    t->codes[BLACK] = &t->law[BLACK];
    t->codes[WHITE] = &t->law[two_laws ? WHITE : BLACK];
    add_shapes(&t->law[BLACK], rows[BLACK], shapes);
    if (two_laws) add_shapes(&t->law[WHITE], rows[WHITE], shapes);
}

void policy_net_init(PolicyNet *t, const Policy *p, const PolicyShapes *const rows[COLORS],
                     const ShapeTable *shapes) {
    t->policy = p;
    put_codes(t, rows, shapes);
    memset(t->near, 0, sizeof t->near);
    for (int i = 0; i < NEAR_CLASSES; i++) add_row(t->near[i], p->near[i]);
    for (int k = 0; k < POLICY_HIDDEN / SIMD_INT16S; k++) {
        SimdInt32 half[2];
        for (int i = 0; i < SIMD_INT16S; i++)
            half[i / SIMD_INT32S][i % SIMD_INT32S] = p->out[k * SIMD_INT16S + i];
        t->out[k] = simd_pack(half[0], half[1]);
    }
    for (int j = 0; j < POLICY_HIDDEN; j++) {
        for (Color us = BLACK; us <= WHITE; us++)
            for (int i = 0; i < NET_LANES; i++)
                t->around[us][i / 2][2 * j + i % 2] = p->around[lane_of(i, us)][j];
        for (int i = 0; i < NET_INPUTS; i++) t->position[i / 2][2 * j + i % 2] = p->position[i][j];
    }
}

void policy_node_init(PolicyNode *n, const PolicyNet *t, const Accumulator *squares, Color us,
                      const int16_t inputs[NET_INPUTS]) {
    enum { PARTS = POLICY_HIDDEN / SIMD_INT32S };
    SimdInt32 sum[PARTS];
    n->table = t;
    n->squares = squares;
    n->us = us;
    memcpy(sum, t->policy->bias, sizeof sum);
    simd_add_inputs(sum, PARTS, inputs, NET_INPUTS / 2, t->position[0], 2 * POLICY_HIDDEN);
    memcpy(n->bias, sum, sizeof sum);
}
