#include "eval/nn/accumulator.h"

#include <stdlib.h>
#include <string.h>

/* The bounds of accumulator.h keep every sum within 16 bits. */
enum {
    FACTORS_MAX = NET_FACTOR_MAX + 8 * NET_RING_MAX,
    AROUND_MAX = 2 * NET_SQUARE_MAX * FACTORS_MAX + NET_BIAS_MAX,
    BEYOND_MAX = 2 * NET_SQUARE_MAX * 3 * NET_RING_MAX, /* three neighbours on the board at most */
    NOWHERE = -(1 << 14)                                /* beyond the board: never above 0 */
};
_Static_assert(4 * NET_SQUARE_MAX * FACTORS_MAX <= INT16_MAX, "what a change adds in all");
_Static_assert(AROUND_MAX <= INT16_MAX, "around a square");
_Static_assert(NOWHERE + BEYOND_MAX <= 0 && NOWHERE - BEYOND_MAX >= INT16_MIN, "beyond the board");

/* --- rows -------------------------------------------------------------------------------- */

static ALWAYS_INLINE void add_to(int32_t *restrict sum, const NetRow *restrict row) {
    int16_t lane[NET_LANES];
    memcpy(lane, row, sizeof lane);
    for (int i = 0; i < NET_LANES; i++) sum[i] += lane[i];
}

/* Adds to a part of a row, and returns by how much it changes after relu. */
static ALWAYS_INLINE SimdInt16 change(SimdInt16 *at, SimdInt16 by) {
    const SimdInt16 before = *at, now = before + by;
    *at = now;
    return simd_relu(now) - simd_relu(before);
}

/* One part of what is around a square and its eight neighbours, where the square changes by `by`.
 * Returns by how much that changes their sum over the board. */
static ALWAYS_INLINE SimdInt16 change_around(NetRow *here, int part, SimdInt16 by,
                                             const NetRow factor[NET_RINGS]) {
    const SimdInt16 own = by * factor[0].part[part];
    const SimdInt16 beside = by * factor[1].part[part], across = by * factor[2].part[part];
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

void accumulator_table_init(AccumulatorTable *t, const int16_t factor[NET_RINGS][NET_WIDTH],
                            const int16_t bias[NET_WIDTH],
                            const NetSquares *const squares[COLORS]) {
    for (Color c = BLACK; c <= WHITE; c++)
        for (int code = 0; code < NET_CODES; code++)
            t->square[c][code] = square_row(&squares[c]->code[code], c);
    for (int i = 0; i < NET_RINGS; i++) t->factor[i] = twice(factor[i]);
    t->bias = twice(bias);
}

/* --- the squares ------------------------------------------------------------------------- */

static ALWAYS_INLINE int code_of(const Position *p, Color color, Cell c, Stone s) {
    if (s == EMPTY) return (int)pattern_code(&p->pattern, color, c);
    return s == (Stone)color ? NET_OWN_STONE : NET_FOREIGN_STONE;
}

/* What a square holds. A neutral stone adds nothing to its neighbours. */
static ALWAYS_INLINE NetRow row_at(const AccumulatorTable *t, const Position *p, Cell c) {
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
static ALWAYS_INLINE void update_square(const AccumulatorTable *t, const Position *p,
                                        Accumulator *a, Cell c) {
    NetRow *at = &a->at[c], *around = &a->around[NET_BEYOND + c];
    const NetRow now = row_at(t, p, c);
    NetRow square, near;
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 by = now.part[i] - at->part[i];
        square.part[i] = change(&at->part[i], by);
        near.part[i] = change_around(around, i, by, t->factor);
    }
    add_to(a->sums.square, &square);
    add_to(a->sums.around, &near);
}

void accumulator_refresh(const AccumulatorTable *t, const Position *p, Accumulator *a) {
    NetRow beyond, bias;
    for (int i = 0; i < NET_PARTS; i++) {
        beyond.part[i] = (SimdInt16){0} + NOWHERE;
        bias.part[i] = simd_relu(t->bias.part[i]);
    }
    memset(a->at, 0, sizeof a->at);
    memset(&a->sums, 0, sizeof a->sums);
    for (int i = 0; i < CELLS + 2 * NET_BEYOND; i++) a->around[i] = beyond;
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        a->around[NET_BEYOND + c] = t->bias;
        add_to(a->sums.around, &bias);
    }
    for (Cell c = 0; c < CELLS; c++)
        if (p->board.stone[c] != OFF_BOARD) update_square(t, p, a, c);
}

void accumulator_sums(const AccumulatorTable *t, const Position *p, AccumulatorSums *out) {
    Accumulator a;
    accumulator_refresh(t, p, &a);
    *out = a.sums;
}

/* --- the stack --------------------------------------------------------------------------- */

/* The key of the position as it was when so many moves had been made. */
static u64 key_after(const Position *p, int plies) {
    return plies == p->plies ? p->board.key : p->ply[plies].key;
}

static bool is_on_the_way(const AccumulatorStep *s, const Position *p) {
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
static AccumulatorStep step_to(const Position *p, int plies) {
    AccumulatorStep step = {.key = key_after(p, plies), .plies = plies};
    const Ply *last = &p->ply[plies - 1];
    const u32 end = stack_after(p, plies);
    for (u32 i = stack_after(p, plies - 1); i < end; i++)
        bb_add(&step.changed, (Cell)p->pattern.stack[i].cell);
    bb_add(&step.changed, last->cell);
    for (int i = 0; i < last->captured; i++) bb_add(&step.changed, last->taken[i]);
    return step;
}

static void begin(const AccumulatorTable *t, const Position *p, AccumulatorStack *stack) {
    accumulator_refresh(t, p, &stack->top);
    stack->step[0] = (AccumulatorStep){.key = p->board.key, .plies = p->plies};
    stack->steps = 1;
}

/* Goes back to the last step that is on the way, then forward move by move; the squares that have
 * changed either way are looked at once, at the end. */
const AccumulatorSums *accumulator_update(const AccumulatorTable *t, const Position *p,
                                          AccumulatorStack *stack) {
    Accumulator *a = &stack->top;
    Bitboard set = {{0}};
    while (stack->steps && !is_on_the_way(&stack->step[stack->steps - 1], p))
        bb_or(&set, &stack->step[--stack->steps].changed);
    if (!stack->steps) {
        begin(t, p, stack);
        return &a->sums;
    }
    for (int plies = stack->step[stack->steps - 1].plies + 1; plies <= p->plies; plies++) {
        AccumulatorStep *step = &stack->step[stack->steps++];
        *step = step_to(p, plies);
        bb_or(&set, &step->changed);
    }
    BB_FOR_EACH(c, &set) update_square(t, p, a, c);
    return &a->sums;
}
