/* movepick.h - the moves of a node, best looking first. */
#ifndef SEARCH_MOVEPICK_H
#define SEARCH_MOVEPICK_H

#include "eval/eval.h"
#include "search/history.h"

typedef struct {
    int count, next;
    int32_t top; /* the best score, the table's move taken at its own worth */
    Cell move[MAX_SQUARES];
    int32_t score[MAX_SQUARES];
} MovePicker;

/* The squares of the set in the order: the table's move, killers and the countermove, then by
 * static move score and history. `h` may be NULL. */
void movepick_init(MovePicker *m, const EvalTable *t, const Position *p, const Bitboard *set,
                   Cell first, const History *h, int ply);
/* The next move, or NO_CELL. Its score is m->score[m->next - 1]. */
Cell movepick_next(MovePicker *m);

#endif
