/* fit.h - the fit: Adam on batches of positions, with a cosine rate. */
#ifndef POLICY_FIT_H
#define POLICY_FIT_H

#include "../fitting/epochs.h"
#include "form.h"
#include "measure.h"
#include "pass.h"

static void step(int number, float rate) {
    float *w = (float *)&net, *g[SHARDS];
    const float by = adam_rate(number, rate);
    for (int i = 0; i < SHARDS; i++) g[i] = (float *)&gradients[i];
    add_shards(g, PARAMETERS);
    for (int i = 0; i < PARAMETERS; i++) w[i] -= adam_move(&moments[i], &g[0][i], by);
    bound_all();
}

/* A part of a batch, and the sum of its losses. */
typedef struct {
    const Sample *at;
    Net *gradient;
    double loss;
} Shard;

static void *learn(void *shard) {
    static _Thread_local Pass pass;
    Shard *of = shard;
    bool first;
    gradient = of->gradient;
    of->loss = 0;
    for (int i = 0; i < BATCH / SHARDS; i++) {
        of->loss += forward(&of->at[i], &pass, &first);
        backward(&of->at[i], &pass);
    }
    return NULL;
}

static double learn_step(const void *learned, u64 batch, int number, float rate) {
    const Samples *from = learned;
    const Sample *at = &from->sample[batch * BATCH];
    Shard shard[SHARDS];
    double loss = 0;
    for (int i = 0; i < SHARDS; i++)
        shard[i] = (Shard){at + i * (BATCH / SHARDS), &gradients[i], 0};
    run_shards(command.threads, learn, shard, sizeof *shard);
    for (int i = 0; i < SHARDS; i++) loss += shard[i].loss;
    step(number, rate);
    return loss;
}

static void print_validation(const Samples *validation) {
    static Pass pass;
    double sum = 0;
    int right = 0;
    for (size_t i = 0; i < validation->count; i++) {
        bool first;
        sum += forward(&validation->sample[i], &pass, &first);
        right += first;
    }
    const double count = validation->count ? (double)validation->count : 1;
    printf("validation %.4f, first in %.3f\n", sum / count, right / count);
}

/* An epoch that ended before the interruption is only shuffled. The last of them also prints its
 * figures again, because the fit may have been stopped before it printed them. */
static void fit_epoch(Samples *learned, const Samples *validation, int epoch) {
    const size_t batches = learned->count / BATCH;
    shuffle(learned->sample, learned->count, sizeof *learned->sample);
    if (is_epoch_over(batches, epoch)) return;
    const double speed = run_epoch(learned, batches, epoch, learn_step) * BATCH;
    printf("  epoch %d: loss %.4f, ", epoch, progress.loss / (double)(batches * BATCH));
    print_validation(validation);
    if (command.yardstick) print_yardstick();
    if (speed > 0) printf("    %.0f positions/s\n", speed);
    fflush(stdout);
}

static inline void fit(Samples *learned, const Samples *validation) {
    net.scale = 1;
    printf(PROGRAM ": %zu positions, %zu for validation; without it ", learned->count,
           validation->count);
    print_validation(validation);
    start_rows(learned);
    fill_random(net.around[0], NET_LANES * HIDDEN, 2 / sqrtf(2 * NET_LANES));
    fill_random(net.out, HIDDEN, 0.2f);
    checksum.start = checksum_of_start();
    resume(learned->count / BATCH);
    fflush(stdout);
    for (int epoch = 1; epoch <= command.epochs; epoch++) fit_epoch(learned, validation, epoch);
}

#endif
