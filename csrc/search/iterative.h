/* iterative.h - iterative deepening at the root, one thread's part of it; smp.h puts them together.
 */
#ifndef SEARCH_ITERATIVE_H
#define SEARCH_ITERATIVE_H

#include "search/root.h"

/* Deepens until the budget or the depth is over, or nothing can change: the best finished line; of
 * depth 0, the first move, when none was finished. The position is as before afterwards. */
SearchLine iterative_deepen(Root *r);

#endif
