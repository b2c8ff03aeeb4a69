/* measure.h - judges the network by the yardstick (yardstick.h), as judge.c judges a file.
 */
#ifndef NETWORK_MEASURE_H
#define NETWORK_MEASURE_H

#include "../fitting/measured.h"
#include "parts.h"

static void print_yardstick(void) {
    const EvalTable *t = table_of_network();
    const int count = measured.yardstick.count;
    for (int i = 0; i < count; i++) {
        const Measure *m = &measured.yardstick.at[i];
        play_measure(m);
        measured.judged[i] = (Judged){
            .rule = m->rule, .score = eval_score(t, measured.position, NULL), .deep = m->score};
    }
    printf("    yardstick %d  ", count);
    judged_print(measured.judged, count, -1);
    printf("\n");
}

#endif
