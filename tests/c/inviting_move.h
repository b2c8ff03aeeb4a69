/* inviting_move.h - random moves that make lines and captures likely.
 */
#ifndef TESTS_INVITING_MOVE_H
#define TESTS_INVITING_MOVE_H

#include "random.h"
#include "the_position.h"

/* The move of the best of some random squares: near stones, capturing, or making a line. */
static inline Cell inviting_move(void) {
    const Color us = position_to_move(&pos);
    Cell best = random_cell(&pos.board.empty);
    int most = -1;
    for (int tries = 0; tries < 12; tries++) {
        const Cell c = random_cell(&pos.board.empty);
        int n = 0;
        for (int d = 0; d < DIRECTIONS; d++) n += (int)pattern_shape(&pos.pattern, us, c, d);
        if (pos.traits.captures)
            n += 2 * (int)SHAPES * capture_lines_count(&pos.capture_lines, us, c, CAPTURE_NOW);
        if (n > most) {
            most = n;
            best = c;
        }
    }
    return best;
}

#endif
