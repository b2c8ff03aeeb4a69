/* bitboard.h - a set of squares: one bit each, two rows to a word. */
#ifndef BOARD_BITBOARD_H
#define BOARD_BITBOARD_H

#include "base/base.h"

typedef struct {
    u64 w[WORDS];
} Bitboard;

static inline bool bb_has(const Bitboard *b, Cell c) {
    return (b->w[c >> 6] >> (c & 63)) & 1;
}

static inline void bb_flip(Bitboard *b, Cell c) {
    b->w[c >> 6] ^= (u64)1 << (c & 63);
}

static inline void bb_add(Bitboard *b, Cell c) {
    b->w[c >> 6] |= (u64)1 << (c & 63);
}

static inline bool bb_any(const Bitboard *b) {
    u64 all = 0;
    for (int i = 0; i < WORDS; i++) all |= b->w[i];
    return all != 0;
}

static inline int bb_count(const Bitboard *b) {
    int n = 0;
    for (int i = 0; i < WORDS; i++) n += __builtin_popcountll(b->w[i]);
    return n;
}

static inline void bb_or(Bitboard *b, const Bitboard *o) {
    for (int i = 0; i < WORDS; i++) b->w[i] |= o->w[i];
}

static inline void bb_and(Bitboard *b, const Bitboard *o) {
    for (int i = 0; i < WORDS; i++) b->w[i] &= o->w[i];
}

/* The set shifted by `by` squares towards higher numbers; overflow is lost. */
static inline Bitboard bb_up(const Bitboard *b, int by) {
    Bitboard r;
    const int words = by >> 6, bits = by & 63;
    for (int i = WORDS - 1; i >= 0; i--) {
        u64 v = i - words >= 0 ? b->w[i - words] << bits : 0;
        if (bits && i - words - 1 >= 0) v |= b->w[i - words - 1] >> (64 - bits);
        r.w[i] = v;
    }
    return r;
}

/* The set shifted by `by` squares towards lower numbers. */
static inline Bitboard bb_down(const Bitboard *b, int by) {
    Bitboard r;
    const int words = by >> 6, bits = by & 63;
    for (int i = 0; i < WORDS; i++) {
        u64 v = i + words < WORDS ? b->w[i + words] >> bits : 0;
        if (bits && i + words + 1 < WORDS) v |= b->w[i + words + 1] << (64 - bits);
        r.w[i] = v;
    }
    return r;
}

/* The first square of the set, which must not be empty. */
static inline Cell bb_first(const Bitboard *b) {
    int i = 0;
    while (b->w[i] == 0) i++;
    return (Cell)(i * 64 + __builtin_ctzll(b->w[i]));
}

/* for every square `c` of the set `set`, in rising order; the set may change during the loop */
#define BB_FOR_EACH(c, set)                                                                        \
    for (int bb_i_ = 0; bb_i_ < WORDS; bb_i_++)                                                    \
        for (u64 bb_w_ = (set)->w[bb_i_]; bb_w_; bb_w_ &= bb_w_ - 1)                               \
            for (Cell c = (Cell)(bb_i_ * 64 + __builtin_ctzll(bb_w_)), bb_once_ = 1; bb_once_;     \
                 bb_once_ = 0)

#endif
