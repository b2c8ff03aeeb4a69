/* search.h - the entry of the search: one call chooses a move. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/smp.h"

/* Chooses a legal move for the side to move, if there is one, with all threads of the crew. The
 * caller's thread searches with `s`, whose budget.stop must be set, and only this thread calls the
 * listener. kept: proofs of earlier searches, to which new ones are added; may be NULL. */
SearchResult search_run(Crew *crew, Searcher *s, KeptProofs *kept, const SearchLimits *limits,
                        SearchListener listen, void *context);

#endif
