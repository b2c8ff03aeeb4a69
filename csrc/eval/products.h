/* products.h - sums of products for small networks, as many at once as the processor can. */
#ifndef EVAL_PRODUCTS_H
#define EVAL_PRODUCTS_H

#include <string.h>

#include "base/base.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* So many numbers the processor handles at once. */
#ifdef __AVX2__
enum { NET_PART = 16 };
#else
enum { NET_PART = 8 };
#endif
typedef int16_t NetPart __attribute__((vector_size(2 * NET_PART), aligned(2), may_alias));
typedef int32_t NetWide __attribute__((vector_size(2 * NET_PART), aligned(4), may_alias));
typedef uint32_t NetBits __attribute__((vector_size(2 * NET_PART), aligned(4), may_alias));
enum { NET_WIDE = NET_PART / 2 };

/* Products of neighbours, added two by two: one instruction that gcc does not find. */
static ALWAYS_INLINE NetWide add_products(NetPart a, NetPart b) {
#if defined(__AVX2__)
    return (NetWide)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (NetWide)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    /* of each pair the one half, then the other: a form that vectors of any processor can do */
    const NetWide x = (NetWide)a, y = (NetWide)b;
    const NetWide low_x = (NetWide)((NetBits)x << 16) >> 16;
    const NetWide low_y = (NetWide)((NetBits)y << 16) >> 16;
    return low_x * low_y + (x >> 16) * (y >> 16);
#endif
}

/* The same two inputs for every sum. */
static ALWAYS_INLINE NetPart spread(const int16_t pair[2]) {
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return (NetPart)((NetWide){0} + both);
}

/* Adds the products of `pairs` pairs of inputs and their weights to `parts` vectors of sums. The
 * weights lie by pairs of inputs: both of the first sum, both of the second, and so on. */
static ALWAYS_INLINE void add_inputs(NetWide *sum, int parts, const int16_t *in, int pairs,
                                     const int16_t *weight, int stride) {
    for (int i = 0; i < pairs; i++) {
        const NetPart pair = spread(&in[2 * i]);
        const NetPart *row = (const NetPart *)&weight[(size_t)i * (size_t)stride];
        for (int k = 0; k < parts; k++) sum[k] += add_products(pair, row[k]);
    }
}

#endif
