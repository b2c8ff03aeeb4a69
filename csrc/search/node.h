/* node.h - the state of one node, shared by the steps of its search. No functions. */
#ifndef SEARCH_NODE_H
#define SEARCH_NODE_H

#include "board/bitboard.h"
#include "search/tt.h"

typedef struct {
    int ply, depth, alpha, beta;
    bool improving; /* the static score is better for the mover than two plies before */
    bool pv;        /* an open window */
    bool cut_node;  /* expected to fail high */
    bool forced;    /* the moves are answers to a win threatened at once */
    bool narrowed;  /* rules with captures: the moves are only the likely answers to an open four */
    int eval;       /* SCORE_NONE when it was not needed */
    TableEntry entry; /* of the table; bound BOUND_NONE: none */
    Cell tt_move;     /* the table's move; NO_CELL: none */
    Bitboard moves;
    Bitboard captures; /* squares on which either side would capture */
    int best;
    Cell best_move;
} Node;

#endif
