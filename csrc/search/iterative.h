/* iterative.h - iterative deepening at the root, for one thread. */
#ifndef SEARCH_ITERATIVE_H
#define SEARCH_ITERATIVE_H

#include "search/root.h"

/* Deepens until the budget or the depth limit is reached, or the result cannot change. Returns the
 * best finished line, or the first move with depth 0 when none was finished. The position is
 * unchanged afterwards. */
SearchLine iterative_deepen(Root *r);

#endif
