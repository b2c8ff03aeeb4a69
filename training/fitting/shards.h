/* shards.h - the parts of a batch. Each has a gradient of its own, and the gradients are added in a
 * fixed order. So the result does not depend on the number of threads.
 */
#ifndef FITTING_SHARDS_H
#define FITTING_SHARDS_H

#include <stdbool.h>

#include "base/platform.h"

enum { SHARDS = 2 };

/* Calls `work` with each of the shards, which lie side by side, `size` bytes each. */
static inline void run_shards(int threads, void *(*work)(void *), void *shards, size_t size) {
    enum { STACK = 1 << 22 }; /* the thread's own variables take a part of it */
    Thread thread[SHARDS];
    bool is_apart[SHARDS];
    char *at = shards;
    for (int i = 0; i < SHARDS; i++)
        is_apart[i] = i + 1 < SHARDS && i + 1 < threads &&
                      platform_thread_start(&thread[i], STACK, work, at + (size_t)i * size);
    for (int i = 0; i < SHARDS; i++)
        if (!is_apart[i]) work(at + (size_t)i * size);
    for (int i = 0; i < SHARDS; i++)
        if (is_apart[i]) platform_thread_join(thread[i]);
}

/* Adds the gradients of all shards to that of the first, and clears the others: `count` numbers
 * from each of `at`. */
static inline void add_shards(float *const at[SHARDS], int count) {
    for (int shard = 1; shard < SHARDS; shard++)
        for (int i = 0; i < count; i++) {
            at[0][i] += at[shard][i];
            at[shard][i] = 0;
        }
}

#endif
