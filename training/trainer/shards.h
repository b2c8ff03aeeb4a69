/* shards.h - a batch in SHARDS parts, on one or more threads.
 *
 * Each shard sums its own gradient, and the shards are added in order. The sums of floats therefore
 * do not depend on the number of threads.
 */
#ifndef TRAINER_SHARDS_H
#define TRAINER_SHARDS_H

#include "backward.h"
#include "collection.h"

typedef struct {
    double loss, result,
        tables; /* summed: fitted or by label; by the result alone; of the tables */
    float *gradient;
} Shard;

/* The memory of a thread. */
typedef struct {
    Position position;
    Sample sample;
    Pass pass;
    Gradients by;
} Room;

typedef struct {
    const float *whole;
    const Place *at;
    size_t count;
    float *each; /* not NULL: stores the loss of each position, and nothing is learned */
    Shard shard[SHARDS];
    Room *room[SHARDS]; /* by thread */
} Batch;

enum { STACK = 1 << 20 };

typedef struct {
    Batch *batch;
    int number;
} Turn;

static inline void batch_init(Batch *b) {
    memset(b, 0, sizeof *b);
    for (int i = 0; i < SHARDS; i++) b->shard[i].gradient = new_vector();
    for (int i = 0; i < options.threads; i++) {
        b->room[i] = grown(NULL, sizeof *b->room[i]);
        memset(b->room[i], 0, sizeof *b->room[i]);
    }
}

static inline void learn(const Batch *b, Room *r, Shard *to) {
    float by_out[OUTPUTS];
    to->loss += loss_of(&r->pass, &r->sample, by_out);
    for (int i = 0; i < OUTPUTS; i++) by_out[i] /= (float)b->count;
    backward(b->whole, &r->sample, &r->pass, by_out, &r->by, to->gradient);
}

static inline void judge(const Batch *b, const Room *r, size_t number, Shard *to) {
    const Sample *s = &r->sample;
    const double logit = value_logit(&r->pass, s->score);
    const double loss = logit_loss(logit, s->label);
    b->each[number] = (float)loss;
    to->loss += loss;
    to->result += logit_loss(logit, s->won);
    to->tables += logit_loss(s->score, s->label);
}

static inline void run_shard(const Batch *b, Room *r, int shard, Shard *to) {
    const size_t from = b->count * (size_t)shard / SHARDS;
    const size_t end = b->count * (size_t)(shard + 1) / SHARDS;
    float *gradient = to->gradient;
    *to = (Shard){.gradient = gradient};
    if (!b->each) memset(gradient, 0, parameters * sizeof *gradient);
    for (size_t i = from; i < end; i++) {
        sample_load(&r->sample, b->at[i], &r->position);
        forward(b->whole, &r->sample, &r->pass);
        if (b->each)
            judge(b, r, i, to);
        else
            learn(b, r, to);
    }
}

static inline void *run_thread(void *argument) {
    const Turn *t = argument;
    Batch *b = t->batch;
    for (int i = t->number; i < SHARDS; i += options.threads)
        run_shard(b, b->room[t->number], i, &b->shard[i]);
    return NULL;
}

/* Adds all shards to the first. */
static inline const Shard *add_shards(Batch *b) {
    Shard *sum = &b->shard[0];
    for (int i = 1; i < SHARDS; i++) {
        const Shard *s = &b->shard[i];
        sum->loss += s->loss;
        sum->result += s->result;
        sum->tables += s->tables;
        for (size_t k = 0; !b->each && k < parameters; k++) sum->gradient[k] += s->gradient[k];
    }
    return sum;
}

/* Runs the positions; each: as in Batch. */
static inline const Shard *batch_run(Batch *b, const float *whole, const Place *at, size_t count,
                                     float *each) {
    Thread thread[SHARDS];
    Turn argument[SHARDS];
    b->whole = whole;
    b->at = at;
    b->count = count;
    b->each = each;
    for (int i = 0; i < options.threads; i++) argument[i] = (Turn){b, i};
    for (int i = 1; i < options.threads; i++)
        if (!platform_thread_start(&thread[i], STACK, run_thread, &argument[i]))
            fail("a thread", "cannot be started");
    run_thread(&argument[0]);
    for (int i = 1; i < options.threads; i++) platform_thread_join(thread[i]);
    return add_shards(b);
}

#endif
