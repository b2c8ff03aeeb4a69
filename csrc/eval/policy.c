#include "eval/policy.h"

_Static_assert(1 << 8 == POLICY_SCALE_ONE, "the shift of the tables' score");
_Static_assert(POLICY_ONE *POLICY_OUT_ONE == 1 << POLICY_OUT_SHIFT, "units of the last layer");
_Static_assert(NET_SQUARE_ONE *POLICY_SQUARE_ONE == POLICY_ONE << POLICY_HIDDEN_SHIFT,
               "units of the square");
_Static_assert((NET_AROUND_ONE >> POLICY_AROUND_SHIFT) * POLICY_ONE == POLICY_ONE
                                                                           << POLICY_HIDDEN_SHIFT,
               "units around it");
_Static_assert((int)NET_ONE == (int)POLICY_ONE, "units of the position");
_Static_assert(POLICY_HIDDEN % NET_WIDE == 0, "whole vectors of hidden numbers");

/* Of the mover's inputs in the order of the lanes, which have Black's first. */
static int lane_of(int lane, Color us) {
    const int half = lane / NET_LANES * NET_LANES, i = lane % NET_LANES;
    return us == BLACK ? lane : half + (i + NET_WIDTH) % NET_LANES;
}

void policy_table_init(PolicyTable *t, const Policy *p) {
    t->policy = p;
    for (int j = 0; j < POLICY_HIDDEN; j++) {
        t->out[j] = p->out[j];
        for (Color us = BLACK; us <= WHITE; us++)
            for (int i = 0; i < POLICY_SQUARE; i++)
                t->square[us][i / 2][2 * j + i % 2] = p->square[lane_of(i, us)][j];
        for (int i = 0; i < NET_INPUTS; i++) t->position[i / 2][2 * j + i % 2] = p->position[i][j];
    }
}

void policy_node_init(PolicyNode *n, const PolicyTable *t, const NetMap *map, Color us,
                      const int16_t inputs[NET_INPUTS]) {
    enum { PARTS = POLICY_HIDDEN / NET_WIDE };
    NetWide sum[PARTS];
    n->table = t;
    n->map = map;
    n->us = us;
    memcpy(sum, t->policy->bias, sizeof sum);
    add_inputs(sum, PARTS, inputs, NET_INPUTS / 2, t->position[0], 2 * POLICY_HIDDEN);
    memcpy(n->bias, sum, sizeof sum);
}
