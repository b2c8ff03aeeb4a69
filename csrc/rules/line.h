/* line.h - walking from a square along one of the four directions; inside rules/ only.
 *
 *      steps   -2 -1  0  1  2
 *               .  X (c) X  X      Run of c: back 1, ahead 2
 */
#ifndef RULES_LINE_H
#define RULES_LINE_H

#include "board/board.h"

enum { FIVE = 5, FOUR = 4 };

/* The number of adjacent stones of c's colour on each side. */
typedef struct {
    int back, ahead;
} Run;

/* The content of the square `steps` squares from c; OFF_BOARD outside. */
static inline Stone line_stone(const Board *b, Cell c, int direction, int steps) {
    return board_stone(b, cell_x(c) + steps * DIR_DX[direction],
                       cell_y(c) + steps * DIR_DY[direction]);
}

/* The square `steps` squares from c, which must be on the board. */
static inline Cell line_cell(const Board *b, Cell c, int direction, int steps) {
    ASSERT(line_stone(b, c, direction, steps) != OFF_BOARD);
    (void)b;
    return cell_at(cell_x(c) + steps * DIR_DX[direction], cell_y(c) + steps * DIR_DY[direction]);
}

/* The run through the stone on c. */
static inline Run line_run(const Board *b, Cell c, int direction) {
    const Stone own = line_stone(b, c, direction, 0);
    ASSERT(own == BLACK || own == WHITE);
    Run run = {0, 0};
    while (line_stone(b, c, direction, run.ahead + 1) == own) run.ahead++;
    while (line_stone(b, c, direction, -(run.back + 1)) == own) run.back++;
    return run;
}

/* True for a square of the board, false for NO_CELL. */
static inline bool line_on_board(const Board *b, Cell c) {
    return c >= 0 && board_inside(b, cell_x(c), cell_y(c));
}

#endif
