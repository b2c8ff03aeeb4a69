#include "eval/nn/accumulator.h"

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

static ALWAYS_INLINE SimdInt16 within_bound(SimdInt16 v) {
    for (int i = 0; i < SIMD_INT16S; i++) v[i] = v[i] < NET_SQUARE_BOUND ? v[i] : NET_SQUARE_BOUND;
    for (int i = 0; i < SIMD_INT16S; i++)
        v[i] = v[i] > -NET_SQUARE_BOUND ? v[i] : -NET_SQUARE_BOUND;
    return v;
}

/* Adds to a square's own numbers; returns the change of its output. */
static ALWAYS_INLINE NetRow change_own(Accumulator *a, Cell c, const NetRow *by) {
    NetRow *at = &a->at[c];
    NetRow square, passed;
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 was = within_bound(at->part[i]);
        at->part[i] += by->part[i];
        const SimdInt16 now = within_bound(at->part[i]);
        square.part[i] = simd_relu(now) - simd_relu(was);
        passed.part[i] = now - was;
    }
    add_to(a->sums.square, &square);
    return passed;
}

/* Adds to a square's numbers, and to the numbers around it and its neighbours. */
static ALWAYS_INLINE void change_square(const AccumulatorTable *t, Accumulator *a, Cell c,
                                        const NetRow *by) {
    NetRow *around = &a->around[NET_BEYOND + c];
    const NetRow passed = change_own(a, c, by);
    NetRow near;
    for (int i = 0; i < NET_PARTS; i++)
        near.part[i] = change_around(around, i, passed.part[i], t->factor);
    add_to(a->sums.around, &near);
}

/* Updates one square of a network without lines. */
static ALWAYS_INLINE void update_square(const AccumulatorTable *t, const Position *p,
                                        Accumulator *a, Cell c) {
    NetRow by = row_at(t, p, c);
    for (int i = 0; i < NET_PARTS; i++) by.part[i] -= a->at[c].part[i];
    change_square(t, a, c, &by);
}

/* --- lines ------------------------------------------------------------------------------- */

/* The change of a square's numbers. */
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

static ALWAYS_INLINE void change_more(Accumulator *a, Cell c, const NetRow *by) {
    NetRow more;
    for (int i = 0; i < NET_PARTS; i++) more.part[i] = change(&a->more[c].part[i], by->part[i]);
    add_to(a->sums.more, &more);
}

/* The shapes of an empty square, without their values. */
static ALWAYS_INLINE PatternSquare shapes_of(const Position *p, Cell c) {
    return p->pattern.at[c] & 0xFFFF0000FFFF0000;
}

/* Adds the rows of the codes of an empty square, by +1 or -1. */
static ALWAYS_INLINE void add_codes(const AccumulatorTable *t, NetRow *to, const u16 code[COLORS],
                                    int sign) {
    const NetRow *black = &t->square[BLACK][code[BLACK]], *white = &t->square[WHITE][code[WHITE]];
    for (int i = 0; i < NET_PARTS; i++) {
        const SimdInt16 sum = black->part[i] + white->part[i];
        to->part[i] += sign > 0 ? sum : -sum;
    }
}

/* Stores the shapes of an empty square, and its codes. */
static ALWAYS_INLINE void keep_shapes(const Position *p, Accumulator *a, Cell c,
                                      PatternSquare shapes) {
    const ShapeTable *table = p->pattern.table->shapes;
    a->shapes[c] = shapes;
    a->code[c][BLACK] = (u16)shape_square_code(table, (u32)(shapes >> 16) & 0xFFFF);
    a->code[c][WHITE] = (u16)shape_square_code(table, (u32)(shapes >> 48));
}

/* Computes a square from the position, after it got or lost a stone. */
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
    if (s == EMPTY) keep_shapes(p, a, c, shapes_of(p, c));
    change_more(a, c, &by.more);
    change_square(t, a, c, &by.square);
}

/* The changes of the outputs of a line's squares, with room for their neighbours. */
enum { LINE_ROOM = 2, LINE_SPAN = 2 * LINE_REACH + 1 };
typedef struct {
    NetRow at[LINE_ROOM + LINE_SPAN + LINE_ROOM];
    int first, last; /* the changed squares; first > last: none */
} LineChanges;

/* Compares the line of a square with the stored one. The content of the square is the same. */
static ALWAYS_INLINE bool renew_line(const AccumulatorTable *t, const Position *p, Accumulator *a,
                                     Cell c, int d, u64 line, int position, NetRow *passed) {
    const int now = line_class(t->lines->classes, line, position), old = a->line[c][d];
    if (now == old) return false;
    const Stone s = (Stone)p->board.stone[c];
    Change by;
    memset(&by, 0, sizeof by);
    add_line(&by, &t->lines->row[s][now], 1);
    add_line(&by, &t->lines->row[s][old], -1);
    a->line[c][d] = (u16)now;
    const PatternSquare shapes = shapes_of(p, c);
    if (s == EMPTY && shapes != a->shapes[c]) {
        add_codes(t, &by.square, a->code[c], -1);
        keep_shapes(p, a, c, shapes);
        add_codes(t, &by.square, a->code[c], 1);
    }
    change_more(a, c, &by.more);
    *passed = change_own(a, c, &by.square);
    return true;
}

/* Updates one part of a place on a straight line and of the two beside it, which are near three
 * squares of the line. Returns the change of the sum over the board. */
static ALWAYS_INLINE SimdInt16 change_straight(NetRow *here, int part, int across,
                                               const NetRow at[3], const NetRow factor[NET_RINGS]) {
    const SimdInt16 ends = at[0].part[part] + at[2].part[part], middle = at[1].part[part];
    const SimdInt16 own = middle * factor[0].part[part] + ends * factor[1].part[part];
    const SimdInt16 side = middle * factor[1].part[part] + ends * factor[2].part[part];
    return change(&here->part[part], own) + change(&here[across].part[part], side) +
           change(&here[-across].part[part], side);
}

/* The same on a diagonal. `step` leads from at[1] to at[2]. Two places lie between them, and two
 * are near at[1] only. The places at the ends of a line have fewer neighbours. */
static ALWAYS_INLINE SimdInt16 change_diagonal(NetRow *here, int part, int step, const NetRow at[3],
                                               const NetRow factor[NET_RINGS], bool has_between,
                                               bool has_own) {
    const SimdInt16 ends = at[0].part[part] + at[2].part[part], middle = at[1].part[part];
    const int across = step == STRIDE + 1 ? STRIDE - 1 : STRIDE + 1;
    SimdInt16 sum =
        change(&here->part[part], middle * factor[0].part[part] + ends * factor[2].part[part]);
    if (has_between) {
        const SimdInt16 between = (middle + at[2].part[part]) * factor[1].part[part];
        sum += change(&here[1].part[part], between) + change(&here[step - 1].part[part], between);
    }
    if (has_own) {
        const SimdInt16 own = middle * factor[2].part[part];
        sum += change(&here[across].part[part], own) + change(&here[-across].part[part], own);
    }
    return sum;
}

/* Updates the numbers around the squares of a line, each place once for all squares near it. The
 * changes of the three or five places of one square of the line fit 16 bits, like the nine of
 * change_around. begin: the square of at[LINE_ROOM]. */
static ALWAYS_INLINE void change_around_line(const AccumulatorTable *t, Accumulator *a, Cell begin,
                                             int d, const LineChanges *by) {
    const int step = DIR_STEP[d];
    for (int k = by->first - 1; k <= by->last + 1; k++) {
        NetRow *here = &a->around[NET_BEYOND + begin + k * step];
        const NetRow *at = &by->at[LINE_ROOM + k - 1];
        NetRow sum;
        for (int i = 0; i < NET_PARTS; i++)
            sum.part[i] = d < 2 ? change_straight(here, i, d ? 1 : STRIDE, at, t->factor)
                                : change_diagonal(here, i, step, at, t->factor, k <= by->last,
                                                  k >= by->first && k <= by->last);
        add_to(a->sums.around, &sum);
    }
}

/* The squares of a line that see a stone that came or went. */
static ALWAYS_INLINE void renew_along(const AccumulatorTable *t, const Position *p, Accumulator *a,
                                      Cell c, int d) {
    const LineTable *classes = t->lines->classes;
    const u64 line = p->pattern.line[line_index(c, d)];
    const int at = line_position(c, d);
    const int ahead = classes->seen_ahead[line_key_ahead(line, at, LINE_REACH)];
    const int behind = classes->seen_behind[line_key_behind(line, at, LINE_REACH)];
    const Cell begin = (Cell)(c - LINE_REACH * DIR_STEP[d]);
    LineChanges by;
    memset(by.at, 0, sizeof by.at);
    by.first = LINE_SPAN;
    by.last = -1;
    for (int k = LINE_REACH - behind; k <= LINE_REACH + ahead; k++) {
        if (k == LINE_REACH || !renew_line(t, p, a, (Cell)(begin + k * DIR_STEP[d]), d, line,
                                           at + k - LINE_REACH, &by.at[LINE_ROOM + k]))
            continue;
        if (by.last < 0) by.first = k;
        by.last = k;
    }
    if (by.last >= 0) change_around_line(t, a, begin, d, &by);
}

/* One compiled loop for each direction. */
static void renew_lines(const AccumulatorTable *t, const Position *p, Accumulator *a, Cell c) {
    renew_along(t, p, a, c, 0);
    renew_along(t, p, a, c, 1);
    renew_along(t, p, a, c, 2);
    renew_along(t, p, a, c, 3);
}

/* Squares with changed content come first, so that each line is compared with its own content. */
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

/* The squares that may differ from the position before: those that got or lost a stone and, without
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

/* Goes back to the last common step, then forward move by move. The squares that changed in either
 * direction are updated once, at the end. */
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
