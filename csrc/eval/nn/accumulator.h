/* accumulator.h - the first layer of the networks: numbers of each square, kept up to date.
 *
 *   each square, for each colour     own[its code] + other[the code to the other side]:  8 numbers
 *     with lines                     + a row for each of its four lines: 8 numbers of the same,
 *                                      and 8 more
 *   around it                        a bias, and by one factor a number and ring the sums of
 *                                      2 1 2     ring 0, its own 8 numbers,
 *                                      1 0 1     ring 1, the four squares beside it,
 *                                      2 1 2     ring 2, the four across its corners
 *   over the board                   sums of all three kinds, after relu
 *
 * A square's numbers depend on both codes together, and those around it on its neighbours. A stone
 * is a code more. Lines are optional: a network without them is smaller and faster. A square passes
 * its numbers on within NET_SQUARE_BOUND; only lines can carry them beyond. The accumulator follows
 * the position from move to move, but only when a score is needed: the patterns' stack lists the
 * squares that a move changed; of lines, those that see its stones are compared with what is kept.
 */
#ifndef EVAL_NN_ACCUMULATOR_H
#define EVAL_NN_ACCUMULATOR_H

#include "eval/nn/simd.h"
#include "position/position.h"
#include "shape/line_class.h"

/* layout: begin */
enum {
    NET_WIDTH = 8,
    NET_LANES = COLORS * NET_WIDTH, /* both views of a square */
    NET_RINGS = 3,
    NET_CODES = SQUARE_CODES + COLORS, /* of empty squares; an own stone, a foreign one */
    NET_SUMS = 2 * NET_WIDTH,          /* of a colour: its squares, and what is around them */
    NET_OWN_STONE = SQUARE_CODES,
    NET_FOREIGN_STONE,
    NET_LINE_WIDTH = 2 *
        NET_WIDTH,             /* of a line: for the numbers that codes have, and as many more */
    NET_MORE_SUMS = NET_WIDTH, /* of a colour: the further numbers of its squares */
    NET_STANDS = 1 + COLORS    /* on the square of a line: nothing, an own stone, a foreign one */
};

enum {
    /* |own|, |other|; the factors by ring. So a square is at most 126 and changes by 252, what is
     * around it at most 16,900, and what one change adds to nine sums fits 16 bits. */
    NET_SQUARE_MAX = 63,
    NET_FACTOR_MAX = 30,
    NET_RING_MAX = 12,
    NET_BIAS_MAX = 1024,
    NET_LINE_MAX = 96,
    NET_SQUARE_BOUND = 126 /* of what a square passes on */
};

typedef struct {
    int8_t own[NET_WIDTH], other[NET_WIDTH];
} NetSquare;

/* By code. Colours with different laws have one each. */
typedef struct {
    NetSquare code[NET_CODES];
} NetSquares;

/* By what stands on the square and the class of the line, both as the colour sees them. Colours
 * with different laws have one each. */
typedef struct {
    int8_t row[NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH];
} NetLines;
/* layout: end */

/* As Black sees it, then as White does. */
enum { NET_PARTS = NET_LANES / SIMD_INT16S };
typedef struct {
    SimdInt16 part[NET_PARTS];
} NetRow;

/* What a line adds to both views of a square: to the numbers that codes have, and to the further
 * ones. Eight bits a number, because the rows shall stay in the second cache. */
typedef struct {
    SimdInt8 square[NET_PARTS], more[NET_PARTS];
} NetLineRow;

/* The rows of lines, by the stone on the square and the line's class as Black sees it. */
typedef struct {
    const LineTable *classes;
    _Alignas(64) NetLineRow row[COLORS + 1][LINE_CLASSES];
} LineRows;

/* The weights in the form that the updates need: rows for both views at once. No row here or in an
 * accumulator lies across two lines of the cache: 1.02 times the speed of the search. */
typedef struct {
    _Alignas(64) NetRow square[COLORS][NET_CODES]; /* what a code of it adds to both views */
    NetRow factor[NET_RINGS], bias;
    const LineRows *lines; /* NULL: a network without them */
} AccumulatorTable;

/* The numbers of a network's first layer as a weights file has them. By colour: the same twice
 * where the colours have one law. */
typedef struct {
    const int16_t (*factor)[NET_WIDTH]; /* NET_RINGS of them */
    const int16_t *bias;
    const NetSquares *squares[COLORS];
    const NetLines *lines[COLORS]; /* NULL: none */
} FirstLayer;

/* rows: room for those of the lines, which must outlive the table; unused without lines. */
void accumulator_table_init(AccumulatorTable *t, const FirstLayer *from, LineRows *rows);

/* In the order of the lanes. */
typedef struct {
    int32_t square[NET_LANES], around[NET_LANES], more[NET_LANES];
} AccumulatorSums;

/* The squares of a position and the sums over them. `around` goes beyond the board, so that no
 * update needs to know where the board ends. */
enum { NET_BEYOND = STRIDE + 1 };
typedef struct {
    _Alignas(64) NetRow at[CELLS], around[NET_BEYOND + CELLS + NET_BEYOND];
    AccumulatorSums sums;
    /* with lines only: what the squares' numbers were added up from */
    NetRow more[CELLS];
    u16 line[CELLS][DIRECTIONS];
    PatternSquare shapes[CELLS];
    u16 code[CELLS][COLORS]; /* of empty squares, by their shapes */
} Accumulator;

/* A move on the way to the accumulator's position: the position that the move made, and the squares
 * that differ from the position before; with lines, those that got or lost a stone. */
typedef struct {
    u64 key;
    int plies;
    Bitboard changed;
} AccumulatorStep;

/* One accumulator, and the moves that lead to its position. Zeroed, or with no steps: it holds
 * nothing. For one rule and one size of board. */
typedef struct {
    int steps;
    AccumulatorStep step[MAX_GAME_PLIES + 1];
    Accumulator top;
} AccumulatorStack;

/* Brings the stack to the position and returns its sums. */
const AccumulatorSums *accumulator_update(const AccumulatorTable *t, const Position *p,
                                          AccumulatorStack *stack);
/* Computes an accumulator from nothing. */
void accumulator_refresh(const AccumulatorTable *t, const Position *p, Accumulator *a);
/* The sums from nothing, where there is no stack; takes 50 KB of the thread's stack meanwhile. */
void accumulator_sums(const AccumulatorTable *t, const Position *p, AccumulatorSums *out);

#endif
