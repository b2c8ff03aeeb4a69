/* vct_moves.h - the moves of the VCT: the attacker's threats, and the replies that may help.
 *
 * Both lists are complete for what they claim. A move of the attacker that is not listed is no part
 * of the search; a reply that is not listed loses to the win by fours that is threatened.
 */
#ifndef SEARCH_VCT_MOVES_H
#define SEARCH_VCT_MOVES_H

#include "search/vct_node.h"

void vct_make(Vct *v, Cell c);
void vct_unmake(Vct *v);

/* Plies to a win by fours of the side to move; 0 when none was found within `most` nodes, which
 * count as nodes of the VCT. Sets v->cut at the end of the VCT's own nodes. */
int vct_win_by_fours(Vct *v, int64_t most, Zone *zone);

/* Adds a move to the frame, if it is legal. */
void vct_add_move(VctFrame *f, const Position *p, Cell c, u8 cost);
/* Rules with captures: how a position stands if its last move has ended the game; else VCT_OPEN. */
VctStand vct_decided(const Vct *v);
/* Lists fours before threes, and with a five against the attacker only the answers to it.
 * VCT_FAILED when there is no move, else VCT_OPEN. */
VctStand vct_attacker_moves(const Vct *v, VctFrame *f);
/* Lists the replies that may help. Without a list: VCT_WON if every reply loses, VCT_FAILED if
 * there is no threat, VCT_UNKNOWN if the nodes for the look at it ran out. */
VctStand vct_defender_moves(Vct *v, VctFrame *f);
/* Lists the moves of the side to move, unless the node is settled by a win by fours, by the rules,
 * or by its depth. */
VctStand vct_expand(Vct *v, VctFrame *f);

#endif
