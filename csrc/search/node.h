/* node.h - the state of one node, shared by the steps of its search. No functions. */
#ifndef SEARCH_NODE_H
#define SEARCH_NODE_H

#include "board/bitboard.h"
#include "search/tt.h"

typedef struct {
    int ply, depth, alpha, beta;
    bool improving; /* the static score is higher than two plies before */
    bool pv;        /* an open window */
    bool cut_node;  /* expected to fail high */
    bool forced;    /* the opponent threatens to win: the moves are the answers */
    bool narrowed;  /* rules with captures: the moves are only the likely answers to an open four */
    int eval;       /* the static score; SCORE_NONE: not computed */
    TableEntry entry; /* of the transposition table; BOUND_NONE: none */
    Cell tt_move;     /* the table's move; NO_CELL: none */
    Bitboard moves;
    Bitboard captures; /* squares on which either side would capture */
    int best;
    Cell best_move;
} Node;

#endif
