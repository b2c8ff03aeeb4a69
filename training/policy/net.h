/* net.h - the parameters of the network in floats. */
#ifndef POLICY_NET_H
#define POLICY_NET_H

#include "../fitting/shards.h"
#include "samples.h"

enum { BATCH = 128, LAWS = 2, HIDDEN = POLICY_HIDDEN };
/* The largest hidden number in the library. */
static const float HIDDEN_MOST = (float)NET_INPUT_MAX / POLICY_ONE;

typedef struct {
    float made[LAWS][SHAPES][HIDDEN], denied[LAWS][SHAPES][HIDDEN], near[NEAR_CLASSES][HIDDEN];
    float around[NET_LANES][HIDDEN], position[NET_INPUTS][HIDDEN], bias[HIDDEN];
    float out[HIDDEN], scale;
} Net;

enum { PARAMETERS = sizeof(Net) / sizeof(float) };

static Net net, gradients[SHARDS];
static _Thread_local Net *gradient;
static Moments moments[PARAMETERS];
static int laws; /* of the rule */

static void add_row(float *to, const float *from) {
    for (int j = 0; j < HIDDEN; j++) to[j] += from[j];
}

static const u8 *members_of(u16 code) {
    return shape_table(RULE_FREESTYLE)->members[code];
}

/* Bounds to the whole numbers of the library, of which `one` stand for 1. */
static void bound(float *at, size_t count, int most, int one) {
    for (size_t i = 0; i < count; i++) at[i] = bounded(at[i], (float)most / (float)one);
}

static void bound_all(void) {
    enum { ROWS = (2 * LAWS * SHAPES + NEAR_CLASSES) * HIDDEN };
    bound(net.made[0][0], ROWS, NET_WEIGHT_MAX, POLICY_ROW_ONE);
    bound(net.around[0], NET_LANES * HIDDEN, NET_WEIGHT_MAX, POLICY_ONE);
    bound(net.position[0], NET_INPUTS * HIDDEN, NET_WEIGHT_MAX, POLICY_ONE);
    bound(net.bias, HIDDEN, 1 << 29, POLICY_ONE << POLICY_HIDDEN_SHIFT);
    bound(net.out, HIDDEN, NET_WEIGHT_MAX, MOVE_SCALE * POLICY_OUT_ONE);
    bound(&net.scale, 1, POLICY_SCALE_MAX, POLICY_SCALE_ONE);
}

/* Random start for the shapes of candidates. Other rows are never learned and stay 0. */
static void start_rows(const Samples *learned) {
    static bool made[LAWS][SHAPES], denied[LAWS][SHAPES];
    for (size_t i = 0; i < learned->count; i++) {
        const Sample *s = &learned->sample[i];
        for (const Candidate *c = &candidates.at[s->first], *end = c + s->count; c < end; c++)
            for (int d = 0; d < DIRECTIONS; d++) {
                made[s->made][members_of(c->made)[d]] = true;
                denied[s->denied][members_of(c->denied)[d]] = true;
            }
    }
    fill_random(net.made[0][0], 2 * LAWS * SHAPES * HIDDEN, 0.2f);
    for (int law = 0; law < LAWS; law++)
        for (int k = 0; k < SHAPES; k++) {
            if (!made[law][k]) memset(net.made[law][k], 0, sizeof net.made[law][k]);
            if (!denied[law][k]) memset(net.denied[law][k], 0, sizeof net.denied[law][k]);
        }
}

#endif
