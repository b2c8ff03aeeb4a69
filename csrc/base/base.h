/* base.h - bounds, small types and ASSERT. Every file includes it; it includes only tengen.h.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/tengen.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* A square is y * STRIDE + x. The stride is a power of two on every board size: a row of a bit set
 * is half a word, and coordinates are a shift and a mask. */
/* layout: begin */
enum {
    MIN_SIZE = TG_MIN_SIZE,
    MAX_SIZE = TG_MAX_SIZE,
    STRIDE = 32,
    CELLS = MAX_SIZE * STRIDE,
    WORDS = CELLS / 64,
    MAX_SQUARES = MAX_SIZE * MAX_SIZE,
    DIRECTIONS = 4,
    COLORS = 2,
    WIN_PAIRS = TG_WIN_PAIRS,
    WIN_STONES = TG_WIN_STONES, /* for rules that count captured stones */
    MAX_CAPTURED = TG_MAX_CAPTURED,
    MAX_PAIRS = WIN_PAIRS - 1 + 8, /* the highest count of pairs, with eight by the last move */
    MAX_CAPTURES = WIN_STONES - 1 + MAX_CAPTURED, /* the same for stones */
    /* Every ply fills a square, and a capture frees as many as it takes. The sides take one stone
     * less than wins, and the last move takes more. The reserve is for games that continue after
     * their end. */
    MAX_FREED = 2 * (WIN_STONES - 1) + MAX_CAPTURED,
    MAX_GAME_PLIES = MAX_SQUARES + MAX_FREED + 64
};
/* layout: end */

/* For the few loops that are compiled once for each constant argument. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef int16_t Cell;
enum { NO_CELL = -1 };

/* The content of a square. The first two are colours and index arrays. */
typedef enum { BLACK = 0, WHITE = 1, EMPTY = 2, NEUTRAL = 3, OFF_BOARD = 4 } Stone;
typedef Stone Color; /* BLACK or WHITE only */

/* layout: begin */
typedef enum {
    RULE_FREESTYLE = TG_RULE_FREESTYLE,
    RULE_STANDARD = TG_RULE_STANDARD,
    RULE_RENJU = TG_RULE_RENJU,
    RULE_CARO = TG_RULE_CARO,
    RULE_CARO_STANDARD = TG_RULE_CARO_STANDARD,
    RULE_NINUKI = TG_RULE_NINUKI,
    RULE_PENTE = TG_RULE_PENTE,
    RULE_KERYO = TG_RULE_KERYO
} Rule;
/* layout: end */

/* For tables with one entry for each rule. */
#define FOR_EACH_RULE(ROW)                                                                         \
    ROW(FREESTYLE)                                                                                 \
    ROW(STANDARD) ROW(RENJU) ROW(CARO) ROW(CARO_STANDARD) ROW(NINUKI) ROW(PENTE) ROW(KERYO)

enum {
#define ONE_MORE(name) +1
    RULE_COUNT = 0 FOR_EACH_RULE(ONE_MORE)
#undef ONE_MORE
};

/* Whether a number is one of Rule's. */
static inline bool is_rule(int64_t number) {
#define SAME(name) || number == RULE_##name
    return false FOR_EACH_RULE(SAME);
#undef SAME
}

static inline Color other(Color c) {
    return (Color)(c ^ 1);
}

static inline Cell cell_at(int x, int y) {
    return (Cell)(y * STRIDE + x);
}

static inline int cell_x(Cell c) {
    return c & (STRIDE - 1);
}

static inline int cell_y(Cell c) {
    return c / STRIDE;
}

/* The four directions: along the row, down the column, down right, up right. */
static const int DIR_DX[DIRECTIONS] = {1, 0, 1, 1};
static const int DIR_DY[DIRECTIONS] = {0, 1, 1, -1};

/* ASSERT is for programming errors; other errors get a status code. */
#ifdef NDEBUG
#define ASSERT(condition) ((void)0)
#else
#include <stdio.h>
#include <stdlib.h>
#define ASSERT(condition)                                                                          \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (fprintf(stderr, "%s:%d: ASSERT(%s)\n", __FILE__, __LINE__, #condition), abort()))
#endif

#endif
