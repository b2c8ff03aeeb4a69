#include "shape/takes.h"

#include <string.h>

#include "shape/line_key.h"

static const u64 LOW_BITS = 0x5555555555555555;

void takes_init(Takes *t) {
    memset(t, 0, sizeof *t);
}

/* A line's squares by what stands on them, both colours at once: of a square's two bits the lower
 * one is as Black sees it. A word has five squares of edge before its line and as many behind it,
 * which are in none of the sets: nothing runs over. */
typedef struct {
    u64 own, prey, empty;
} LineSets;

static inline LineSets sets_of(u64 word) {
    const u64 low = word & LOW_BITS, high = word >> 1 & LOW_BITS;
    const u64 black = low & ~high, white = high & ~low, empty = LOW_BITS & ~(low | high);
    return (LineSets){black | white << 1, white | black << 1, empty | empty << 1};
}

/* Empty squares next to exactly two of the prey with a square of `end` behind them. */
static inline u64 before_pairs(LineSets s, u64 end) {
    return s.empty &
           ((s.prey >> 2 & s.prey >> 4 & end >> 6) | (s.prey << 2 & s.prey << 4 & end << 6));
}

/* Empty squares next to one own stone, with the prey on one side of the two and nothing on the
 * other. */
static inline u64 in_danger(LineSets s) {
    const u64 up = s.own >> 2 & ((s.prey >> 4 & s.empty << 2) | (s.empty >> 4 & s.prey << 2));
    const u64 down = s.own << 2 & ((s.prey << 4 & s.empty >> 2) | (s.empty << 4 & s.prey >> 2));
    return s.empty & (up | down);
}

static ALWAYS_INLINE void flip(Takes *t, Color color, Cell c, TakeKind kind, bool in) {
    const bool had = takes_lines(t, color, c, TAKE) > 0;
    const u32 one = 1u << (TAKE_BITS * kind + 16 * color);
    t->lines[c] += in ? one : 0 - one;
    t->total[color][kind] = (u16)(t->total[color][kind] + (in ? 1 : -1));
    if (kind != TAKE || had == (takes_lines(t, color, c, TAKE) > 0)) return;
    bb_flip(&t->set[color], c);
    t->count[color] = (u16)(t->count[color] + (in ? 1 : -1));
}

/* Where a line lies: its number, and a square of it with its position and the way to the next. */
typedef struct {
    int line, at, step;
    Cell cell;
} Place;

static ALWAYS_INLINE void replace(Takes *t, const Place *place, TakeKind kind, u64 now) {
    u64 *along = &t->along[place->line][kind];
    for (u64 changed = *along ^ now; changed; changed &= changed - 1) {
        const int bit = __builtin_ctzll(changed);
        const Cell c = (Cell)(place->cell + (bit / 2 - PAD - place->at) * place->step);
        flip(t, (Color)(bit & 1), c, kind, now >> bit & 1);
    }
    *along = now;
}

/* First all four lines, in a loop without a branch that compilers make vectors of; then what
 * differs. */
void takes_update(Takes *t, const Pattern *p, Cell c) {
    u64 now[TAKE_KINDS][DIRECTIONS];
    const int line[DIRECTIONS] = {line_index(c, 0), line_index(c, 1), line_index(c, 2),
                                  line_index(c, 3)};
    u64 word[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) word[d] = p->line[line[d]];
    for (int d = 0; d < DIRECTIONS; d++) {
        const LineSets s = sets_of(word[d]);
        now[TAKE][d] = before_pairs(s, s.own);
        now[BRACKET][d] = before_pairs(s, s.empty);
        now[DANGER][d] = in_danger(s);
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        const u64 *along = t->along[line[d]];
        const u64 differs = (along[TAKE] ^ now[TAKE][d]) | (along[BRACKET] ^ now[BRACKET][d]) |
                            (along[DANGER] ^ now[DANGER][d]);
        if (!differs) continue;
        const Place place = {line[d], line_position(c, d), DIR_STEP[d], c};
        replace(t, &place, TAKE, now[TAKE][d]);
        replace(t, &place, BRACKET, now[BRACKET][d]);
        replace(t, &place, DANGER, now[DANGER][d]);
    }
}

/* A pair of the other colour and then an own stone, three squares outwards: the key of a side
 * with the nearest square lowest, and highest. */
static const u32 BRACKET_AHEAD[COLORS] = {2 | 2 << 2 | 1 << 4, 1 | 1 << 2 | 2 << 4};
static const u32 BRACKET_BEHIND[COLORS] = {1 | 2 << 2 | 2 << 4, 2 | 1 << 2 | 1 << 4};

static ALWAYS_INLINE int take_along(const Pattern *p, Color color, Cell c, int direction, int step,
                                    Cell *out) {
    const u64 line = p->line[line_index(c, direction)];
    const int at = line_position(c, direction);
    int n = 0;
    if (line_key_ahead(line, at, 3) == BRACKET_AHEAD[color]) {
        out[n++] = (Cell)(c + step);
        out[n++] = (Cell)(c + 2 * step);
    }
    if (line_key_behind(line, at, 3) == BRACKET_BEHIND[color]) {
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
    const u64 line = p->line[line_index(c, direction)];
    const u32 near = (u32)(line >> (2 * (line_position(c, direction) + PAD - 2)));
    const u32 pair_ahead = near & (BEHIND_1 | AHEAD_1 | AHEAD_2);
    if (pair_ahead == (theirs << 2 | own << 6) || pair_ahead == (own << 6 | theirs << 8))
        return true;
    const u32 pair_behind = near & (BEHIND_2 | BEHIND_1 | AHEAD_1);
    return pair_behind == (theirs | own << 2) || pair_behind == (own << 2 | theirs << 6);
}
