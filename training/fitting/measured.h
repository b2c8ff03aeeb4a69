/* measured.h - the positions of a yardstick (yardstick.h) by which a fit judges its network. */
#ifndef FITTING_MEASURED_H
#define FITTING_MEASURED_H

#include "../judged.h"
#include "../yardstick.h"
#include "eval/evaluate.h"
#include "numbers.h"
#include "program.h"

/* The positions of one rule, and room for their figures. */
static struct {
    Yardstick yardstick;
    Judged *judged;
    Position *position;
    const EvalTable *table;
} measured;

/* False if the position cannot be played. */
static inline bool play_measure(const Measure *m) {
    Position *p = measured.position;
    position_init(p, (Rule)m->rule, &measured.table->pattern, m->size);
    for (int i = 0; i < m->plies; i++) {
        const Cell c = cell_at(m->move[i].x, m->move[i].y);
        if (p->state != STATE_ONGOING || p->board.stone[c] != EMPTY) return false;
        position_make(p, c);
    }
    return true;
}

/* Ends the program if the file has no position of the rule of the weights. */
static inline void read_yardstick(const char *path, const EvalTable *t) {
    Yardstick *y = &measured.yardstick;
    int count = 0;
    *y = yardstick_read(path, -1);
    measured.table = t;
    measured.position = grown(NULL, sizeof *measured.position);
    measured.judged = grown(NULL, ((size_t)y->count + 1) * sizeof *measured.judged);
    for (int i = 0; i < y->count; i++) {
        if (y->at[i].rule != (int)t->weights.rule) continue;
        if (!play_measure(&y->at[i])) yardstick_fail(y, i, "a position that cannot be played");
        y->at[count++] = y->at[i];
    }
    y->count = count;
    if (!count) fail(path, "has no position of the rule of the weights");
}

#endif
