/* history.h - killers, countermoves and histories of cutoffs. */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "search/score.h"

enum { HISTORY_MAX = 4096 }; /* the bound on every history value */

typedef struct {
    int16_t quiet[COLORS][CELLS]; /* -HISTORY_MAX..HISTORY_MAX, like the next */
    int16_t after[COLORS][MAX_SQUARES]
                 [MAX_SQUARES];  /* continuation history: as an answer to the move before */
    bool answered;               /* `after` is in use; otherwise its pages are never touched */
    Cell counter[COLORS][CELLS]; /* the last refutation of this move of the colour */
    Cell killer[MAX_PLY][2];
} History;

/* The memory must be zero before the first call. */
void history_clear(History *h);
/* Between two searches of one game: halves the histories and forgets the killers. */
void history_fade(History *h);
/* `move` failed high at `depth` after the `count` moves of `tried` did not. `last` is the move
 * before, or NO_CELL; `answers`: whether the continuation history learns too. */
void history_reward(History *h, Color c, int ply, int depth, Cell last, Cell move,
                    const Cell *tried, int count, bool answers);

/* The index of a square without the gaps between rows: half of the memory. */
static inline int history_square(Cell c) {
    return cell_y(c) * MAX_SIZE + cell_x(c);
}

#endif
