/* alphabeta.h - the recursive search below the root: negamax with principal variation search. */
#ifndef SEARCH_ALPHABETA_H
#define SEARCH_ALPHABETA_H

#include "search/worker.h"

/* The value of the position, `ply` moves below the root, searched `depth` hundredths of a ply deep:
 * exact within (alpha, beta), a bound outside, meaningless once the budget is over. `cut_node`: it
 * is expected to fail high. Leaves its line in s->pv[ply]. */
int alphabeta_search(Searcher *s, int ply, int depth, int alpha, int beta, bool cut_node);

#endif
