/* vct_dfpn.h - the proof-number search of the VCT, depth first. */
#ifndef SEARCH_VCT_DFPN_H
#define SEARCH_VCT_DFPN_H

#include "search/vct_node.h"

/* Works on the position on the board until one of its numbers reaches its limit, or v->cut. phi:
 * what it takes to win the node for the side to move; delta: to lose it. The table has the result;
 * after a cut it has what was found so far, in each node of the path, and the next call goes on
 * from there.
 */
void vct_work_on(Vct *v, u32 phi, u32 delta);

#endif
