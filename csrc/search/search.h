/* search.h - iterative deepening at the root, one thread's part of it; smp.h puts them together. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/root.h"

/* Deepens until the budget or the depth is over, or nothing can change: the best finished line; of
 * depth 0, the first move, when none was finished. The position is as before afterwards. */
SearchLine search_deepen(Root *r);

#endif
