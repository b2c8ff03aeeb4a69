#include "shape/pattern.h"

#include <string.h>

#include "shape/line_key.h"

static const u64 LOW_BITS = 0x5555555555555555;
static const u64 SHAPE_BITS = 0x000F0000000F0000; /* of direction 0 */
static const u64 CLASS_BITS = 0x0000F0000000F000;
static const u64 VALUE_BITS = 0x00000FFF00000FFF;

/* --- lines ------------------------------------------------------------------------------- */

static inline void toggle_line(Pattern *p, Cell c, u64 square, int direction) {
    p->line[line_index(c, direction)] ^= square << (2 * (line_position(c, direction) + PAD));
}

/* Puts a stone into its four lines, or removes it. */
static ALWAYS_INLINE void toggle(Pattern *p, Cell c, Stone s) {
    const u64 square = s == NEUTRAL ? 3 : (u64)s + 1;
    toggle_line(p, c, square, 0);
    toggle_line(p, c, square, 1);
    toggle_line(p, c, square, 2);
    toggle_line(p, c, square, 3);
}

/* The shapes of both colours along one line: Black | White << 4. */
static inline u8 look_up(const ShapeTable *t, u64 line, int position, int reach) {
    const u32 ahead = t->ahead[line_key_ahead(line, position, reach)];
    const u32 behind = t->behind[line_key_behind(line, position, reach)];
    return t->shape[behind * MAX_SIDES + ahead];
}

/* --- squares ----------------------------------------------------------------------------- */

static inline u64 class_and_value(const PatternTable *t, Color color, u32 shapes) {
    return t->square[color][t->low[shapes & 255] + t->high[shapes >> 8 & 255]];
}

/* The whole word of a square whose shapes are up to date. */
static inline PatternSquare completed(const PatternTable *t, PatternSquare s) {
    const u64 black = class_and_value(t, BLACK, (u32)(s >> 16));
    const u64 white = class_and_value(t, WHITE, (u32)(s >> 48));
    return (s & ~(CLASS_BITS | VALUE_BITS)) | black | white << 32;
}

/* Adds a square's class to the counts or removes it (by +1, -1). */
static inline void count_class(Pattern *p, Color color, Cell c, PatternSquare s, int by) {
    const u32 class = (u32)(s >> (12 + 32 * color)) & 15;
    if (class == SQUARE_QUIET) return;
    p->count[color][class] = (u16)(p->count[color][class] + by);
    bb_flip(&p->set[color][class], c);
}

static inline void change_class(Pattern *p, Cell c, PatternSquare from, PatternSquare to) {
    const u64 differs = (from ^ to) & CLASS_BITS;
    if (differs == 0) return;
    if ((u32)differs) {
        count_class(p, BLACK, c, from, -1);
        count_class(p, BLACK, c, to, 1);
    }
    if (differs >> 32) {
        count_class(p, WHITE, c, from, -1);
        count_class(p, WHITE, c, to, 1);
    }
}

/* The sum and the top of the stack during the changes of one stone. They stay in registers: through
 * memory each change would wait for the one before (a sixth of the time of a make). */
typedef struct {
    u64 value;
    PatternChange *top;
} Run;

static ALWAYS_INLINE void set_shape(Pattern *p, Run *run, Cell c, int direction, u8 shape) {
    const PatternTable *t = p->table;
    const PatternSquare old = p->at[c];
    const u64 differs =
        (old ^ t->spread[shape] << (4 * direction)) & (SHAPE_BITS << (4 * direction));
    if (differs == 0) return;
    const PatternSquare new = completed(t, old ^ differs);
    run->value += (new & VALUE_BITS) - (old & VALUE_BITS);
    *run->top++ = (PatternChange){old, (u64)c};
    p->at[c] = new;
    change_class(p, c, old, new);
}

/* Updates the squares of one line that see c. */
static ALWAYS_INLINE void refresh_line(Pattern *p, Run *run, Cell c, int direction, int step,
                                       int reach) {
    const ShapeTable *t = p->table->shapes;
    const u64 line = p->line[line_index(c, direction)];
    const int at = line_position(c, direction);
    for (u32 seen = t->seen_ahead[line_key_ahead(line, at, reach)]; seen; seen &= seen - 1) {
        const int by = __builtin_ctz(seen) + 1;
        set_shape(p, run, (Cell)(c + by * step), direction, look_up(t, line, at + by, reach));
    }
    for (u32 seen = t->seen_behind[line_key_behind(line, at, reach)]; seen; seen &= seen - 1) {
        const int by = -__builtin_ctz(seen) - 1;
        set_shape(p, run, (Cell)(c + by * step), direction, look_up(t, line, at + by, reach));
    }
}

static ALWAYS_INLINE void refresh(Pattern *p, Cell c, int reach) {
    Run run = {p->value, p->stack + p->top};
    refresh_line(p, &run, c, 0, 1, reach);
    refresh_line(p, &run, c, 1, STRIDE, reach);
    refresh_line(p, &run, c, 2, STRIDE + 1, reach);
    refresh_line(p, &run, c, 3, 1 - STRIDE, reach);
    p->value = run.value;
    p->top = (u32)(run.top - p->stack);
}

/* One compiled loop for each width of window. */
static inline void refresh_around(Pattern *p, Cell c) {
    if (p->table->shapes->reach == 4)
        refresh(p, c, 4);
    else
        refresh(p, c, 5);
}

static PatternSquare look_up_square(const Pattern *p, Cell c) {
    const ShapeTable *t = p->table->shapes;
    PatternSquare s = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        const u8 shape = look_up(t, p->line[line_index(c, d)], line_position(c, d), t->reach);
        s |= p->table->spread[shape] << (4 * d);
    }
    return completed(p->table, s);
}

/* Starts or stops counting an empty square. */
static inline void count_square(Pattern *p, Cell c, bool in) {
    const PatternSquare s = p->at[c];
    p->value += in ? s & VALUE_BITS : 0 - (s & VALUE_BITS);
    count_class(p, BLACK, c, s, in ? 1 : -1);
    count_class(p, WHITE, c, s, in ? 1 : -1);
}

/* --- the interface ----------------------------------------------------------------------- */

void pattern_table_init(PatternTable *t, const ShapeTable *shapes, const u16 *const value[COLORS]) {
    t->shapes = shapes;
    for (int i = 0; i < 256; i++) {
        t->low[i] = shapes->pair[i];
        t->high[i] = (u16)(shapes->pair[i] * PAIR_CODES);
        t->spread[i] = (u64)(i & 15) << 16 | (u64)(i >> 4) << 48;
    }
    for (int color = 0; color < COLORS; color++)
        for (int i = 0; i < PAIR_CODES * PAIR_CODES; i++) {
            const u32 code = shapes->code[i];
            ASSERT(value[color][code] < 4096);
            t->square[color][i] = (u16)(shapes->class[color][code] << 12 | value[color][code]);
        }
}

void pattern_init(Pattern *p, const PatternTable *table, int size) {
    memset(p, 0, offsetof(Pattern, stack));
    p->table = table;
    memset(p->line, 0xFF, sizeof p->line);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) toggle(p, cell_at(x, y), NEUTRAL);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const Cell c = cell_at(x, y);
            p->at[c] = look_up_square(p, c);
            count_square(p, c, true);
        }
}

void pattern_copy(Pattern *p, const Pattern *from) {
    memcpy(p, from, offsetof(Pattern, stack));
    memcpy(p->stack, from->stack, from->top * sizeof *p->stack);
}

void pattern_toggle(Pattern *p, Cell c, Stone s) {
    toggle(p, c, s);
}

PatternRun pattern_run(const Pattern *p, Color color, Cell c, int direction) {
    /* zero if a square holds the colour's stone; never zero beyond the line */
    const u64 differs = p->line[line_index(c, direction)] ^ (color + 1u) * LOW_BITS;
    const int at = 2 * (line_position(c, direction) + PAD);
    return (PatternRun){__builtin_clzll(differs << (64 - at)) / 2,
                        __builtin_ctzll(differs >> (at + 2)) / 2};
}

PatternMark pattern_put(Pattern *p, Cell c, Stone s) {
    const PatternMark mark = {p->value, p->top};
    ASSERT(p->top + MAX_CHANGES <= PATTERN_STACK);
    count_square(p, c, false);
    toggle(p, c, s);
    refresh_around(p, c);
    return mark;
}

PatternMark pattern_remove(Pattern *p, Cell c, Stone s) {
    const PatternMark mark = {p->value, p->top};
    ASSERT(p->top + MAX_CHANGES + 1 <= PATTERN_STACK);
    toggle(p, c, s);
    p->stack[p->top++] = (PatternChange){p->at[c], (u64)c};
    p->at[c] = look_up_square(p, c);
    count_square(p, c, true);
    refresh_around(p, c);
    return mark;
}

static inline void put_back(Pattern *p, u32 down_to) {
    const PatternChange *top = p->stack + p->top, *end = p->stack + down_to;
    while (top > end) {
        top--;
        const PatternSquare new = p->at[top->cell];
        p->at[top->cell] = top->old;
        change_class(p, (Cell)top->cell, new, top->old);
    }
    p->top = down_to;
}

void pattern_undo_put(Pattern *p, Cell c, Stone s, PatternMark mark) {
    put_back(p, mark.top);
    toggle(p, c, s);
    count_square(p, c, true);
    p->value = mark.value;
}

void pattern_undo_remove(Pattern *p, Cell c, Stone s, PatternMark mark) {
    put_back(p, mark.top + 1);
    count_square(p, c, false);
    p->at[c] = p->stack[--p->top].old;
    toggle(p, c, s);
    p->value = mark.value;
}
