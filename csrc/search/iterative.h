/* iterative.h - iterative deepening at the root, for one thread. */
#ifndef SEARCH_ITERATIVE_H
#define SEARCH_ITERATIVE_H

#include "search/root.h"

/* Deepens until the budget or the depth limit is reached, or the result cannot change. Returns the
 * best finished line; the first move with depth 0 if no line was finished. Restores the position.
 */
SearchLine iterative_deepen(Root *r);

#endif
