/* measure.h - judges the network by the yardstick (yardstick.h), as judge.c judges a file.
 */
#ifndef POLICY_MEASURE_H
#define POLICY_MEASURE_H

#include "../fitting/measured.h"
#include "../fitting/whole.h"
#include "net.h"

/* The parts of a weights file; shapes by law. */
static struct {
    PolicyShapes shapes[LAWS];
    Policy policy;
} parts;

static void put_shapes(void) {
    for (int law = 0; law < laws; law++) {
        PolicyShapes *to = &parts.shapes[law];
        put_int16(to->made[0], net.made[law][0], SHAPES * HIDDEN, 1, POLICY_ROW_ONE);
        put_int16(to->denied[0], net.denied[law][0], SHAPES * HIDDEN, 1, POLICY_ROW_ONE);
    }
}

static void put_policy(void) {
    Policy *to = &parts.policy;
    put_int16(to->near[0], net.near[0], NEAR_CLASSES * HIDDEN, 1, POLICY_ROW_ONE);
    put_int16(to->around[0], net.around[0], NET_LANES * HIDDEN, 1, POLICY_ONE);
    put_int16(to->position[0], net.position[0], NET_INPUTS * HIDDEN, 1, POLICY_ONE);
    put_int32(to->bias, net.bias, HIDDEN, POLICY_ONE << POLICY_HIDDEN_SHIFT);
    put_int16(to->out, net.out, HIDDEN, 1, MOVE_SCALE * POLICY_OUT_ONE);
    put_int32(&to->scale, &net.scale, 1, POLICY_SCALE_ONE);
}

/* The engine's evaluation with the present network. Valid until the next call. */
static const EvalTable *table_of_network(void) {
    Weights w = table->weights;
    put_shapes();
    put_policy();
    w.policy = &parts.policy;
    for (int color = 0; color < COLORS; color++) w.shapes[color] = &parts.shapes[color % laws];
    return table_of_weights(&w);
}

static void print_yardstick(void) {
    const EvalTable *t = table_of_network();
    const int count = measured.yardstick.count;
    for (int i = 0; i < count; i++) {
        const Measure *m = &measured.yardstick.at[i];
        Judged *v = &measured.judged[i];
        play_measure(m);
        stack.steps = 0;
        *v = (Judged){.rule = m->rule};
        judge_moves(t, measured.position, &stack, cell_at(m->best.x, m->best.y), v);
    }
    printf("    yardstick %d", count);
    judged_print_order(measured.judged, count, -1);
    printf("\n");
}

#endif
