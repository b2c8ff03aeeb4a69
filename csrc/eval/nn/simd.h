/* simd.h - vectors of integers, as wide as the processor has them, for small networks. */
#ifndef EVAL_NN_SIMD_H
#define EVAL_NN_SIMD_H

#include <string.h>

#include "base/base.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* The number of 16-bit numbers in a vector. */
#ifdef __AVX2__
enum { SIMD_INT16S = 16 };
#else
enum { SIMD_INT16S = 8 };
#endif
typedef int16_t SimdInt16 __attribute__((vector_size(2 * SIMD_INT16S), aligned(2), may_alias));
typedef uint16_t SimdUint16 __attribute__((vector_size(2 * SIMD_INT16S), aligned(2), may_alias));
typedef int32_t SimdInt32 __attribute__((vector_size(2 * SIMD_INT16S), aligned(4), may_alias));
typedef uint32_t SimdUint32 __attribute__((vector_size(2 * SIMD_INT16S), aligned(4), may_alias));
/* Vectors with as many 8-bit numbers as SimdInt16 has, and as many 16-bit numbers as SimdInt32 has.
 */
typedef int8_t SimdInt8 __attribute__((vector_size(SIMD_INT16S), aligned(1), may_alias));
typedef int16_t SimdHalf __attribute__((vector_size(SIMD_INT16S), aligned(2), may_alias));
typedef uint16_t SimdUhalf __attribute__((vector_size(SIMD_INT16S), aligned(2), may_alias));
enum { SIMD_INT32S = SIMD_INT16S / 2 };

static ALWAYS_INLINE SimdInt16 simd_widen(SimdInt8 v) {
#ifdef __AVX2__
    return (SimdInt16)_mm256_cvtepi8_epi16((__m128i)v); /* gcc makes six instructions of it */
#else
    return __builtin_convertvector(v, SimdInt16);
#endif
}

/* Adds a vector to as many sums of 32 bits. Written with vectors, because gcc otherwise extracts
 * the numbers one by one. */
static ALWAYS_INLINE void simd_add_to(int32_t *sum, SimdInt16 v) {
    SimdHalf half[2];
    memcpy(half, &v, sizeof half);
    for (int i = 0; i < 2; i++)
        *(SimdInt32 *)&sum[i * SIMD_INT32S] += __builtin_convertvector(half[i], SimdInt32);
}

/* Adds a vector of numbers without a sign to as many sums of 32 bits. */
static ALWAYS_INLINE void simd_add_unsigned(SimdInt32 sum[2], SimdUint16 v) {
    SimdUhalf half[2];
    memcpy(half, &v, sizeof half);
    for (int i = 0; i < 2; i++) sum[i] += __builtin_convertvector(half[i], SimdInt32);
}

/* Adds a vector of numbers times `factor` to as many sums of 32 bits. */
static ALWAYS_INLINE void simd_add_multiple(SimdInt32 sum[2], SimdInt16 v, int32_t factor) {
    const SimdInt32 factors = (SimdInt32){0} + factor;
    SimdHalf half[2];
    memcpy(half, &v, sizeof half);
    for (int i = 0; i < 2; i++) sum[i] += __builtin_convertvector(half[i], SimdInt32) * factors;
}

/* Two vectors of numbers that fit 16 bits as one. Their order depends on the processor, so use it
 * only where the other operand was packed in the same way. */
static ALWAYS_INLINE SimdInt16 simd_pack(SimdInt32 a, SimdInt32 b) {
#if defined(__AVX2__)
    return (SimdInt16)_mm256_packs_epi32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (SimdInt16)_mm_packs_epi32((__m128i)a, (__m128i)b);
#else
    const SimdHalf half[2] = {__builtin_convertvector(a, SimdHalf),
                              __builtin_convertvector(b, SimdHalf)};
    SimdInt16 both;
    memcpy(&both, half, sizeof both);
    return both;
#endif
}

/* Products of neighbours, added in pairs: one instruction that gcc does not find. */
static ALWAYS_INLINE SimdInt32 simd_multiply_add(SimdInt16 a, SimdInt16 b) {
#if defined(__AVX2__)
    return (SimdInt32)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (SimdInt32)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    /* first one half of each pair, then the other: a form for the vectors of any processor */
    const SimdInt32 x = (SimdInt32)a, y = (SimdInt32)b;
    const SimdInt32 low_x = (SimdInt32)((SimdUint32)x << 16) >> 16;
    const SimdInt32 low_y = (SimdInt32)((SimdUint32)y << 16) >> 16;
    return low_x * low_y + (x >> 16) * (y >> 16);
#endif
}

/* A pair of inputs, repeated over the whole vector. */
static ALWAYS_INLINE SimdInt16 simd_spread_pair(const int16_t pair[2]) {
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return (SimdInt16)((SimdInt32){0} + both);
}

/* Adds the products of `pairs` pairs of inputs and their weights to `parts` vectors of sums. The
 * weights are ordered by pairs of inputs: both of the first sum, both of the second, and so on. */
static ALWAYS_INLINE void simd_add_inputs(SimdInt32 *sum, int parts, const int16_t *in, int pairs,
                                          const int16_t *weight, int stride) {
    for (int i = 0; i < pairs; i++) {
        const SimdInt16 pair = simd_spread_pair(&in[2 * i]);
        const SimdInt16 *row = (const SimdInt16 *)&weight[(size_t)i * (size_t)stride];
        for (int k = 0; k < parts; k++) sum[k] += simd_multiply_add(pair, row[k]);
    }
}

/* Replaces negative numbers by 0. Intrinsics, because not every compiler finds the instruction in a
 * loop over the numbers: with clang 19 such a loop made the search a fifth slower. */
static ALWAYS_INLINE SimdInt16 simd_relu(SimdInt16 v) {
#if defined(__AVX2__)
    return (SimdInt16)_mm256_max_epi16((__m256i)v, _mm256_setzero_si256());
#elif defined(__SSE2__)
    return (SimdInt16)_mm_max_epi16((__m128i)v, _mm_setzero_si128());
#else
    return v & (v > 0);
#endif
}

/* Replaces numbers above `most` by it. */
static ALWAYS_INLINE SimdInt16 simd_at_most(SimdInt16 v, int16_t most) {
#if defined(__AVX2__)
    return (SimdInt16)_mm256_min_epi16((__m256i)v, _mm256_set1_epi16(most));
#elif defined(__SSE2__)
    return (SimdInt16)_mm_min_epi16((__m128i)v, _mm_set1_epi16(most));
#else
    const SimdInt16 top = (SimdInt16){0} + most, below = v < top;
    return (v & below) | (top & ~below);
#endif
}

/* Replaces negative numbers by 0 and numbers above `most` by it. */
static ALWAYS_INLINE SimdInt32 simd_clipped_relu(SimdInt32 v, int32_t most) {
#ifdef __AVX2__
    const __m256i positive = _mm256_max_epi32((__m256i)v, _mm256_setzero_si256());
    return (SimdInt32)_mm256_min_epi32(positive, _mm256_set1_epi32(most));
#else
    const SimdInt32 positive = v & (v > 0), top = (SimdInt32){0} + most, below = positive < top;
    return (positive & below) | (top & ~below);
#endif
}

#endif
