/* measure.h - judges the network by the yardstick (yardstick.h), as judge.c judges a file.
 */
#ifndef NETWORK_MEASURE_H
#define NETWORK_MEASURE_H

#include "../judged.h"
#include "../yardstick.h"
#include "parts.h"

/* The positions of the games' rule. */
static struct {
    Yardstick yardstick;
    Judged *judged;
    Position *position;
} measured;

/* False if the position cannot be played. */
static bool play_measure(const Measure *m) {
    Position *p = measured.position;
    position_init(p, (Rule)m->rule, &table->pattern, m->size);
    for (int i = 0; i < m->plies; i++) {
        const Cell c = cell_at(m->move[i].x, m->move[i].y);
        if (p->state != STATE_ONGOING || p->board.stone[c] != EMPTY) return false;
        position_make(p, c);
    }
    return true;
}

/* Ends the program if the file has no position of the rule of the weights. */
static inline void read_yardstick(void) {
    Yardstick *y = &measured.yardstick;
    const int rule = (int)table->weights.rule;
    int count = 0;
    *y = yardstick_read(options.yardstick, -1);
    measured.position = grown(NULL, sizeof *measured.position);
    measured.judged = grown(NULL, ((size_t)y->count + 1) * sizeof *measured.judged);
    for (int i = 0; i < y->count; i++) {
        if (y->at[i].rule != rule) continue;
        if (!play_measure(&y->at[i])) yardstick_fail(y, i, "a position that cannot be played");
        y->at[count++] = y->at[i];
    }
    y->count = count;
    if (!count) fail(options.yardstick, "has no position of the rule of the weights");
}

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
