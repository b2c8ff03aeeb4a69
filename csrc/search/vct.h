/* vct.h - a win by continuous threats: fours, and threes that threaten a win by fours (VCT).
 *
 * A proof-number search, depth first (df-pn), over two kinds of nodes:
 *
 *      attacker   a win by fours ends it; else every four and every three is a move
 *      defender   after a four: the answers to the five (threat_answers)
 *                 after a three: whoever passes loses to a win by fours, or it was no threat; the
 *                 replies are the squares common to the zones (zone.h) of that win and of others
 *
 * Nothing is claimed from numbers alone: once the root is proven, the whole tree of the win is
 * walked through again, every reply in it, and the line comes out of that walk.
 *
 * Its parts: vct_node.h (the state), vct_table, vct_moves, vct_dfpn, vct_walk.
 *
 * Under rules with captures, captures are moves of the attacker, too, and with two fifths of a win
 * threats to capture; a five that can be broken is a four, and the zone holds what captures may do.
 */
#ifndef SEARCH_VCT_H
#define SEARCH_VCT_H

#include "search/vct_node.h"

/* Plies to a win by fours and threes for the side to move, against the longest defence; 0 when
 * none was found. max_nodes is for the search; walking through the win may take as many again.
 * The line is left in v->line. v is zeroed memory at first; from call to call it keeps
 * what was proven. The caller sets what it points to but for pos and budget. */
int vct_search(Vct *v, Position *p, Budget *budget, int64_t max_nodes);

#endif
