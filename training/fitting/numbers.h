/* numbers.h - shared by both fits: random numbers and order, Adam's step, output of whole numbers.
 */
#ifndef FITTING_NUMBERS_H
#define FITTING_NUMBERS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

static inline void *grown(void *block, size_t size) {
    void *new = realloc(block, size);
    if (!new) {
        fprintf(stderr, "no memory for the positions\n");
        exit(1);
    }
    return new;
}

static inline float bounded(float v, float most) {
    return v > most ? most : v < -most ? -most : v;
}

static u64 random_state = 88172645463325252u;

static inline u64 next_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* 0 <= x < 1 */
static inline float next_random(void) {
    return (float)(next_bits() >> 40) / (1 << 24);
}

static inline void fill_random(float *at, size_t count, float most) {
    for (size_t i = 0; i < count; i++) at[i] = (2 * next_random() - 1) * most;
}

/* A number below `count`, which is below 2^32. */
static inline size_t random_below(size_t count) {
    return (next_bits() >> 32) * count >> 32;
}

static inline void swap_bytes(u8 *a, u8 *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const u8 other = a[i];
        a[i] = b[i];
        b[i] = other;
    }
}

/* Puts `count` items of `size` bytes each in random order. */
static inline void shuffle(void *items, size_t count, size_t size) {
    u8 *at = items;
    for (size_t i = count; i > 1; i--)
        swap_bytes(at + (i - 1) * size, at + random_below(i) * size, size);
}

/* The rate of a step: a short linear rise, then a cosine that falls to 0. */
static inline float rate_of(int number, int steps, float most) {
    static const float WARM_UP = 0.02f, PI = 3.14159265f;
    const float done = (float)number / (float)steps;
    return most * (done < WARM_UP ? done / WARM_UP : (1 + cosf(PI * done)) / 2);
}

/* Adam's means for one parameter. */
typedef struct {
    float mean, spread;
} Moments;

/* The step size of step `number` at that rate, before the means apply. */
static inline float adam_rate(int number, float rate) {
    const float first = 1 - powf(0.9f, (float)number), second = 1 - powf(0.999f, (float)number);
    return rate * sqrtf(second) / first;
}

/* The change of one parameter by its gradient, which is then set to 0. */
static inline float adam_move(Moments *m, float *gradient, float rate) {
    m->mean = 0.9f * m->mean + 0.1f * *gradient;
    m->spread = 0.999f * m->spread + 0.001f * *gradient * *gradient;
    *gradient = 0;
    return rate * m->mean / (sqrtf(m->spread) + 1e-8f);
}

static inline void write_row(FILE *f, const char *name, const float *at, int count, int stride,
                             int one) {
    fprintf(f, "%s[", name);
    for (int i = 0; i < count; i++)
        fprintf(f, "%s%ld", i ? "," : "", lrintf(at[i * stride] * (float)one));
    fprintf(f, "]");
}

#endif
