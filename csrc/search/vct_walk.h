/* vct_walk.h - the way through a finished proof: every reply in it, and the line that it gives. */
#ifndef SEARCH_VCT_WALK_H
#define SEARCH_VCT_WALK_H

#include "search/vct_node.h"

/* Walks through the win that the table has for the position on the board. Returns its plies. 0
 * when the nodes have run out, or when the win does not hold: then the table says so no more. A
 * position is walked through once. */
int vct_walk(Vct *v);
/* After vct_walk: writes v->line, the winner's moves and the longest defence. When the nodes run
 * out, the line ends early; it has one move at least. */
void vct_follow(Vct *v);

#endif
