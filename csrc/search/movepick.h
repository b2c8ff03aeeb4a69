/* movepick.h - the moves of a node, best looking first. */
#ifndef SEARCH_MOVEPICK_H
#define SEARCH_MOVEPICK_H

#include "base/params.h"
#include "eval/eval.h"
#include "search/history.h"

typedef struct {
    int count, next;
    int32_t top; /* the best score, that of the move tried first among them */
    /* score above, square below: one comparison orders both, and equal scores go by square, so
     * that the order never depends on how the list was made */
    int32_t key[MAX_SQUARES];
} MovePicker;

/* What beside its shapes speaks for a move at a node. */
typedef struct {
    const Params *params;
    const History *history; /* may be NULL */
    int ply;
    Cell first;               /* not listed: it has had its turn; or NO_CELL */
    const PolicyNode *policy; /* NULL: the tables are all */
} MoveHints;

/* The squares of the set by static move score, killers, the countermove and history. */
void movepick_init(MovePicker *m, const EvalTable *t, const Position *p, const Bitboard *set,
                   const MoveHints *hints);
/* The next move, or NO_CELL; how far its score lies behind the best one's goes to *gap. */
Cell movepick_next(MovePicker *m, int *gap);
/* Drops the moves to come that make no threat, stop none and capture nothing. */
void movepick_skip_quiets(MovePicker *m, const Position *p, const Bitboard *captures);

#endif
