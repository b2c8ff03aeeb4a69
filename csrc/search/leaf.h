/* leaf.h - the value of a node without a search of its moves: the end of the game, the horizon, and
 * scores outside of the window.
 */
#ifndef SEARCH_LEAF_H
#define SEARCH_LEAF_H

#include "search/node.h"
#include "search/worker.h"

/* Whether the node is decided: the game is over, or a win in 1 or 3 plies is seen in the shapes.
 * Sets then *score. */
bool leaf_resolved(Searcher *s, int ply, int *score);
/* The static score for the side to move. */
int leaf_static_score(Searcher *s);
/* The value at the horizon, if the opponent threatens no win: a VCF (42 +- 50 Elo), else the static
 * score. Standing pat (14 +- 39 Elo) skips the VCF if the static score reaches beta; then it is
 * damped. */
int leaf_horizon(Searcher *s, Node *n);
/* Damping: a score outside of the window is only a bound, and less exact the farther away it is. So
 * it is drawn towards the window: `part` of `whole` of its distance to the bound remains. Proven
 * scores stay. */
int leaf_damped(const Searcher *s, int score, int bound, int part, int whole);

#endif
