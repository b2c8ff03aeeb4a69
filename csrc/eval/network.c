#include "eval/network.h"

#include <stdlib.h>
#include <string.h>

enum {
    SQUARE_SHIFT = 3, /* from the units of a sum to a sixteenth of it in 1/128 */
    AROUND_SHIFT = 7,
    HIDDEN_SHIFT = 8,
    OUT_SHIFT = 15
};
_Static_assert(NET_SQUARE_ONE << NET_SUM_SHIFT == NET_ONE << SQUARE_SHIFT, "units of squares");
_Static_assert(NET_AROUND_ONE << NET_SUM_SHIFT == NET_ONE << AROUND_SHIFT, "units around them");

/* What the fixed point of network.h promises. */
enum {
    FACTORS_MAX = NET_FACTOR_MAX + 8 * NET_RING_MAX,
    AROUND_MAX = 2 * NET_SQUARE_MAX * FACTORS_MAX + NET_BIAS_MAX,
    BEYOND_MAX = 2 * NET_SQUARE_MAX * 3 * NET_RING_MAX, /* three neighbours on the board at most */
    NOWHERE = -(1 << 14)                                /* beyond the board: never above 0 */
};
_Static_assert(4 * NET_SQUARE_MAX * FACTORS_MAX <= INT16_MAX, "what a change adds in all");
_Static_assert(AROUND_MAX <= INT16_MAX, "around a square");
_Static_assert(NOWHERE + BEYOND_MAX <= 0 && NOWHERE - BEYOND_MAX >= INT16_MIN, "beyond the board");

static int clamp(int v, int low, int high) {
    return v < low ? low : v > high ? high : v;
}

/* --- rows -------------------------------------------------------------------------------- */

/* In this form gcc sees that it is one instruction. */
static ALWAYS_INLINE NetPart cut(NetPart v) {
    for (int i = 0; i < NET_PART; i++) v[i] = v[i] > 0 ? v[i] : 0;
    return v;
}

static ALWAYS_INLINE void add_to(int32_t *restrict sum, const NetRow *restrict row) {
    int16_t lane[NET_LANES];
    memcpy(lane, row, sizeof lane);
    for (int i = 0; i < NET_LANES; i++) sum[i] += lane[i];
}

/* Adds to a part of a row, and returns by how much that changes it cut off below 0. */
static ALWAYS_INLINE NetPart change(NetPart *at, NetPart by) {
    const NetPart before = *at, now = before + by;
    *at = now;
    return cut(now) - cut(before);
}

/* One part of what is around a square and its eight neighbours, where the square changes by `by`.
 * Returns by how much that changes their sum over the board. */
static ALWAYS_INLINE NetPart change_around(NetRow *here, int part, NetPart by,
                                           const NetRow factor[NET_RINGS]) {
    const NetPart own = by * factor[0].part[part];
    const NetPart beside = by * factor[1].part[part], across = by * factor[2].part[part];
    return change(&here->part[part], own) + change(&here[-1].part[part], beside) +
           change(&here[1].part[part], beside) + change(&here[-STRIDE].part[part], beside) +
           change(&here[STRIDE].part[part], beside) +
           change(&here[-STRIDE - 1].part[part], across) +
           change(&here[-STRIDE + 1].part[part], across) +
           change(&here[STRIDE - 1].part[part], across) +
           change(&here[STRIDE + 1].part[part], across);
}

/* The same numbers for both views. */
static NetRow twice(const int16_t one[NET_WIDTH]) {
    int16_t lane[NET_LANES];
    NetRow row;
    for (int i = 0; i < NET_LANES; i++) lane[i] = one[i % NET_WIDTH];
    memcpy(&row, lane, sizeof row);
    return row;
}

static NetRow square_row(const NetSquare *s, Color c) {
    int16_t lane[COLORS][NET_WIDTH];
    NetRow row;
    for (int i = 0; i < NET_WIDTH; i++) {
        ASSERT(abs(s->own[i]) <= NET_SQUARE_MAX && abs(s->other[i]) <= NET_SQUARE_MAX);
        lane[c][i] = s->own[i];
        lane[other(c)][i] = s->other[i];
    }
    memcpy(&row, lane, sizeof row);
    return row;
}

void network_table_init(NetTable *t, const Network *n, const NetSquares *const squares[COLORS]) {
    t->network = n;
    for (Color c = BLACK; c <= WHITE; c++)
        for (int code = 0; code < NET_CODES; code++)
            t->square[c][code] = square_row(&squares[c]->code[code], c);
    for (int i = 0; i < NET_RINGS; i++) t->factor[i] = twice(n->factor[i]);
    t->bias = twice(n->bias);
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) t->hidden[i / 2][j][i % 2] = n->hidden[j][i];
}

/* --- the squares ------------------------------------------------------------------------- */

static ALWAYS_INLINE int code_of(const Position *p, Color color, Cell c, Stone s) {
    if (s == EMPTY) return (int)pattern_code(&p->pattern, color, c);
    return s == (Stone)color ? NET_OWN_STONE : NET_FOREIGN_STONE;
}

/* What a square holds. A neutral stone adds nothing to its neighbours. */
static ALWAYS_INLINE NetRow row_at(const NetTable *t, const Position *p, Cell c) {
    const Stone s = (Stone)p->board.stone[c];
    NetRow row;
    memset(&row, 0, sizeof row);
    if (s == NEUTRAL) return row;
    const NetRow *black = &t->square[BLACK][code_of(p, BLACK, c, s)];
    const NetRow *white = &t->square[WHITE][code_of(p, WHITE, c, s)];
    for (int i = 0; i < NET_PARTS; i++) row.part[i] = black->part[i] + white->part[i];
    return row;
}

/* Brings one square up to date, and what is around it and its neighbours. */
static ALWAYS_INLINE void refresh(const NetTable *t, const Position *p, NetMap *map, Cell c) {
    NetRow *at = &map->at[c], *around = &map->around[NET_BEYOND + c];
    const NetRow now = row_at(t, p, c);
    NetRow square, near;
    for (int i = 0; i < NET_PARTS; i++) {
        const NetPart by = now.part[i] - at->part[i];
        square.part[i] = change(&at->part[i], by);
        near.part[i] = change_around(around, i, by, t->factor);
    }
    add_to(map->sums.square, &square);
    add_to(map->sums.around, &near);
}

void network_fill(const NetTable *t, const Position *p, NetMap *map) {
    NetRow beyond, bias;
    for (int i = 0; i < NET_PARTS; i++) {
        beyond.part[i] = (NetPart){0} + NOWHERE;
        bias.part[i] = cut(t->bias.part[i]);
    }
    memset(map->at, 0, sizeof map->at);
    memset(&map->sums, 0, sizeof map->sums);
    for (int i = 0; i < CELLS + 2 * NET_BEYOND; i++) map->around[i] = beyond;
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        map->around[NET_BEYOND + c] = t->bias;
        add_to(map->sums.around, &bias);
    }
    for (Cell c = 0; c < CELLS; c++)
        if (p->board.stone[c] != OFF_BOARD) refresh(t, p, map, c);
}

void network_sums(const NetTable *t, const Position *p, NetSums *out) {
    NetMap map;
    network_fill(t, p, &map);
    *out = map.sums;
}

/* --- the trail --------------------------------------------------------------------------- */

/* The key of the position as it was when so many moves had been made. */
static u64 key_after(const Position *p, int plies) {
    return plies == p->plies ? p->board.key : p->ply[plies].key;
}

static bool is_on_the_way(const NetStep *s, const Position *p) {
    return s->plies <= p->plies && s->key == key_after(p, s->plies);
}

/* Where the patterns' stack was when so many moves had been made. */
static u32 stack_after(const Position *p, int plies) {
    if (plies == p->plies) return p->pattern.top;
    const Ply *ply = &p->ply[plies];
    return ply->captured ? ply->taken_mark[0].top : ply->mark.top;
}

/* The squares that may differ since the move before: those with other shapes, and those that got
 * or lost a stone. */
static NetStep step_to(const Position *p, int plies) {
    NetStep step = {.key = key_after(p, plies), .plies = plies};
    const Ply *last = &p->ply[plies - 1];
    const u32 end = stack_after(p, plies);
    for (u32 i = stack_after(p, plies - 1); i < end; i++)
        bb_add(&step.changed, (Cell)p->pattern.stack[i].cell);
    bb_add(&step.changed, last->cell);
    for (int i = 0; i < last->captured; i++) bb_add(&step.changed, last->taken[i]);
    return step;
}

static void begin(const NetTable *t, const Position *p, NetTrail *trail) {
    network_fill(t, p, &trail->map);
    trail->step[0] = (NetStep){.key = p->board.key, .plies = p->plies};
    trail->steps = 1;
}

/* Goes back to the last step that is on the way, then forward move by move; the squares that have
 * changed either way are looked at once, at the end. */
const NetSums *network_follow(const NetTable *t, const Position *p, NetTrail *trail) {
    NetMap *map = &trail->map;
    Bitboard set = {{0}};
    while (trail->steps && !is_on_the_way(&trail->step[trail->steps - 1], p))
        bb_or(&set, &trail->step[--trail->steps].changed);
    if (!trail->steps) {
        begin(t, p, trail);
        return &map->sums;
    }
    for (int plies = trail->step[trail->steps - 1].plies + 1; plies <= p->plies; plies++) {
        NetStep *step = &trail->step[trail->steps++];
        *step = step_to(p, plies);
        bb_or(&set, &step->changed);
    }
    BB_FOR_EACH(c, &set) refresh(t, p, map, c);
    return &map->sums;
}

/* --- the layers -------------------------------------------------------------------------- */

static int16_t *put_sums(int16_t *in, const int32_t *sum, int shift) {
    for (int i = 0; i < NET_WIDTH; i++) *in++ = (int16_t)clamp(sum[i] >> shift, 0, NET_INPUT_MAX);
    return in;
}

static int16_t *put_view(int16_t *in, const NetSums *sums, Color c) {
    in = put_sums(in, sums->square + c * NET_WIDTH, SQUARE_SHIFT);
    return put_sums(in, sums->around + c * NET_WIDTH, AROUND_SHIFT);
}

enum { SUMS = 8, BLOCK = SUMS * NET_WIDE }; /* as many sums as stay in registers */
_Static_assert(NET_HIDDEN % BLOCK == 0, "whole blocks of hidden numbers");

static ALWAYS_INLINE void add_block(const NetTable *t, const int16_t in[NET_INPUTS], int first,
                                    int32_t out[BLOCK]) {
    NetWide sum[SUMS];
    memcpy(sum, &t->network->hidden_bias[first], sizeof sum);
    add_inputs(sum, SUMS, in, NET_INPUTS / 2, t->hidden[0][first], 2 * NET_HIDDEN);
    memcpy(out, sum, sizeof sum);
}

void network_inputs(Color mover, const NetSums *sums, const int16_t features[NET_FEATURES],
                    int16_t in[NET_INPUTS]) {
    int16_t *rest = put_view(put_view(in, sums, mover), sums, other(mover));
    memcpy(rest, features, NET_FEATURES * sizeof *features);
}

int network_correction(const NetTable *t, Color mover, const NetSums *sums,
                       const int16_t features[NET_FEATURES]) {
    const Network *n = t->network;
    int16_t in[NET_INPUTS];
    int32_t hidden[NET_HIDDEN];
    network_inputs(mover, sums, features, in);
    for (int j = 0; j < NET_HIDDEN; j += BLOCK) add_block(t, in, j, &hidden[j]);
    int32_t out = n->out_bias;
    for (int j = 0; j < NET_HIDDEN; j++)
        out += clamp(hidden[j] >> HIDDEN_SHIFT, 0, NET_INPUT_MAX) * n->out[j];
    return (int)((int64_t)out * NET_SCALE / (1 << OUT_SHIFT));
}
