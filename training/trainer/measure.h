/* measure.h - judges a network by validation games and by the yardstick.
 */
#ifndef TRAINER_MEASURE_H
#define TRAINER_MEASURE_H

#include "../judged.h"
#include "../yardstick.h"
#include "shards.h"
#include "step.h"

typedef struct {
    Places places;
    float *each; /* the loss of each position */
    Yardstick yardstick;
    Judged *judged;
    float *whole;
} Measures;

/* The positions of the yardstick under the games' rule. */
static inline void read_yardstick(Measures *m) {
    const int rule = (int)collection.table->weights.rule;
    int count = 0;
    m->yardstick = yardstick_read(options.yardstick, -1);
    for (int i = 0; i < m->yardstick.count; i++)
        if (m->yardstick.at[i].rule == rule) m->yardstick.at[count++] = m->yardstick.at[i];
    m->yardstick.count = count;
    if (!count) fail(options.yardstick, "has no position of the games' rule");
    m->judged = grown(NULL, (size_t)count * sizeof *m->judged);
}

static inline void measures_init(Measures *m) {
    *m = (Measures){.places = places_of(NO_EPOCH), .whole = new_vector()};
    if (!m->places.count) fail("the files", "have no games for validation");
    m->each = grown(NULL, m->places.count * sizeof *m->each);
    if (options.yardstick) read_yardstick(m);
}

/* The network's score of a position, in the units of the tables. */
static inline int score_of(const Measure *m, const float *whole, Room *r) {
    Position *p = &r->position;
    position_init(p, (Rule)m->rule, &collection.table->pattern, m->size);
    for (int i = 0; i < m->plies; i++) position_make(p, cell_at(m->move[i].x, m->move[i].y));
    sample_init(&r->sample, collection.table, p);
    forward(whole, &r->sample, &r->pass);
    return (int)lrint(value_logit(&r->pass, r->sample.score) * JUDGED_SCALE);
}

static inline void print_yardstick(const Measures *m, Room *r) {
    const int count = m->yardstick.count;
    for (int i = 0; i < count; i++) {
        const Measure *of = &m->yardstick.at[i];
        m->judged[i] =
            (Judged){.rule = of->rule, .score = score_of(of, m->whole, r), .deep = of->score};
    }
    printf("    yardstick %d  ", count);
    judged_print(m->judged, count, -1);
    printf("\n");
}

/* Judges and prints. */
static inline void measures_print(Measures *m, const Fit *f, Batch *b) {
    fill_whole(m->whole, f->average);
    const double count = (double)m->places.count;
    const Shard *sum = batch_run(b, m->whole, m->places.at, m->places.count, m->each);
    printf("validation %.4f (results alone %.4f, tables %.4f)\n", sum->loss / count,
           sum->result / count, sum->tables / count);
    if (m->yardstick.count) print_yardstick(m, b->room[0]);
    fflush(stdout);
}

/* Writes the loss of each validation position. */
static inline void write_each(const Measures *m, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) fail(path, strerror(errno));
    for (size_t i = 0; i < m->places.count; i++) fprintf(f, "%.6f\n", (double)m->each[i]);
    if (fclose(f) != 0) fail(path, "cannot be written whole");
}

#endif
