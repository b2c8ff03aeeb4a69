/* history.h - what the search has learned about moves: killers, countermoves, history. */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "search/score.h"

enum { HISTORY_MAX = 4096 };

typedef struct {
    int16_t quiet[COLORS][CELLS]; /* -HISTORY_MAX..HISTORY_MAX */
    Cell counter[COLORS][CELLS];  /* the answer that refuted this move of colour last */
    Cell killer[MAX_PLY][2];
} History;

void history_clear(History *h);
/* Between two searches of one game: old lessons fade, killers belong to their plies. */
void history_fade(History *h);
/* `move` cut the node off at `depth`; the `count` moves of tried, before it, did not. */
void history_reward(History *h, Color c, int ply, int depth, Cell last, Cell move,
                    const Cell *tried, int count);

static inline int history_of(const History *h, Color c, Cell move) {
    return h->quiet[c][move];
}

#endif
