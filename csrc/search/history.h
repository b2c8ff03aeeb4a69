/* history.h - what cutoffs teach the move order: killers, countermoves, history tables. */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "search/score.h"

enum { HISTORY_MAX = 4096 }; /* bounds every history value */

typedef struct {
    int16_t quiet[COLORS][CELLS];                    /* -HISTORY_MAX..HISTORY_MAX, like the next */
    int16_t after[COLORS][MAX_SQUARES][MAX_SQUARES]; /* continuation history: the reply to a move */
    bool after_used;             /* otherwise the pages of `after` are never touched */
    Cell counter[COLORS][CELLS]; /* the last refutation of this move of the colour */
    Cell killer[MAX_PLY][2];
} History;

/* The memory must be zero before the first call. */
void history_clear(History *h);
/* Between two searches of one game: halves the histories and clears the killers. */
void history_fade(History *h);
/* Learns a cutoff: `move` failed high at `depth`, after the `count` moves of `tried` did not.
 * `last` is the previous move, or NO_CELL; `conthist`: whether to update the continuation history
 * too. */
void history_reward(History *h, Color c, int ply, int depth, Cell last, Cell move,
                    const Cell *tried, int count, bool conthist);

/* Adds to the history of one move. */
void history_note(History *h, Color c, Cell move, int bonus);

/* The index of a square without the gaps between rows: half of the memory. */
static inline int history_square(Cell c) {
    return cell_y(c) * MAX_SIZE + cell_x(c);
}

#endif
