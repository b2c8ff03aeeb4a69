/* form.h - what the state of a fit (state.h) holds. */
#ifndef POLICY_FORM_H
#define POLICY_FORM_H

#include "../fitting/state.h"
#include "net.h"

/* Without the bytes after the last field, which have no value. */
static u32 checksum_of_samples(u32 sum, const Samples *of) {
    for (size_t i = 0; i < of->count; i++)
        sum = crc32_of(sum, &of->sample[i], offsetof(Sample, in) + sizeof of->sample->in);
    return sum;
}

/* Call it before the positions are shuffled. */
static inline u32 checksum_of_games(const Samples *learned, const Samples *validation) {
    const size_t bytes = offsetof(Candidate, near) + sizeof candidates.at->near;
    u32 sum = checksum_of_samples(checksum_of_samples(0, learned), validation);
    for (size_t i = 0; i < candidates.count; i++) sum = crc32_of(sum, &candidates.at[i], bytes);
    return sum;
}

/* Call it before the first step. */
static inline u32 checksum_of_start(void) {
    return crc32_of(0, &net, sizeof net);
}

/* Increase the version if a fit from the same input learns other numbers. */
static inline StateForm state_form(void) {
    return (StateForm){
        .magic = "TGPOL\r\n\n",
        .version = 3,
        .shape = {HIDDEN, SHAPES, NEAR_CLASSES, NET_LANES, NET_INPUTS, PARAMETERS, BATCH},
        .setting = {{"EPOCHS", (u32)command.epochs}, {"--rate", bits_of(command.rate)}},
        .weights = table->weights.checksum,
        .block = {{&net, sizeof net}, {moments, sizeof moments}}};
}

#endif
