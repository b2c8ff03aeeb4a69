/* movepick.h - the moves of a node, best score first. */
#ifndef SEARCH_MOVEPICK_H
#define SEARCH_MOVEPICK_H

#include "base/params.h"
#include "eval/evaluate.h"
#include "search/history.h"

typedef struct {
    int count, next;
    int32_t top; /* the best score of all moves, including hints->first */
    /* Score in the high bits, square in the low bits: one comparison orders both. Equal scores are
     * ordered by square, so the order does not depend on how the list was made. */
    int32_t key[MAX_SQUARES];
} MovePicker;

/* The knowledge that orders the moves of a node, besides their shapes. */
typedef struct {
    const Params *params;
    const History *history; /* may be NULL */
    int ply;
    Cell first;               /* already searched, so not listed; or NO_CELL */
    const PolicyNode *policy; /* NULL: the tables alone */
} MoveHints;

/* Lists the squares of the set by static move score, killers, the countermove and history. */
void movepick_init(MovePicker *m, const EvalTable *t, const Position *p, const Bitboard *set,
                   const MoveHints *hints);
/* The next move, or NO_CELL; *gap is the distance of its score to the best score. */
Cell movepick_next(MovePicker *m, int *gap);
/* Drops the remaining moves that make no threat, stop none and capture nothing. */
void movepick_skip_quiets(MovePicker *m, const Position *p, const Bitboard *captures);

#endif
