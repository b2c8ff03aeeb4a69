/* recent.h - the surroundings of the last stones, a part of the value network that may be missing.
 *
 *     for each of two stones       the other side's last one, the mover's last one
 *       5x5 squares around it      sums of the accumulator's numbers, after relu:     32 inputs
 *     both stones together         a row for each of the four lines through either,
 *                                  added up, after relu:                              16 inputs
 *
 * The inputs are computed when a score is needed, from the accumulator's squares. The accumulator
 * does not know them, so a network without this part is as fast as before. They depend on the last
 * two moves, not only on the position.
 */
#ifndef EVAL_NN_RECENT_H
#define EVAL_NN_RECENT_H

#include "eval/nn/accumulator.h"

/* layout: begin */
enum {
    NET_RECENT_STONES = 2, /* the other side's last stone, then the mover's */
    NET_RECENT_REACH = 2,
    NET_RECENT_SUMS = 2 * NET_LANES, /* of a stone: the squares' numbers, the numbers around them;
                                        the mover's before the other side's */
    NET_RECENT_WIDTH = 16,           /* of a line's row */
    NET_RECENT_INPUTS = NET_RECENT_STONES * NET_RECENT_SUMS + NET_RECENT_WIDTH
};

enum {
    NET_RECENT_MAX = 127,        /* of a row's numbers */
    NET_RECENT_INPUT_MAX = 1023, /* of these inputs, so that all products together fit 32 bits */
    NET_ABSENT_MAX = 1 << 25     /* no more than the products that a missing stone lacks */
};

/* By the stone and the class of the line in the mover's view; one for each law. */
typedef struct {
    int8_t row[NET_RECENT_STONES][LINE_CLASSES][NET_RECENT_WIDTH];
} NetRecent;
/* layout: end */

/* The rows by the mover's colour, used where they lie in the file. */
typedef struct {
    const LineTable *classes;
    const NetRecent *rows[COLORS]; /* NULL: a network without this part */
} RecentTable;

/* The inputs of the hidden layer, and the stones that do not exist: then their inputs are 0. */
typedef struct {
    int16_t in[NET_RECENT_INPUTS];
    bool absent[NET_RECENT_STONES];
} RecentInputs;

void recent_table_init(RecentTable *t, const NetRecent *const rows[COLORS]);

/* The square of a colour's last move. If the stone was captured, its square still counts. NO_CELL
 * without such a move, as in a set-up position. A pass is no move: the moves before it count. */
static inline Cell recent_move(const Position *p, Color color) {
    for (int i = p->plies - 1; i >= 0; i--)
        if (p->ply[i].mover == color) return p->ply[i].cell;
    return NO_CELL;
}

/* squares: of the position. */
void recent_inputs(const RecentTable *t, const Position *p, const Accumulator *squares,
                   RecentInputs *out);

#endif
