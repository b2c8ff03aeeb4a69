#include "shape/takes.h"

#include <string.h>

#include "shape/words.h"

static const u64 LOW_BITS = 0x5555555555555555;

void takes_init(Takes *t) {
    memset(t, 0, sizeof *t);
}

/* A line's squares by what stands on them, one bit for each, two apart. A word has five squares of
 * edge before its line and as many behind it, which are in none of the sets: nothing runs over. */
typedef struct {
    u64 own, prey, empty;
} LineSets;

/* Empty squares next to exactly two of `prey` with a square of `end` behind them. */
static inline u64 before_pairs(u64 empty, u64 prey, u64 end) {
    return empty & ((prey >> 2 & prey >> 4 & end >> 6) | (prey << 2 & prey << 4 & end << 6));
}

/* Empty squares next to one own stone, with the prey on one side of the two and nothing on the
 * other. */
static inline u64 in_danger(LineSets s) {
    const u64 up = s.own >> 2 & ((s.prey >> 4 & s.empty << 2) | (s.empty >> 4 & s.prey << 2));
    const u64 down = s.own << 2 & ((s.prey << 4 & s.empty >> 2) | (s.empty << 4 & s.prey >> 2));
    return s.empty & (up | down);
}

static void flip(Takes *t, Color color, Cell c, TakeKind kind, bool in) {
    u16 *lines = &t->lines[color][c];
    const bool had = takes_lines(t, color, c, TAKE) > 0;
    *lines = (u16)(*lines + (in ? 1 : -1) * (1 << (TAKE_BITS * kind)));
    if (had == (takes_lines(t, color, c, TAKE) > 0)) return;
    bb_flip(&t->set[color], c);
    t->count[color] = (u16)(t->count[color] + (in ? 1 : -1));
}

/* Where a line lies: its number, and a square of it with its position and the way to the next. */
typedef struct {
    int line, at, step;
    Cell cell;
} Place;

static __attribute__((noinline)) void replace(Takes *t, const Place *place, Color color,
                                              TakeKind kind, u64 now) {
    u64 *along = &t->along[place->line][color][kind];
    for (u64 changed = *along ^ now; changed; changed &= changed - 1) {
        const int position = __builtin_ctzll(changed) / 2 - PAD;
        const Cell c = (Cell)(place->cell + (position - place->at) * place->step);
        flip(t, color, c, kind, now & changed & (0 - changed));
    }
    *along = now;
}

static ALWAYS_INLINE void refresh(Takes *t, const Place *place, Color color, LineSets s) {
    const u64 *along = t->along[place->line][color];
    const u64 take = before_pairs(s.empty, s.prey, s.own);
    const u64 bracket = before_pairs(s.empty, s.prey, s.empty);
    const u64 danger = in_danger(s);
    if (take != along[TAKE]) replace(t, place, color, TAKE, take);
    if (bracket != along[BRACKET]) replace(t, place, color, BRACKET, bracket);
    if (danger != along[DANGER]) replace(t, place, color, DANGER, danger);
}

void takes_update(Takes *t, const Pattern *p, Cell c) {
    for (int d = 0; d < DIRECTIONS; d++) {
        const Place place = {line_of(c, d), position_of(c, d), DIR_STEP[d], c};
        const u64 word = p->line[place.line];
        const u64 low = word & LOW_BITS, high = word >> 1 & LOW_BITS;
        const u64 black = low & ~high, white = high & ~low, empty = LOW_BITS & ~(low | high);
        refresh(t, &place, BLACK, (LineSets){black, white, empty});
        refresh(t, &place, WHITE, (LineSets){white, black, empty});
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

/* c and two squares on each side of it, the lowest behind. */
enum { BEHIND_2 = 3, BEHIND_1 = 3 << 2, AHEAD_1 = 3 << 6, AHEAD_2 = 3 << 8 };

bool takes_can_take(const Pattern *p, Color color, Cell c, int direction) {
    const u32 own = color + 1u, theirs = other(color) + 1u;
    const u64 line = p->line[line_of(c, direction)];
    const u32 near = (u32)(line >> (2 * (position_of(c, direction) + PAD - 2)));
    const u32 pair_ahead = near & (BEHIND_1 | AHEAD_1 | AHEAD_2);
    if (pair_ahead == (theirs << 2 | own << 6) || pair_ahead == (own << 6 | theirs << 8))
        return true;
    const u32 pair_behind = near & (BEHIND_2 | BEHIND_1 | AHEAD_1);
    return pair_behind == (theirs | own << 2) || pair_behind == (own << 2 | theirs << 6);
}
