/* vct_table.h - the table of the VCT: what is known of the positions of a search.
 *
 * An entry holds proof and disproof numbers for the attacker. The numbers of a wide search are not
 * those of a narrow one, so each kind has entries of its own; a proved win is shared. An entry of
 * an earlier search counts only if it is proved.
 */
#ifndef SEARCH_VCT_TABLE_H
#define SEARCH_VCT_TABLE_H

#include "search/vct_node.h"

/* Whether the attacker is to move. */
bool vct_attacking(const Vct *v);
/* The key of the position on the board, and of the one after a move. */
u64 vct_key_here(const Vct *v);
u64 vct_key_after(const Vct *v, Cell c);

bool vct_is_proved(const VctEntry *e);
/* The entry of a position: a proved win, or the numbers of the present kind of search; NULL
 * if there is none. The pointer holds until the next entry is made. */
VctEntry *vct_find(Vct *v, u64 key);
/* The entry of a key, which is made if there is none. */
VctEntry *vct_slot_for(Vct *v, u64 key);

/* The node limit of a search that ran out of nodes `tries` times. */
int64_t vct_nodes_of_try(int64_t first, int tries);

/* Adds to the nodes that were spent on a position. Of the entries of a full bucket the one with the
 * fewest goes first. */
void vct_add_work(VctEntry *e, int64_t work);
/* Stores the numbers of the position on the board, with the nodes that were spent on it. */
void vct_store(Vct *v, u32 proof, u32 disproof, int64_t work);
/* The same for a node that is not open. */
void vct_store_settled(Vct *v, VctStand s, int64_t work);

#endif
