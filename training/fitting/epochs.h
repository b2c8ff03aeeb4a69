/* epochs.h - the steps of a fit, its beginning and its end: what is saved, and when. */
#ifndef FITTING_EPOCHS_H
#define FITTING_EPOCHS_H

#include "base/platform.h"
#include "command.h"
#include "measured.h"
#include "numbers.h"
#include "state.h"
#include "stop.h"

/* Learns a batch and does step `number` at a rate. Returns the sum of the losses. */
typedef double LearnBatch(const void *learned, u64 batch, int number, float rate);

static inline void save(void) {
    if (!state.path) return;
    state_write();
    is_unsaved = 0;
    if (is_stopped) end_stopped();
}

static inline bool is_save_due(int64_t *last_us) {
    const int64_t now = platform_now_us();
    if ((float)(now - *last_us) < command.save_minutes * 60e6f) return false;
    *last_us = now;
    return true;
}

/* Whether the epoch and a step of the next one were done before the interruption. */
static inline bool is_epoch_over(u64 batches, int epoch) {
    return progress.steps > batches * (u64)epoch;
}

/* The steps of the whole fit. batches: of an epoch. */
static inline u64 all_steps(u64 batches) {
    return batches * (u64)command.epochs;
}

/* Does the steps of an epoch that are not done yet. Returns the batches a second; 0: no steps. */
static inline double run_epoch(const void *learned, u64 batches, int epoch, LearnBatch *learn) {
    const u64 done = progress.steps - batches * (u64)(epoch - 1);
    const int64_t begin = platform_now_us();
    int64_t saved = begin;
    if (done == batches) return 0;
    if (done == 0) progress.loss = 0;
    for (u64 i = done; i < batches; i++) {
        is_unsaved = 1;
        const int number = (int)progress.steps + 1;
        const float rate = rate_of(number, (int)all_steps(batches), command.rate);
        progress.loss += learn(learned, i, number, rate);
        progress.steps++;
        if (is_stopped || is_save_due(&saved)) save();
    }
    const double seconds = (double)(platform_now_us() - begin) / 1e6;
    save();
    return (double)(batches - done) / seconds;
}

/* Continues from the state file, if there is one. Returns whether it did. */
static inline bool resume(u64 batches) {
    if (!state_continue()) return false;
    printf("  continued after step %llu of %llu\n", (unsigned long long)progress.steps,
           (unsigned long long)all_steps(batches));
    return true;
}

/* Does what comes before the games: locks and reads the state, checks OUT, and reads the yardstick.
 * Ends the program at a fault. t: of the weights. */
static inline void prepare(const StateForm *form, const EvalTable *t) {
    if (command.state) state_begin(command.state, form);
    if (!newfile_can_replace(command.out)) fail_write(command.out); /* not after hours of work */
    if (command.yardstick) read_yardstick(command.yardstick, t);
}

/* Ends the program if the positions are too few for a fit. Says so if none is for validation. */
static inline void need_batch(size_t learned, size_t validation, int batch) {
    if (validation == 0)
        fprintf(stderr, PROGRAM ": no position is for validation: its losses are printed as 0\n");
    if (learned >= (size_t)batch) return;
    fprintf(stderr, PROGRAM ": %zu positions, not even the %d of one step\n", learned, batch);
    exit(1);
}

/* Writes OUT and returns the exit status. Ends the program if the file cannot be written, or if a
 * signal came in the meantime. write_file returns false, with errno, on failure. */
static inline int write_result(bool (*write_file)(const char *path)) {
    is_unsaved = 1; /* a signal must not cut the network short */
    if (!write_file(command.out)) fail_write(command.out);
    fflush(stdout);
    if (is_stopped) end_stopped();
    return 0;
}

#endif
