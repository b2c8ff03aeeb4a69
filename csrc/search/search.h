/* search.h - the entry of the search: one call decides a move. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/smp.h"

/* Decides a move for the side to move with all threads of the crew; a legal move while there is
 * one. The caller's thread searches with `s`, whose budget.stop must be set, and only it calls the
 * listener. `kept` holds proofs of earlier searches and takes new ones; it may be NULL. */
SearchResult search_run(Crew *crew, Searcher *s, KeptProofs *kept, const SearchLimits *limits,
                        SearchListener listen, void *context);

#endif
