/* accumulator.h - the first layer of the networks: numbers of each square, updated incrementally.
 *
 *     each square, for each colour     own[its code] + other[the other side's code]: 8 numbers;
 *                                      with lines, a row for each of its four lines is added
 *     around it                        a bias, and for each number and ring a factor times the
 *                                      sum of
 *                                        2 1 2     ring 0, its own 8 numbers,
 *                                        1 0 1     ring 1, the four squares beside it,
 *                                        2 1 2     ring 2, the four across its corners
 *     over the board                   sums of both kinds, after relu
 *
 * The numbers of a square depend on both codes together, the numbers around it on its neighbours. A
 * stone has a code of its own. Lines are optional: a network without them is smaller and faster.
 * The accumulator follows the position from move to move, but only when a score is needed. The
 * patterns' stack lists the squares whose codes a move changed. Lines are updated by their content
 * (lines.h).
 */
#ifndef EVAL_NN_ACCUMULATOR_H
#define EVAL_NN_ACCUMULATOR_H

#include "eval/nn/lines.h"

/* layout: begin */
enum {
    NET_WIDTH = 8,
    NET_LANES = COLORS * NET_WIDTH, /* both views of a square */
    NET_RINGS = 3,
    NET_CODES = SQUARE_CODES + COLORS, /* of empty squares; an own stone, a foreign stone */
    NET_SUMS = 2 * NET_WIDTH,          /* of a colour: its squares, and the numbers around them */
    NET_OWN_STONE = SQUARE_CODES,
    NET_FOREIGN_STONE
};

enum {
    /* |own|, |other|; the factors by ring. A square is thus at most 126, the numbers around it are
     * at most 16,900, and the sum of three of them fits 16 bits without a sign. With lines these
     * are 250, 32,524, and the sum of two. */
    NET_SQUARE_MAX = 63,
    NET_FACTOR_MAX = 30,
    NET_RING_MAX = 12,
    NET_BIAS_MAX = 1024
};

typedef struct {
    int8_t own[NET_WIDTH], other[NET_WIDTH];
} NetSquare;

/* By code; one for each law. */
typedef struct {
    NetSquare code[NET_CODES];
} NetSquares;
/* layout: end */

/* Black's view, then White's. */
enum { NET_PARTS = NET_LANES / SIMD_INT16S };
typedef struct {
    SimdInt16 part[NET_PARTS];
} NetRow;

/* The weights in the form of the updates: rows for both views at once. No row here or in an
 * accumulator crosses a cache line, which makes the search 1.02 times as fast. */
typedef struct {
    _Alignas(64) NetRow square[COLORS][NET_CODES]; /* the row of a code for both views */
    NetRow factor[NET_RINGS], bias;
    const LineRows *lines; /* NULL: a network without lines */
    u64 id;                /* of no other table of the process; never 0 */
} AccumulatorTable;

/* The numbers of a network's first layer in a weights file. By colour: the same twice if the
 * colours have one law. */
typedef struct {
    const int16_t (*factor)[NET_WIDTH]; /* NET_RINGS of them */
    const int16_t *bias;
    const NetSquares *squares[COLORS];
    const NetLines *lines[COLORS]; /* NULL: none */
    const ShapeTable *shapes;      /* of the rule; unused without lines */
} FirstLayer;

/* rows: memory for the rows of lines, which must outlive the table; unused without lines. */
void accumulator_table_init(AccumulatorTable *t, const FirstLayer *from, LineRows *rows);

/* In the order of the lanes. */
typedef struct {
    int32_t square[NET_LANES], around[NET_LANES];
} AccumulatorSums;

/* The squares of a position and the sums over them. `around` extends beyond the board, so that no
 * update tests for the edge, and has rows for whole groups, which are added in 16 bits. */
enum {
    NET_BEYOND = STRIDE + 1,
    NET_GROUP = 3,      /* rows */
    NET_LINE_GROUP = 2, /* with lines */
    NET_ROWS = (MAX_SIZE + NET_GROUP) / NET_GROUP * NET_GROUP,
    NET_GROUPS = NET_ROWS / NET_LINE_GROUP
};
typedef struct {
    _Alignas(64) NetRow at[CELLS], around[NET_BEYOND + NET_ROWS * STRIDE];
    AccumulatorSums sums;
    SimdInt32 group[NET_GROUPS][NET_PARTS][2]; /* what each group of rows adds to sums.around */
    LineSquares lines;                         /* with lines only */
} Accumulator;

/* A move before the accumulator's position: the position after the move, the squares that got or
 * lost a stone, and those whose codes differ from the position before. With lines these are not
 * listed, because they are among the squares whose lines differ (lines.h). */
typedef struct {
    u64 key;
    int plies;
    Bitboard changed, stones;
} AccumulatorStep;

/* One accumulator, and the moves that lead to its position. Zeroed it is empty, and after that
 * whenever it has no steps: the slots stay valid for every position. Another table empties both. */
typedef struct {
    int steps;
    u64 table; /* the id of the table of the slots; 0: none */
    AccumulatorStep step[MAX_GAME_PLIES + 1];
    Accumulator top;
    LineSlots slots; /* with lines only */
} AccumulatorStack;

/* Updates the stack to the position and returns its sums. */
const AccumulatorSums *accumulator_update(const AccumulatorTable *t, const Position *p,
                                          AccumulatorStack *stack);
/* Computes an accumulator from nothing. */
void accumulator_refresh(const AccumulatorTable *t, const Position *p, Accumulator *a);

#endif
