#include "shape/capture_lines.h"

#include <string.h>

#include "shape/line_key.h"

static const u64 LOW_BITS = 0x5555555555555555;

void capture_lines_init(CaptureLines *t, bool triples) {
    memset(t, 0, sizeof *t);
    t->triples = triples;
}

/* The squares of a line by content, for both colours at once: the lower bit of a square is Black's
 * view, the upper bit White's. Five squares of edge on each side of the line are in none of the
 * sets, so shifts need no mask. */
typedef struct {
    u64 own, opponent, empty;
} LineSets;

static inline LineSets sets_of(u64 word) {
    const u64 low = word & LOW_BITS, high = word >> 1 & LOW_BITS;
    const u64 black = low & ~high, white = high & ~low, empty = LOW_BITS & ~(low | high);
    return (LineSets){black | white << 1, white | black << 1, empty | empty << 1};
}

/* Empty squares next to exactly two opponent stones with a square of `end` behind them. */
static inline u64 before_pairs(LineSets s, u64 end) {
    return s.empty & ((s.opponent >> 2 & s.opponent >> 4 & end >> 6) |
                      (s.opponent << 2 & s.opponent << 4 & end << 6));
}

static inline u64 before_triples(LineSets s, u64 end) {
    return s.empty & ((s.opponent >> 2 & s.opponent >> 4 & s.opponent >> 6 & end >> 8) |
                      (s.opponent << 2 & s.opponent << 4 & s.opponent << 6 & end << 8));
}

/* Empty squares next to one own stone, where this pair has an opponent stone at one end and an
 * empty square at the other. */
static inline u64 in_danger(LineSets s) {
    const u64 up =
        s.own >> 2 & ((s.opponent >> 4 & s.empty << 2) | (s.empty >> 4 & s.opponent << 2));
    const u64 down =
        s.own << 2 & ((s.opponent << 4 & s.empty >> 2) | (s.empty << 4 & s.opponent >> 2));
    return s.empty & (up | down);
}

/* The same with two own stones: next to both, or between them. */
static inline u64 in_danger_of_three(LineSets s) {
    const u64 up = s.own >> 2 & s.own >> 4 &
                   ((s.opponent >> 6 & s.empty << 2) | (s.empty >> 6 & s.opponent << 2));
    const u64 down = s.own << 2 & s.own << 4 &
                     ((s.opponent << 6 & s.empty >> 2) | (s.empty << 6 & s.opponent >> 2));
    const u64 between = s.own >> 2 & s.own << 2 &
                        ((s.opponent >> 4 & s.empty << 4) | (s.empty >> 4 & s.opponent << 4));
    return s.empty & (up | down | between);
}

static ALWAYS_INLINE void flip(CaptureLines *t, Color color, Cell c, CaptureKind kind, bool in) {
    const bool had = capture_lines_count(t, color, c, CAPTURE_NOW) > 0;
    const u32 one = 1u << (CAPTURE_KIND_BITS * kind + 16 * color);
    t->lines[c] += in ? one : 0 - one;
    t->total[color][kind] = (u16)(t->total[color][kind] + (in ? 1 : -1));
    if (kind != CAPTURE_NOW || had == (capture_lines_count(t, color, c, CAPTURE_NOW) > 0)) return;
    bb_flip(&t->set[color], c);
    t->count[color] = (u16)(t->count[color] + (in ? 1 : -1));
}

/* A line on the board: its index, one of its squares with its position, and the step to the next
 * square. */
typedef struct {
    int line, at, step;
    Cell cell;
} Place;

static ALWAYS_INLINE void replace(CaptureLines *t, const Place *place, CaptureKind kind, u64 now) {
    u64 *along = &t->along[place->line][kind];
    for (u64 changed = *along ^ now; changed; changed &= changed - 1) {
        const int bit = __builtin_ctzll(changed);
        const Cell c = (Cell)(place->cell + (bit / 2 - PAD - place->at) * place->step);
        flip(t, (Color)(bit & 1), c, kind, now >> bit & 1);
    }
    *along = now;
}

/* The loops over directions have no branches, so compilers vectorise them. The last loop updates
 * the lines that have changed. */
void capture_lines_update(CaptureLines *t, const Pattern *p, Cell c) {
    u64 now[CAPTURE_KINDS][DIRECTIONS];
    const int line[DIRECTIONS] = {line_index(c, 0), line_index(c, 1), line_index(c, 2),
                                  line_index(c, 3)};
    u64 word[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) word[d] = p->line[line[d]];
    for (int d = 0; d < DIRECTIONS; d++) {
        const LineSets s = sets_of(word[d]);
        now[CAPTURE_NOW][d] = before_pairs(s, s.own);
        now[CAPTURE_THREAT][d] = before_pairs(s, s.empty);
        now[CAPTURE_RISK][d] = in_danger(s);
    }
    for (int d = 0; t->triples && d < DIRECTIONS; d++) {
        const LineSets s = sets_of(word[d]);
        now[CAPTURE_NOW][d] |= before_triples(s, s.own);
        now[CAPTURE_THREAT][d] |= before_triples(s, s.empty);
        now[CAPTURE_RISK][d] |= in_danger_of_three(s);
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        const u64 *along = t->along[line[d]];
        const u64 differs = (along[CAPTURE_NOW] ^ now[CAPTURE_NOW][d]) |
                            (along[CAPTURE_THREAT] ^ now[CAPTURE_THREAT][d]) |
                            (along[CAPTURE_RISK] ^ now[CAPTURE_RISK][d]);
        if (!differs) continue;
        const Place place = {line[d], line_position(c, d), DIR_STEP[d], c};
        replace(t, &place, CAPTURE_NOW, now[CAPTURE_NOW][d]);
        replace(t, &place, CAPTURE_THREAT, now[CAPTURE_THREAT][d]);
        replace(t, &place, CAPTURE_RISK, now[CAPTURE_RISK][d]);
    }
}

/* Keys of a side that holds two opponent stones and then an own stone: nearest square lowest
 * (ahead), and highest (behind). */
static const u32 BRACKET_AHEAD[COLORS] = {2 | 2 << 2 | 1 << 4, 1 | 1 << 2 | 2 << 4};
static const u32 BRACKET_BEHIND[COLORS] = {1 | 2 << 2 | 2 << 4, 2 | 1 << 2 | 1 << 4};
/* The same with three opponent stones. */
static const u32 TRIPLE_AHEAD[COLORS] = {2 | 2 << 2 | 2 << 4 | 1 << 6,
                                         1 | 1 << 2 | 1 << 4 | 2 << 6};
static const u32 TRIPLE_BEHIND[COLORS] = {1 | 2 << 2 | 2 << 4 | 2 << 6,
                                          2 | 1 << 2 | 1 << 4 | 1 << 6};

static ALWAYS_INLINE int take_row(Cell c, int step, int length, Cell *out) {
    for (int i = 0; i < length; i++) out[i] = (Cell)(c + (i + 1) * step);
    return length;
}

static ALWAYS_INLINE int captured_along(const CaptureLines *t, const Pattern *p, Color color,
                                        Cell c, int direction, int step, Cell *out) {
    const u64 line = p->line[line_index(c, direction)];
    const int at = line_position(c, direction);
    int n = 0;
    if (line_key_ahead(line, at, 3) == BRACKET_AHEAD[color]) n += take_row(c, step, 2, out);
    if (line_key_behind(line, at, 3) == BRACKET_BEHIND[color]) n += take_row(c, -step, 2, out + n);
    if (!t->triples) return n;
    if (line_key_ahead(line, at, 4) == TRIPLE_AHEAD[color]) n += take_row(c, step, 3, out + n);
    if (line_key_behind(line, at, 4) == TRIPLE_BEHIND[color]) n += take_row(c, -step, 3, out + n);
    return n;
}

int capture_lines_captured(const CaptureLines *t, const Pattern *p, Color color, Cell c,
                           Cell out[MAX_CAPTURED]) {
    int n = captured_along(t, p, color, c, 0, 1, out);
    n += captured_along(t, p, color, c, 1, STRIDE, out + n);
    n += captured_along(t, p, color, c, 2, STRIDE + 1, out + n);
    n += captured_along(t, p, color, c, 3, 1 - STRIDE, out + n);
    return n;
}

/* Masks for two squares on each side of c; the lowest bits are behind. */
enum { BEHIND_2 = 3, BEHIND_1 = 3 << 2, AHEAD_1 = 3 << 6, AHEAD_2 = 3 << 8 };

bool capture_lines_can_capture(const Pattern *p, Color color, Cell c, int direction) {
    const u32 own = color + 1u, theirs = other(color) + 1u;
    const u64 line = p->line[line_index(c, direction)];
    const u32 near = (u32)(line >> (2 * (line_position(c, direction) + PAD - 2)));
    const u32 pair_ahead = near & (BEHIND_1 | AHEAD_1 | AHEAD_2);
    if (pair_ahead == (theirs << 2 | own << 6) || pair_ahead == (own << 6 | theirs << 8))
        return true;
    const u32 pair_behind = near & (BEHIND_2 | BEHIND_1 | AHEAD_1);
    return pair_behind == (theirs | own << 2) || pair_behind == (own << 2 | theirs << 6);
}
