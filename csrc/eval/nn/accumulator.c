#include "eval/nn/accumulator.h"

#include <string.h>

/* The bounds of accumulator.h keep every sum within 16 bits. */
enum {
    FACTORS_MAX = NET_FACTOR_MAX + 8 * NET_RING_MAX,
    SQUARE_MAX = 2 * NET_SQUARE_MAX,
    AROUND_MAX = SQUARE_MAX * FACTORS_MAX + NET_BIAS_MAX,
    BEYOND_MAX = SQUARE_MAX * 3 * NET_RING_MAX, /* three neighbours on the board at most */
    NOWHERE = -(1 << 14)                        /* beyond the board: never above 0 */
};
_Static_assert(2 * SQUARE_MAX * FACTORS_MAX <= INT16_MAX, "what a change adds in all");
_Static_assert(AROUND_MAX <= INT16_MAX, "around a square");
_Static_assert((1 + 2 * LINE_REACH * DIRECTIONS) * DIRECTIONS * NET_LINE_MAX <= INT16_MAX,
               "the lines that see a stone");
_Static_assert(NOWHERE + BEYOND_MAX <= 0 && NOWHERE - BEYOND_MAX >= INT16_MIN, "beyond the board");

/* --- rows -------------------------------------------------------------------------------- */

static ALWAYS_INLINE void add_to(int32_t *restrict sum, const NetRow *restrict row) {
    for (int i = 0; i < NET_PARTS; i++) simd_add_to(sum + i * SIMD_INT16S, row->part[i]);
}

/* Adds to a part of a row; returns its change after relu. */
static ALWAYS_INLINE SimdInt16 change(SimdInt16 *at, SimdInt16 by) {
    const SimdInt16 before = *at, now = before + by;
    *at = now;
    return simd_relu(now) - simd_relu(before);
}

/* Updates one part of the numbers around a square and its eight neighbours after the square changes
 * by `by`. Returns the change of their sum over the board. */
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

/* Updates a square, the numbers around it, and those around its neighbours. */
static ALWAYS_INLINE void update_square(const AccumulatorTable *t, const Position *p,
                                        Accumulator *a, Cell c) {
    const NetRow now = row_at(t, p, c);
    NetRow *at = &a->at[c], *around = &a->around[NET_BEYOND + c];
    NetRow square, near;
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 by = now.part[i] - at->part[i];
        square.part[i] = change(&at->part[i], by);
        near.part[i] = change_around(around, i, by, t->factor);
    }
    add_to(a->sums.square, &square);
    add_to(a->sums.around, &near);
}

/* --- lines ------------------------------------------------------------------------------- */

/* Adds the row of a line, by +1 or -1. */
static ALWAYS_INLINE void add_line(NetLineSum *to, const NetLineRow *row, int sign) {
    for (int i = 0; i < NET_LINE_PARTS; i++) {
        const SimdInt16 part = simd_widen(row->part[i]);
        to->part[i] += sign > 0 ? part : -part;
    }
}

/* Adds to the sums of a square; adds what this changes over the board to `total`. */
static ALWAYS_INLINE void change_lines(Accumulator *a, Cell c, const NetLineSum *by,
                                       NetLineSum *total) {
    for (int i = 0; i < NET_LINE_PARTS; i++)
        total->part[i] += change(&a->lines[c].part[i], by->part[i]);
}

/* Reads the four lines of a square that got or lost a stone. A neutral stone has no rows. */
static ALWAYS_INLINE void read_lines(const LineRows *rows, const Position *p, Accumulator *a,
                                     Cell c, NetLineSum *total) {
    const Stone s = (Stone)p->board.stone[c];
    NetLineSum by;
    for (int i = 0; i < NET_LINE_PARTS; i++) by.part[i] = -a->lines[c].part[i];
    for (int d = 0; d < DIRECTIONS && s != NEUTRAL; d++) {
        const u64 line = p->pattern.line[line_index(c, d)];
        a->line[c][d] = (u16)line_class(rows->classes, line, line_position(c, d));
        add_line(&by, &rows->row[s][a->line[c][d]], 1);
    }
    change_lines(a, c, &by, total);
}

/* Compares the line of a square with the stored one. The content of the square is the same. */
static ALWAYS_INLINE void compare_line(const LineRows *rows, const Position *p, Accumulator *a,
                                       Cell c, int d, int now, NetLineSum *total) {
    const int old = a->line[c][d];
    if (now == old) return;
    const NetLineRow *row = rows->row[p->board.stone[c]];
    NetLineSum by;
    memset(&by, 0, sizeof by);
    add_line(&by, &row[now], 1);
    add_line(&by, &row[old], -1);
    a->line[c][d] = (u16)now;
    change_lines(a, c, &by, total);
}

/* The squares of a line that see a stone that came or went. */
static ALWAYS_INLINE void compare_along(const LineRows *rows, const Position *p, Accumulator *a,
                                        Cell c, int d, NetLineSum *total) {
    const LineTable *classes = rows->classes;
    const u64 line = p->pattern.line[line_index(c, d)];
    const int at = line_position(c, d);
    const int ahead = classes->seen_ahead[line_key_ahead(line, at, LINE_REACH)];
    const int behind = classes->seen_behind[line_key_behind(line, at, LINE_REACH)];
    for (int k = -behind; k <= ahead; k++)
        if (k != 0)
            compare_line(rows, p, a, (Cell)(c + k * DIR_STEP[d]), d,
                         line_class(classes, line, at + k), total);
}

static ALWAYS_INLINE void add_total(Accumulator *a, const NetLineSum *total) {
    for (int i = 0; i < NET_LINE_PARTS; i++)
        simd_add_to(a->sums.line + i * SIMD_INT16S, total->part[i]);
}

/* Squares with changed content come first, so that each line is compared with its own content. */
static void update_lines(const LineRows *rows, const Position *p, Accumulator *a,
                         const Bitboard *stones) {
    BB_FOR_EACH(c, stones) {
        NetLineSum total;
        memset(&total, 0, sizeof total);
        read_lines(rows, p, a, c, &total);
        add_total(a, &total);
    }
    BB_FOR_EACH(c, stones) {
        NetLineSum total;
        memset(&total, 0, sizeof total);
        compare_along(rows, p, a, c, 0, &total);
        compare_along(rows, p, a, c, 1, &total);
        compare_along(rows, p, a, c, 2, &total);
        compare_along(rows, p, a, c, 3, &total);
        add_total(a, &total);
    }
}

/* --- the whole board --------------------------------------------------------------------- */

void accumulator_refresh(const AccumulatorTable *t, const Position *p, Accumulator *a) {
    NetRow beyond, bias;
    for (int i = 0; i < NET_PARTS; i++) {
        beyond.part[i] = (SimdInt16){0} + NOWHERE;
        bias.part[i] = simd_relu(t->bias.part[i]);
    }
    memset(a->at, 0, sizeof a->at);
    memset(&a->sums, 0, sizeof a->sums);
    if (t->lines) memset(a->lines, 0, sizeof a->lines);
    for (int i = 0; i < CELLS + 2 * NET_BEYOND; i++) a->around[i] = beyond;
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        a->around[NET_BEYOND + c] = t->bias;
        add_to(a->sums.around, &bias);
    }
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        update_square(t, p, a, c);
        if (!t->lines) continue;
        NetLineSum total;
        memset(&total, 0, sizeof total);
        read_lines(t->lines, p, a, c, &total);
        add_total(a, &total);
    }
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

static AccumulatorStep step_to(const Position *p, int plies) {
    AccumulatorStep step = {.key = key_after(p, plies), .plies = plies};
    const Ply *last = &p->ply[plies - 1];
    const u32 end = stack_after(p, plies);
    for (u32 i = stack_after(p, plies - 1); i < end; i++)
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

/* Goes back to the last common step, then forward move by move. The squares that changed in either
 * direction are updated once, at the end. */
const AccumulatorSums *accumulator_update(const AccumulatorTable *t, const Position *p,
                                          AccumulatorStack *stack) {
    Accumulator *a = &stack->top;
    Bitboard set = {{0}}, stones = {{0}};
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
        *step = step_to(p, plies);
        bb_or(&set, &step->changed);
        bb_or(&stones, &step->stones);
    }
    BB_FOR_EACH(c, &set) update_square(t, p, a, c);
    if (t->lines) update_lines(t->lines, p, a, &stones);
    return &a->sums;
}
