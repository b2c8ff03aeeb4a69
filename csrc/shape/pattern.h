/* pattern.h - the shapes of every empty square for both colours, kept incrementally.
 *
 * The lines of the board are words (line_key.h). A stone changes only the squares that see it: up
 * to `reach` away along a line and not behind stones of both colours. Their shapes are looked up
 * again, and a stack keeps the old words for undo.
 */
#ifndef SHAPE_PATTERN_H
#define SHAPE_PATTERN_H

#include "board/bitboard.h"
#include "shape/line_key.h"
#include "shape/shape.h"

enum {
    MAX_CHANGES = DIRECTIONS * 2 * MAX_REACH,
    /* one stone for each ply, and the captured stones; the square of a capture is a change, too */
    PATTERN_STACK = (MAX_GAME_PLIES + MAX_FREED) * (MAX_CHANGES + 1)
};

/* An empty square: what a stone on it would make. On an occupied square: what stood there when
 * the stone came. One word, taken apart by shifts: writing its parts and reading the whole back
 * would cost a failed store forwarding each time (twice the time of a make, when tried).
 *
 *   bits  0..11  value to Black     bits 32..43  value to White   (so both sums are one addition)
 *   bits 12..15  class for Black    bits 44..47  for White
 *   bits 16..31  Black's shapes, a nibble per direction
 *   bits 48..63  White's
 */
typedef u64 PatternSquare;

/* The shapes and weights of a rule, in the form that the update needs. */
typedef struct {
    const ShapeTable *shapes;
    u16 low[256], high[256];                     /* two shapes -> part of the index below */
    u16 square[COLORS][PAIR_CODES * PAIR_CODES]; /* class << 12 | value */
    u64 spread[256]; /* Black | White << 4 -> both at their places for direction 0 */
} PatternTable;

typedef struct {
    PatternSquare old;
    u64 cell;
} PatternChange;

typedef struct {
    const PatternTable *table;
    u64 value;             /* summed over the empty squares: Black's low half, White's high */
    u16 count[COLORS][16]; /* empty squares by SquareClass; QUIET is not counted */
    Bitboard set[COLORS][SQUARE_CLASSES]; /* the same squares; QUIET is not kept */
    u64 line[LINES];
    PatternSquare at[CELLS];
    u32 top;
    PatternChange stack[PATTERN_STACK];
} Pattern;

/* The state that pattern_undo_* needs to undo one stone. */
typedef struct {
    u64 value;
    u32 top;
} PatternMark;

/* `value` is the worth of an empty square to a colour, by the code of its shapes: 0..4095. */
void pattern_table_init(PatternTable *t, const ShapeTable *shapes, const u16 *const value[COLORS]);
/* An empty board of `size`. */
void pattern_init(Pattern *p, const PatternTable *table, int size);
/* Copies the squares and the used part of the stack. */
void pattern_copy(Pattern *p, const Pattern *from);
/* Puts a stone (BLACK, WHITE, NEUTRAL) on square c, or removes it. */
PatternMark pattern_put(Pattern *p, Cell c, Stone s);
PatternMark pattern_remove(Pattern *p, Cell c, Stone s);
/* Toggles a stone in the words of its lines only. Only readers of these words see it. A second call
 * undoes it. */
void pattern_toggle(Pattern *p, Cell c, Stone s);
/* The lengths of the runs of a colour on both sides of c along a direction, whatever is on c. */
typedef struct {
    int behind, ahead;
} PatternRun;

PatternRun pattern_run(const Pattern *p, Color color, Cell c, int direction);
/* Undo the last change, which must have been this one. */
void pattern_undo_put(Pattern *p, Cell c, Stone s, PatternMark mark);
void pattern_undo_remove(Pattern *p, Cell c, Stone s, PatternMark mark);

/* A colour's four shapes on an empty square, a nibble each. */
static inline u32 pattern_shapes(const Pattern *p, Color color, Cell c) {
    return (u32)(p->at[c] >> (16 + 32 * color)) & 0xFFFF;
}

static inline Shape pattern_shape(const Pattern *p, Color color, Cell c, int direction) {
    return (Shape)(pattern_shapes(p, color, c) >> (4 * direction) & 15);
}

static inline SquareClass pattern_class(const Pattern *p, Color color, Cell c) {
    return (SquareClass)(p->at[c] >> (12 + 32 * color) & 15);
}

static inline u32 pattern_code(const Pattern *p, Color color, Cell c) {
    return shape_square_code(p->table->shapes, pattern_shapes(p, color, c));
}

/* Whether the square may be a forbidden double three, which only the rules can decide. */
static inline bool pattern_suspect(const Pattern *p, Color color, Cell c) {
    return p->table->shapes->suspect[color][pattern_code(p, color, c)];
}

/* The weights of all empty squares for a colour. */
static inline int32_t pattern_value(const Pattern *p, Color color) {
    return (int32_t)(u32)(p->value >> (32 * color));
}

#endif
