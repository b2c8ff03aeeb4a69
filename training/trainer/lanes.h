/* lanes.h - eight floats at once. The compiler uses smaller vectors if the processor has no vectors
 * of this width; the sums are the same.
 */
#ifndef TRAINER_LANES_H
#define TRAINER_LANES_H

#include "base/base.h"

/* All functions are inlined, so the calling convention for vectors does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LANES = 8 };
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t LaneMask __attribute__((vector_size(32), aligned(4), may_alias));

static ALWAYS_INLINE Lanes lanes_of(float v) {
    return (Lanes){v, v, v, v, v, v, v, v};
}

/* All lanes of the mask are 0 or -1. */
static ALWAYS_INLINE Lanes lanes_where(LaneMask m, Lanes v) {
    return (Lanes)(m & (LaneMask)v);
}

static ALWAYS_INLINE Lanes lanes_relu(Lanes v) {
    return lanes_where(v > lanes_of(0), v);
}

static ALWAYS_INLINE Lanes lanes_min(Lanes v, float most) {
    const LaneMask high = v > lanes_of(most);
    return (Lanes)((high & (LaneMask)lanes_of(most)) | (~high & (LaneMask)v));
}

static ALWAYS_INLINE Lanes lanes_bounded(Lanes v, float most) {
    return -lanes_min(-lanes_min(v, most), most);
}

static ALWAYS_INLINE float lanes_sum(Lanes v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static ALWAYS_INLINE const Lanes *lanes_in(const float *at) {
    return (const Lanes *)at;
}

static ALWAYS_INLINE Lanes *lanes_at(float *at) {
    return (Lanes *)at;
}

/* count: a multiple of LANES. */
static ALWAYS_INLINE void add_numbers(float *to, const float *from, int count) {
    for (int i = 0; i < count; i += LANES) *lanes_at(to + i) += *lanes_in(from + i);
}

#endif
