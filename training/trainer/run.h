/* run.h - the fit from start to end.
 */
#ifndef TRAINER_RUN_H
#define TRAINER_RUN_H

#include <signal.h>
#include <time.h>

#include "measure.h"
#include "state.h"
#include "write.h"

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number) {
    (void)signal_number;
    is_stopped = 1;
}

typedef struct {
    Fit fit;
    Batch batch;
    Measures measures;
    float *whole, *sums;
    u64 batches; /* of an epoch */
    time_t saved;
} Run;

static u64 all_steps(const Run *r) {
    return r->batches * (u64)options.fit.epochs;
}

static void save(Run *r) {
    state_write(&r->fit, options.state);
    r->saved = time(NULL);
}

static void save_if_due(Run *r) {
    if (time(NULL) - r->saved >= 60 * options.save_minutes) save(r);
}

/* One batch of an epoch's positions. */
static void run_batch(Run *r, const Place *at) {
    fill_whole(r->whole, r->fit.v);
    const size_t count = (size_t)options.fit.batch;
    const Shard *sum = batch_run(&r->batch, r->whole, at, count, NULL);
    r->fit.loss += sum->loss / (double)count;
    fit_step(&r->fit, sum->gradient, r->sums, all_steps(r));
}

static void end_epoch(Run *r, u64 epoch, double seconds, u64 steps) {
    printf("epoch %llu: loss %.4f, ", (unsigned long long)epoch + 1,
           r->fit.loss / (double)r->batches);
    measures_print(&r->measures, &r->fit, &r->batch);
    if (seconds > 0)
        printf("    %.0f positions/s\n", (double)(steps * (u64)options.fit.batch) / seconds);
    fflush(stdout);
    r->fit.loss = 0;
}

/* Runs an epoch from the current state of the fit; false: it was stopped. */
static bool run_epoch(Run *r) {
    const u64 epoch = r->fit.steps / r->batches, first = r->fit.steps % r->batches;
    const time_t begin = time(NULL);
    Places places = places_of((int)epoch);
    u64 i = first;
    for (; i < r->batches && !is_stopped; i++) {
        run_batch(r, places.at + i * (size_t)options.fit.batch);
        if (i + 1 < r->batches) save_if_due(r);
    }
    free(places.at);
    if (i < r->batches) return false;
    end_epoch(r, epoch, difftime(time(NULL), begin), i - first);
    return true;
}

static void run_init(Run *r) {
    Places places;
    collection_read();
    architecture_init((Rule)collection.table->weights.rule);
    places = places_of(0);
    free(places.at);
    r->batches = places.count / (size_t)options.fit.batch;
    if (!r->batches) fail("the files", "have fewer positions than one batch needs");
    fit_init(&r->fit);
    batch_init(&r->batch);
    measures_init(&r->measures);
    r->whole = new_vector();
    r->sums = new_vector();
    r->saved = time(NULL);
    printf("%zu games; %zu positions an epoch, %zu for validation; %zu numbers\n", collection.games,
           places.count, r->measures.places.count, parameters);
    if (state_read(&r->fit, options.state))
        printf("continued after step %llu of %llu\n", (unsigned long long)r->fit.steps,
               (unsigned long long)all_steps(r));
    fflush(stdout);
}

/* Writes the results after all epochs. */
static void finish(Run *r) {
    fill_whole(r->whole, r->fit.average);
    if (options.each) {
        batch_run(&r->batch, r->whole, r->measures.places.at, r->measures.places.count,
                  r->measures.each);
        write_each(&r->measures, options.each);
    }
    if (options.out) write_network(r->whole, options.out);
}

static int run_trainer(int argc, char **argv) {
    static Run run;
    read_arguments(argc, argv);
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    run_init(&run);
    while (run.fit.steps < all_steps(&run)) {
        const bool done = run_epoch(&run);
        save(&run);
        if (done) continue;
        printf("stopped after step %llu; the same command continues\n",
               (unsigned long long)run.fit.steps);
        return 0;
    }
    finish(&run);
    return 0;
}

#endif
