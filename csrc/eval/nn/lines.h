/* lines.h - the rows for whole lines: numbers of each square, updated incrementally.
 *
 * A square has a row for each of the four lines through it, by its content and the class of the
 * line (line_class.h). The sum of the four rows is a part of the square's numbers (accumulator.h).
 *
 * A stone changes four lines, and each line changes the rows of up to eleven squares (nine where
 * lines end after four squares). Which rows the squares of a line have depends on the content of
 * the line alone. So an update looks up the new content in a small table, and exchanges the rows
 * that differ.
 */
#ifndef EVAL_NN_LINES_H
#define EVAL_NN_LINES_H

#include "eval/nn/simd.h"
#include "position/position.h"
#include "shape/line_class.h"

/* layout: begin */
enum {
    NET_LINE_WIDTH = 8,
    NET_LINE_LANES = COLORS * NET_LINE_WIDTH, /* both views of a square */
    NET_STANDS = 1 + COLORS, /* the content of a square: empty, an own stone, a foreign stone */
    NET_LINE_MAX = 31        /* a sum of four rows is at most 124 */
};

/* By the content of the square and the class of the line, both in the colour's view; one for each
 * law. */
typedef struct {
    int8_t row[NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH];
} NetLines;
/* layout: end */

/* The row of a line, or the sum of the rows of a square, Black's view before White's. Rows have
 * eight bits a number, so that they stay in the L2 cache. */
enum { NET_LINE_PARTS = NET_LINE_LANES / SIMD_INT16S };
typedef struct {
    SimdInt8 part[NET_LINE_PARTS];
} NetLineRow;
typedef struct {
    SimdInt16 part[NET_LINE_PARTS];
} NetLineSum;

/* index[s * LINE_CLASSES + i]: that of the row for the stone s on the square, BLACK, WHITE or
 * EMPTY, and the class i of the line in Black's view. Lines with the same row and the same shapes
 * share an index. So a square whose four lines keep their indices keeps its codes, too. The last
 * index is that of a row of zeroes, for a neutral stone and beyond the board. */
enum { LINE_NONE = (COLORS + 1) * LINE_CLASSES };
typedef struct {
    const LineTable *classes;
    u16 index[LINE_NONE + 1];
    _Alignas(64) NetLineRow row[LINE_NONE + 1];
} LineRows;

/* shapes: of the rule. lines: by colour; the same twice if the colours have one law. */
void line_rows_init(LineRows *rows, const ShapeTable *shapes, const NetLines *const lines[COLORS]);

/* The rows of the squares of a line, by the content of the line. Zeroed, it is empty. */
enum { LINE_SLOTS = 4096, LINE_POSITIONS = 24 };
typedef struct {
    _Alignas(64) u64 word; /* 0: an empty slot, because the word of a line has edges */
    u16 row[LINE_POSITIONS];
} LineSlot;
typedef struct {
    LineSlot slot[LINE_SLOTS];
} LineSlots;

/* The sums of a position's squares, the contents of its lines (line_key.h), and the rows of their
 * squares. */
typedef struct {
    _Alignas(64) NetLineSum at[CELLS];
    u64 word[LINES];
    _Alignas(64) u16 row[LINES][LINE_POSITIONS];
} LineSquares;

/* Computes the sums of all squares from nothing. */
void lines_refresh(const LineRows *rows, const Position *p, LineSquares *squares);
/* Updates them, and adds the squares whose rows have changed. stones: the squares that may have got
 * or lost a stone. */
void lines_update(const LineRows *rows, const Position *p, LineSlots *slots, const Bitboard *stones,
                  LineSquares *squares, Bitboard *changed);

#endif
