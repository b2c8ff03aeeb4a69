#include "eval/nn/accumulator.h"

#include <stdlib.h>
#include <string.h>

/* The bounds of accumulator.h keep every sum within 16 bits. */
enum {
    FACTORS_MAX = NET_FACTOR_MAX + 8 * NET_RING_MAX,
    AROUND_MAX = NET_SQUARE_BOUND * FACTORS_MAX + NET_BIAS_MAX,
    BEYOND_MAX = NET_SQUARE_BOUND * 3 * NET_RING_MAX, /* three neighbours on the board at most */
    NOWHERE = -(1 << 14)                              /* beyond the board: never above 0 */
};
_Static_assert(2 * NET_SQUARE_MAX <= NET_SQUARE_BOUND, "codes alone stay within the bound");
_Static_assert(2 * NET_SQUARE_BOUND * FACTORS_MAX <= INT16_MAX, "what a change adds in all");
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

static int standing(Stone s, Color viewer) {
    return s == EMPTY ? 0 : s == (Stone)viewer ? 1 : 2;
}

/* What a line adds to both views, each with the colours as it sees them. */
static NetLineRow line_row(const NetLines *const lines[COLORS], Stone s, int black, int white) {
    const int8_t *row[COLORS] = {lines[BLACK]->row[standing(s, BLACK)][black],
                                 lines[WHITE]->row[standing(s, WHITE)][white]};
    int8_t lane[2][COLORS][NET_WIDTH];
    NetLineRow out;
    for (int c = 0; c < COLORS; c++)
        for (int i = 0; i < NET_LINE_WIDTH; i++) lane[i / NET_WIDTH][c][i % NET_WIDTH] = row[c][i];
    memcpy(&out, lane, sizeof out);
    return out;
}

static void line_rows_init(LineRows *rows, const NetLines *const lines[COLORS]) {
    rows->classes = line_table();
    for (int s = BLACK; s <= EMPTY; s++)
        for (int i = 0; i < LINE_CLASSES; i++)
            rows->row[s][i] = line_row(lines, (Stone)s, i, rows->classes->swapped[i]);
}

void accumulator_table_init(AccumulatorTable *t, const FirstLayer *from, LineRows *rows) {
    for (Color c = BLACK; c <= WHITE; c++)
        for (int code = 0; code < NET_CODES; code++)
            t->square[c][code] = square_row(&from->squares[c]->code[code], c);
    for (int i = 0; i < NET_RINGS; i++) t->factor[i] = twice(from->factor[i]);
    t->bias = twice(from->bias);
    t->lines = from->lines[BLACK] ? rows : NULL;
    if (t->lines) line_rows_init(rows, from->lines);
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

static ALWAYS_INLINE SimdInt16 within_bound(SimdInt16 v) {
    for (int i = 0; i < SIMD_INT16S; i++) v[i] = v[i] < NET_SQUARE_BOUND ? v[i] : NET_SQUARE_BOUND;
    for (int i = 0; i < SIMD_INT16S; i++)
        v[i] = v[i] > -NET_SQUARE_BOUND ? v[i] : -NET_SQUARE_BOUND;
    return v;
}

/* Adds to a square's numbers, and to what is around it and its neighbours. */
static ALWAYS_INLINE void change_square(const AccumulatorTable *t, Accumulator *a, Cell c,
                                        const NetRow *by) {
    NetRow *at = &a->at[c], *around = &a->around[NET_BEYOND + c];
    NetRow square, near;
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 before = at->part[i], now = before + by->part[i];
        const SimdInt16 passed = within_bound(before), passes = within_bound(now);
        at->part[i] = now;
        square.part[i] = simd_relu(passes) - simd_relu(passed);
        near.part[i] = change_around(around, i, passes - passed, t->factor);
    }
    add_to(a->sums.square, &square);
    add_to(a->sums.around, &near);
}

/* Brings one square of a network without lines up to date. */
static ALWAYS_INLINE void update_square(const AccumulatorTable *t, const Position *p,
                                        Accumulator *a, Cell c) {
    NetRow by = row_at(t, p, c);
    for (int i = 0; i < NET_PARTS; i++) by.part[i] -= a->at[c].part[i];
    change_square(t, a, c, &by);
}

/* --- lines ------------------------------------------------------------------------------- */

/* By how much a square's numbers change. */
typedef struct {
    NetRow square, more;
} Change;

/* Adds the row of a line, by +1 or -1. */
static ALWAYS_INLINE void add_line(Change *to, const NetLineRow *row, int sign) {
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 square = simd_widen(row->square[i]), more = simd_widen(row->more[i]);
        to->square.part[i] += sign > 0 ? square : -square;
        to->more.part[i] += sign > 0 ? more : -more;
    }
}

static ALWAYS_INLINE void change_both(const AccumulatorTable *t, Accumulator *a, Cell c,
                                      const Change *by) {
    NetRow more;
    for (int i = 0; i < NET_PARTS; i++) more.part[i] = change(&a->more[c].part[i], by->more.part[i]);
    add_to(a->sums.more, &more);
    change_square(t, a, c, &by->square);
}

/* The shapes of an empty square, without what they are worth. */
static ALWAYS_INLINE PatternSquare shapes_of(const Position *p, Cell c) {
    return p->pattern.at[c] & 0xFFFF0000FFFF0000;
}

/* What the codes of an empty square add, by its shapes. */
static ALWAYS_INLINE NetRow codes_row(const AccumulatorTable *t, const ShapeTable *shapes,
                                      PatternSquare at) {
    const NetRow *black = &t->square[BLACK][shape_square_code(shapes, (u32)(at >> 16) & 0xFFFF)];
    const NetRow *white = &t->square[WHITE][shape_square_code(shapes, (u32)(at >> 48))];
    NetRow row;
    for (int i = 0; i < NET_PARTS; i++) row.part[i] = black->part[i] + white->part[i];
    return row;
}

/* Takes all of a square from the position: one that got or lost a stone. */
static void renew_square(const AccumulatorTable *t, const Position *p, Accumulator *a, Cell c) {
    const Stone s = (Stone)p->board.stone[c];
    Change by = {.square = row_at(t, p, c)};
    for (int i = 0; i < NET_PARTS; i++) {
        by.square.part[i] -= a->at[c].part[i];
        by.more.part[i] = -a->more[c].part[i];
    }
    for (int d = 0; d < DIRECTIONS && s != NEUTRAL; d++) {
        const u64 line = p->pattern.line[line_index(c, d)];
        a->line[c][d] = (u16)line_class(t->lines->classes, line, line_position(c, d));
        add_line(&by, &t->lines->row[s][a->line[c][d]], 1);
    }
    if (s == EMPTY) a->shapes[c] = shapes_of(p, c);
    change_both(t, a, c, &by);
}

/* Compares one line of a square with what is kept. The square's stone, if any, is the same. */
static ALWAYS_INLINE void renew_line(const AccumulatorTable *t, const Position *p, Accumulator *a,
                                     Cell c, int d, u64 line, int position) {
    const int now = line_class(t->lines->classes, line, position), old = a->line[c][d];
    if (now == old) return;
    const Stone s = (Stone)p->board.stone[c];
    Change by;
    memset(&by, 0, sizeof by);
    add_line(&by, &t->lines->row[s][now], 1);
    add_line(&by, &t->lines->row[s][old], -1);
    a->line[c][d] = (u16)now;
    const PatternSquare shapes = shapes_of(p, c);
    if (s == EMPTY && shapes != a->shapes[c]) {
        const ShapeTable *table = p->pattern.table->shapes;
        const NetRow after = codes_row(t, table, shapes), before = codes_row(t, table, a->shapes[c]);
        for (int i = 0; i < NET_PARTS; i++) by.square.part[i] += after.part[i] - before.part[i];
        a->shapes[c] = shapes;
    }
    change_both(t, a, c, &by);
}

/* The squares that see a stone that came or went. */
static void renew_lines(const AccumulatorTable *t, const Position *p, Accumulator *a, Cell c) {
    const LineTable *classes = t->lines->classes;
    for (int d = 0; d < DIRECTIONS; d++) {
        const u64 line = p->pattern.line[line_index(c, d)];
        const int at = line_position(c, d);
        const int ahead = classes->seen_ahead[line_key_ahead(line, at, LINE_REACH)];
        const int behind = classes->seen_behind[line_key_behind(line, at, LINE_REACH)];
        for (int k = -behind; k <= ahead; k++)
            if (k) renew_line(t, p, a, (Cell)(c + k * DIR_STEP[d]), d, line, at + k);
    }
}

/* Squares with another stone come first, so that each line is compared with its own stone's. */
static void renew(const AccumulatorTable *t, const Position *p, Accumulator *a,
                  const Bitboard *stones) {
    BB_FOR_EACH(c, stones) renew_square(t, p, a, c);
    BB_FOR_EACH(c, stones) renew_lines(t, p, a, c);
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
    if (t->lines) memset(a->more, 0, sizeof a->more);
    for (int i = 0; i < CELLS + 2 * NET_BEYOND; i++) a->around[i] = beyond;
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        a->around[NET_BEYOND + c] = t->bias;
        add_to(a->sums.around, &bias);
    }
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        if (t->lines)
            renew_square(t, p, a, c);
        else
            update_square(t, p, a, c);
    }
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

/* The squares that may differ since the move before: those that got or lost a stone and, without
 * lines, those with other shapes. */
static AccumulatorStep step_to(const AccumulatorTable *t, const Position *p, int plies) {
    AccumulatorStep step = {.key = key_after(p, plies), .plies = plies};
    const Ply *last = &p->ply[plies - 1];
    const u32 end = t->lines ? 0 : stack_after(p, plies);
    for (u32 i = t->lines ? 0 : stack_after(p, plies - 1); i < end; i++)
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
        *step = step_to(t, p, plies);
        bb_or(&set, &step->changed);
    }
    if (t->lines)
        renew(t, p, a, &set);
    else
        BB_FOR_EACH(c, &set) update_square(t, p, a, c);
    return &a->sums;
}
