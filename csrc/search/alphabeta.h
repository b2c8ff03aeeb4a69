/* alphabeta.h - the recursive search below the root: negamax with principal variation search. */
#ifndef SEARCH_ALPHABETA_H
#define SEARCH_ALPHABETA_H

#include "search/worker.h"

/* Searches the position, which is `ply` moves below the root, to a depth of `depth` hundredths of a
 * ply. The value is exact within (alpha, beta), a bound outside, and meaningless once the budget is
 * over. cut_node: the node is expected to fail high. The line is in s->pv[ply]. */
int alphabeta_search(Searcher *s, int ply, int depth, int alpha, int beta, bool cut_node);

#endif
