/* whole.h - a network in the whole numbers of the library, in memory. */
#ifndef FITTING_WHOLE_H
#define FITTING_WHOLE_H

#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "eval/evaluate.h"
#include "program.h"

/* Puts numbers in units of 1/one. */
static inline void put_int8(int8_t *to, const float *from, size_t count, int one) {
    for (size_t i = 0; i < count; i++) to[i] = (int8_t)lrintf(from[i] * (float)one);
}

/* stride: between the numbers of `from`. */
static inline void put_int16(int16_t *to, const float *from, int count, int stride, int one) {
    for (int i = 0; i < count; i++) to[i] = (int16_t)lrintf(from[i * stride] * (float)one);
}

static inline void put_int32(int32_t *to, const float *from, int count, int one) {
    for (int i = 0; i < count; i++) to[i] = (int32_t)lrintf(from[i] * (float)one);
}

/* The engine's evaluation with these weights. Valid until the next call. */
static inline const EvalTable *table_of_weights(const Weights *w) {
    static EvalTable *t;
    if (!t) t = platform_alloc(sizeof *t);
    if (!t) fail("the yardstick", "needs more memory");
    memset(t, 0, sizeof *t);
    eval_table_init(t, w);
    return t;
}

#endif
