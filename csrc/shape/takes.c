#include "shape/takes.h"

#include <string.h>

#include "shape/words.h"

static const u64 LOW_BITS = 0x5555555555555555;

void takes_init(Takes *t) {
    memset(t, 0, sizeof *t);
}

/* The empty squares next to exactly two stones of `prey` that end at one of `own`. A word has five
 * squares of edge before its line and as many behind it, so nothing runs over. */
static inline u64 brackets(u64 own, u64 prey, u64 empty) {
    return empty & ((prey >> 2 & prey >> 4 & own >> 6) | (prey << 2 & prey << 4 & own << 6));
}

static void flip(Takes *t, Color color, Cell c, bool in) {
    u8 *lines = &t->lines[color][c];
    const bool had = *lines > 0;
    *lines = (u8)(*lines + (in ? 1 : -1));
    if (had == (*lines > 0)) return;
    bb_flip(&t->set[color], c);
    t->count[color] = (u16)(t->count[color] + (in ? 1 : -1));
}

static void replace(Takes *t, Color color, int line, u64 now, Cell c, int at, int step) {
    u64 *along = &t->along[color][line];
    for (u64 changed = *along ^ now; changed; changed &= changed - 1) {
        const int position = __builtin_ctzll(changed) / 2 - PAD;
        flip(t, color, (Cell)(c + (position - at) * step), now & changed & (0 - changed));
    }
    *along = now;
}

void takes_update(Takes *t, const Pattern *p, Cell c) {
    for (int d = 0; d < DIRECTIONS; d++) {
        const int line = line_of(c, d), at = position_of(c, d);
        const u64 word = p->line[line];
        const u64 low = word & LOW_BITS, high = word >> 1 & LOW_BITS;
        const u64 black = low & ~high, white = high & ~low, empty = LOW_BITS & ~(low | high);
        const u64 by_black = brackets(black, white, empty),
                  by_white = brackets(white, black, empty);
        if (by_black != t->along[BLACK][line])
            replace(t, BLACK, line, by_black, c, at, DIR_STEP[d]);
        if (by_white != t->along[WHITE][line])
            replace(t, WHITE, line, by_white, c, at, DIR_STEP[d]);
    }
}

/* A pair of the other colour and then an own stone, three squares outwards: the key of a side
 * with the nearest square lowest, and highest. */
static const u32 BRACKET_AHEAD[COLORS] = {2 | 2 << 2 | 1 << 4, 1 | 1 << 2 | 2 << 4};
static const u32 BRACKET_BEHIND[COLORS] = {1 | 2 << 2 | 2 << 4, 2 | 1 << 2 | 1 << 4};

static ALWAYS_INLINE int take_along(const Pattern *p, Color color, Cell c, int direction, int step,
                                    Cell *out) {
    const u64 line = p->line[line_of(c, direction)];
    const int at = position_of(c, direction);
    int n = 0;
    if (key_ahead(line, at, 3) == BRACKET_AHEAD[color]) {
        out[n++] = (Cell)(c + step);
        out[n++] = (Cell)(c + 2 * step);
    }
    if (key_behind(line, at, 3) == BRACKET_BEHIND[color]) {
        out[n++] = (Cell)(c - step);
        out[n++] = (Cell)(c - 2 * step);
    }
    return n;
}

int takes_stones(const Pattern *p, Color color, Cell c, Cell out[MAX_CAPTURED]) {
    int n = take_along(p, color, c, 0, 1, out);
    n += take_along(p, color, c, 1, STRIDE, out + n);
    n += take_along(p, color, c, 2, STRIDE + 1, out + n);
    n += take_along(p, color, c, 3, 1 - STRIDE, out + n);
    return n;
}
