#include "eval/nn/accumulator.h"

#include <string.h>

/* The bounds of accumulator.h keep every sum within 16 bits. */
enum {
    FACTORS_MAX = NET_FACTOR_MAX + 8 * NET_RING_MAX,
    FACTOR_MAX = NET_FACTOR_MAX > NET_RING_MAX ? NET_FACTOR_MAX : NET_RING_MAX,
    PLAIN_MAX = 2 * NET_SQUARE_MAX, /* without lines */
    SQUARE_MAX = PLAIN_MAX + DIRECTIONS * NET_LINE_MAX,
    AROUND_MAX = SQUARE_MAX * FACTORS_MAX + NET_BIAS_MAX,
    BEYOND_MAX = SQUARE_MAX * 3 * NET_RING_MAX, /* three neighbours on the board at most */
    NOWHERE = -(1 << 14)                        /* beyond the board: never above 0 */
};
_Static_assert(2 * SQUARE_MAX * FACTOR_MAX <= INT16_MAX, "what a change adds to a square");
_Static_assert(AROUND_MAX <= INT16_MAX, "around a square");
_Static_assert(NET_GROUP *(PLAIN_MAX *FACTORS_MAX + NET_BIAS_MAX) <= UINT16_MAX, "of a group");
_Static_assert(NET_LINE_GROUP *AROUND_MAX <= UINT16_MAX, "of a group with lines");
_Static_assert((int)NET_LINE_LANES == (int)NET_LANES, "lines and codes are added");
_Static_assert(NET_ROWS % NET_GROUP == 0 && NET_ROWS % NET_LINE_GROUP == 0, "whole groups");
_Static_assert((int)NET_ROWS > (int)MAX_SIZE, "a row beyond the board");
_Static_assert(64 * 2 * SQUARE_MAX <= INT16_MAX, "what a word of a bit set changes");
_Static_assert(NOWHERE + BEYOND_MAX <= 0 && NOWHERE - BEYOND_MAX >= INT16_MIN, "beyond the board");

/* --- rows -------------------------------------------------------------------------------- */

/* Adds to one part of the numbers around a square and its eight neighbours what follows from a
 * change of the square by `by`. */
static ALWAYS_INLINE void add_around(NetRow *here, int part, SimdInt16 by,
                                     const NetRow factor[NET_RINGS]) {
    const SimdInt16 beside = by * factor[1].part[part], across = by * factor[2].part[part];
    here->part[part] += by * factor[0].part[part];
    here[-1].part[part] += beside;
    here[1].part[part] += beside;
    here[-STRIDE].part[part] += beside;
    here[STRIDE].part[part] += beside;
    here[-STRIDE - 1].part[part] += across;
    here[-STRIDE + 1].part[part] += across;
    here[STRIDE - 1].part[part] += across;
    here[STRIDE + 1].part[part] += across;
}

/* --- the squares ------------------------------------------------------------------------- */

static ALWAYS_INLINE int code_of(const Position *p, Color color, Cell c, Stone s) {
    if (s == EMPTY) return (int)pattern_code(&p->pattern, color, c);
    return s == (Stone)color ? NET_OWN_STONE : NET_FOREIGN_STONE;
}

/* The numbers of a square's content. A neutral stone adds nothing to its neighbours. */
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

/* Updates a square, the numbers around it and around its neighbours. Adds to `sum` what this
 * changes of the square's numbers after relu. */
static ALWAYS_INLINE void update_square(const AccumulatorTable *t, const Position *p,
                                        Accumulator *a, Cell c, bool lines, NetRow *sum) {
    NetRow now = row_at(t, p, c);
    for (int i = 0; lines && i < NET_PARTS; i++) now.part[i] += a->lines.at[c].part[i];
    NetRow *at = &a->at[c], *around = &a->around[NET_BEYOND + c];
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 before = at->part[i];
        at->part[i] = now.part[i];
        sum->part[i] += simd_relu(now.part[i]) - simd_relu(before);
        add_around(around, i, now.part[i] - before, t->factor);
    }
}

/* Adds up the numbers around the squares of a group of rows. */
static ALWAYS_INLINE void sum_group(const Accumulator *a, int size, int first, int rows,
                                    SimdInt32 sum[2], int part) {
    sum[0] = sum[1] = (SimdInt32){0};
    for (int x = 0; x < size; x++) {
        const NetRow *at = &a->around[NET_BEYOND + cell_at(x, first)];
        SimdUint16 group = {0};
        for (int k = 0; k < rows; k++) group += (SimdUint16)simd_relu(at[k * STRIDE].part[part]);
        simd_add_unsigned(sum, group);
    }
}

/* Adds up the numbers around all squares. Each changed square changes nine of them, 400 in an
 * average update, and a change would need relu twice. So relu is cheaper once for each square of
 * the groups of rows that have changed (decision 0145). changed: a bit for each row of which a
 * number may have changed. rows: of a group. */
static ALWAYS_INLINE void sum_around(Accumulator *a, int size, u32 changed, int rows) {
    for (int i = 0; i < NET_PARTS; i++) {
        SimdInt32 all[2];
        memcpy(all, &a->sums.around[i * SIMD_INT16S], sizeof all);
        u32 left = changed;
        for (int y = 0, g = 0; y < size; y += rows, g++, left >>= rows) {
            SimdInt32 sum[2];
            if (!(left & ((1u << rows) - 1))) continue;
            sum_group(a, size, y, rows, sum, i);
            for (int k = 0; k < 2; k++) {
                all[k] += sum[k] - a->group[g][i][k];
                a->group[g][i][k] = sum[k];
            }
        }
        memcpy(&a->sums.around[i * SIMD_INT16S], all, sizeof all);
    }
}

/* The rows of a word of a bit set that have squares, and the rows beside them. Bit 0 is the row
 * before the word. */
static ALWAYS_INLINE u32 rows_near(u64 word) {
    _Static_assert(STRIDE == 32, "a word has two rows");
    return ((u32)word ? 7u : 0) | (word >> 32 ? 14u : 0);
}

static ALWAYS_INLINE void update_squares(const AccumulatorTable *t, const Position *p,
                                         Accumulator *a, const Bitboard *set, bool lines) {
    u32 rows = 0; /* bit 0: the row before the first one */
    for (int i = 0; i < WORDS; i++) {
        NetRow sum;
        if (!set->w[i]) continue;
        rows |= rows_near(set->w[i]) << 2 * i;
        memset(&sum, 0, sizeof sum);
        for (u64 word = set->w[i]; word; word &= word - 1)
            update_square(t, p, a, (Cell)(64 * i + __builtin_ctzll(word)), lines, &sum);
        for (int k = 0; k < NET_PARTS; k++)
            simd_add_to(&a->sums.square[k * SIMD_INT16S], sum.part[k]);
    }
    sum_around(a, p->board.size, rows >> 1, lines ? NET_LINE_GROUP : NET_GROUP);
}

/* --- the whole board --------------------------------------------------------------------- */

void accumulator_refresh(const AccumulatorTable *t, const Position *p, Accumulator *a) {
    Bitboard squares = {{0}};
    NetRow beyond;
    for (int i = 0; i < NET_PARTS; i++) beyond.part[i] = (SimdInt16){0} + NOWHERE;
    memset(a->at, 0, sizeof a->at);
    memset(&a->sums, 0, sizeof a->sums);
    memset(a->group, 0, sizeof a->group);
    for (size_t i = 0; i < sizeof a->around / sizeof *a->around; i++) a->around[i] = beyond;
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        a->around[NET_BEYOND + c] = t->bias;
        bb_add(&squares, c);
    }
    if (t->lines) lines_refresh(t->lines, p, &a->lines);
    update_squares(t, p, a, &squares, t->lines != NULL);
}

/* --- the stack --------------------------------------------------------------------------- */

/* The key of the position after the given number of moves. */
static u64 key_after(const Position *p, int plies) {
    return plies == p->plies ? p->board.key : p->ply[plies].key;
}

static bool is_on_the_way(const AccumulatorStep *s, const Position *p) {
    return s->plies <= p->plies && s->key == key_after(p, s->plies);
}

/* The top of the patterns' stack after the given number of moves. */
static u32 stack_after(const Position *p, int plies) {
    if (plies == p->plies) return p->pattern.top;
    const Ply *ply = &p->ply[plies];
    return ply->captured ? ply->taken_mark[0].top : ply->mark.top;
}

static ALWAYS_INLINE AccumulatorStep step_to(const Position *p, int plies, bool lines) {
    AccumulatorStep step = {.key = key_after(p, plies), .plies = plies};
    const Ply *last = &p->ply[plies - 1];
    const u32 end = lines ? 0 : stack_after(p, plies);
    for (u32 i = lines ? 0 : stack_after(p, plies - 1); i < end; i++)
        bb_add(&step.changed, (Cell)p->pattern.stack[i].cell);
    bb_add(&step.stones, last->cell);
    for (int i = 0; i < last->captured; i++) bb_add(&step.stones, last->taken[i]);
    bb_or(&step.changed, &step.stones);
    return step;
}

static void begin(const AccumulatorTable *t, const Position *p, AccumulatorStack *stack) {
    accumulator_refresh(t, p, &stack->top);
    stack->step[0] = (AccumulatorStep){.key = p->board.key, .plies = p->plies};
    stack->steps = 1;
}

/* The indices of rows differ from table to table. Slots that no table has used are zero. */
static void take_table(const AccumulatorTable *t, AccumulatorStack *stack) {
    if (stack->table && t->lines) memset(&stack->slots, 0, sizeof stack->slots);
    stack->steps = 0;
    stack->table = t->id;
}

/* Goes back to the last common step, then forward move by move. The squares that changed in either
 * direction are updated once, at the end. */
const AccumulatorSums *accumulator_update(const AccumulatorTable *t, const Position *p,
                                          AccumulatorStack *stack) {
    Accumulator *a = &stack->top;
    const bool lines = t->lines != NULL;
    Bitboard set = {{0}}, stones = {{0}};
    if (stack->table != t->id) take_table(t, stack);
    while (stack->steps && !is_on_the_way(&stack->step[stack->steps - 1], p)) {
        const AccumulatorStep *step = &stack->step[--stack->steps];
        bb_or(&set, &step->changed);
        bb_or(&stones, &step->stones);
    }
    if (!stack->steps) {
        begin(t, p, stack);
        return &a->sums;
    }
    for (int plies = stack->step[stack->steps - 1].plies + 1; plies <= p->plies; plies++) {
        AccumulatorStep *step = &stack->step[stack->steps++];
        *step = step_to(p, plies, lines);
        bb_or(&set, &step->changed);
        bb_or(&stones, &step->stones);
    }
    if (!bb_any(&set)) return &a->sums;
    if (lines) {
        lines_update(t->lines, p, &stack->slots, &stones, &a->lines, &set);
        update_squares(t, p, a, &set, true);
    } else {
        update_squares(t, p, a, &set, false);
    }
    return &a->sums;
}
