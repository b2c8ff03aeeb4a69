/* root_proofs.h - the steps before the search: forced answers, immediate wins, VCF, VCT, and
 * answers to the opponent's VCF. */
#ifndef SEARCH_ROOT_PROOFS_H
#define SEARCH_ROOT_PROOFS_H

#include "search/root.h"

/* Starts the budget, lists the moves and tries one step after the other. True if a step decides:
 * *out is the result, with a legal move if there is one. s->budget.stop must be set. Without
 * s->proof the proof searches are skipped. */
bool root_proofs_decide(Root *r, SearchResult *out);
/* Between two moves of the root, in the first thread: goes on with the VCT where it stopped, for a
 * share of the nodes that the search has taken, and at most vct_root_nodes at a time. True when a
 * win is proved now that may be played; root_proofs_conclude plays it.
 */
bool root_proofs_again(Root *r, int score);
/* After the search: replaces the result by a shorter proven win, if one is known. Records the
 * announced win for the next move. */
void root_proofs_conclude(Root *r, SearchResult *out);

#endif
