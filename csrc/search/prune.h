/* prune.h - what a node leaves out, and what it looks at less deeply: margins and reductions. */
#ifndef SEARCH_PRUNE_H
#define SEARCH_PRUNE_H

#include "search/node.h"

/* One node's work, shared by its steps. */
typedef struct {
    int ply, depth, alpha, beta;
    bool improving;   /* better for the mover than two plies before */
    bool pv;          /* an open window */
    bool cut;         /* expected to reach beta */
    bool forced;      /* the moves are answers to a win threatened at once */
    bool narrowed;    /* ninuki: the moves are likely answers to an open four, not all of them */
    int eval;         /* SCORE_NONE when it was not asked for */
    TableEntry known; /* bound BOUND_NONE: nothing */
    Cell first;       /* the table's move */
    Bitboard moves;
    Bitboard captures; /* ninuki: squares on which either side would capture */
    int best;
    Cell best_move;
} Node;

/* Reverse futility: far above beta with little depth left, the node will not fall below it. */
bool prune_far_above_beta(const Searcher *s, const Node *n);
/* So far above beta that less depth will show it. */
bool prune_fail_high(const Searcher *s, const Node *n);
/* Razoring: far below alpha with little depth left, only a win by fours can help. */
bool prune_far_below_alpha(const Searcher *s, const Node *n);
/* A move that may be left out, and so may every later one that is no threat. */
bool prune_late(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* Neither this move nor any later one is worth a look. */
bool prune_rest(const Searcher *s, const Node *n, int index);
/* Depth less for a move at this place in the order, 0 for full depth. */
int prune_reduction(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* A reduced look at a move beat alpha with `value`: by how much deeper than planned the move is
 * looked at again, where it beat it by far. */
int prune_second_look(const Searcher *s, const Node *n, int value, int reduced);
/* The same as prune_reduction for the root's moves, of an iteration so many plies deep. */
int prune_root_reduction(const Searcher *s, int plies, int index);

#endif
