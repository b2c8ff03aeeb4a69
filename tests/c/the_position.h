/* the_position.h - the one position that a test uses, emptied or set up again.
 */
#ifndef TESTS_THE_POSITION_H
#define TESTS_THE_POSITION_H

#include "eval/evaluate.h"
#include "position/position.h"

static Position pos;

static inline void empty_position(Rule rule, int size) {
    position_init(&pos, rule, &eval_table(rule)->pattern, size);
}

static inline void ready(int black_captures, int white_captures, Color to_move) {
    const int captures[COLORS] = {black_captures, white_captures};
    position_ready(&pos, captures, to_move);
}

/* Copies the stones of a board of the test. */
static inline void set_up(const Board *b, Rule rule) {
    empty_position(rule, b->size);
    for (Cell c = 0; c < CELLS; c++)
        if (b->stone[c] != EMPTY && b->stone[c] != OFF_BOARD)
            position_put(&pos, c, (Stone)b->stone[c]);
    ready(b->captures[BLACK], b->captures[WHITE], b->to_move);
}

#endif
