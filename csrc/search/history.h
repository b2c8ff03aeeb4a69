/* history.h - what the search has learned about moves: killers, countermoves, histories. */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "search/score.h"

enum { HISTORY_MAX = 4096 }; /* what lessons add up to at most */

typedef struct {
    int16_t quiet[COLORS][CELLS];                    /* -HISTORY_MAX..HISTORY_MAX, like the next */
    int16_t after[COLORS][MAX_SQUARES][MAX_SQUARES]; /* as an answer to the move before it */
    bool answered;               /* `after` holds something: its pages are touched by nobody else */
    Cell counter[COLORS][CELLS]; /* the answer that refuted this move of colour last */
    Cell killer[MAX_PLY][2];
} History;

/* The memory is zero when it is cleared first. */
void history_clear(History *h);
/* Between two searches of one game: lessons on squares fade, killers belong to their plies. */
void history_fade(History *h);
/* `move` cut the node off at `depth`; the `count` moves of tried, before it, did not. `last` is the
 * move before, or NO_CELL; `answers`: whether what answers it is learned, too. */
void history_reward(History *h, Color c, int ply, int depth, Cell last, Cell move,
                    const Cell *tried, int count, bool answers);

/* Squares of any board without the gaps between the rows: half of the memory. */
static inline int history_square(Cell c) {
    return cell_y(c) * MAX_SIZE + cell_x(c);
}

#endif
