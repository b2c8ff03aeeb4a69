/* root_proofs.h - what is asked before the search: an answer that is forced, a win at once, a win
 * by fours, by fours and threes, and the other side's by fours. */
#ifndef SEARCH_ROOT_PROOFS_H
#define SEARCH_ROOT_PROOFS_H

#include "search/root.h"

/* Starts the budget, lists the moves and asks one stage after the other. True when that decides:
 * *out is the result, always a legal move while there is one. s->budget.stop must be set; without
 * s->proof the proofs are left out. */
bool root_proofs_decide(Root *r, SearchResult *out);
/* After the search: a win that the proofs know takes the place of a longer one, or of none. What
 * is announced then is kept for the next move. */
void root_proofs_conclude(Root *r, SearchResult *out);

#endif
