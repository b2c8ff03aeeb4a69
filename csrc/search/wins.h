/* wins.h - the shortest wins that the proofs have found, kept from move to move.
 *
 * A win is a tree: one move of the winner at each of his turns, and every reply that matters. The
 * table holds its positions by their keys:
 *
 *      winner to move   his move, the plies to the end
 *      loser to move    his longest defence, the plies to the end, negative
 *
 * The plies are an upper bound, whatever the loser plays. A number replaces an older one of the
 * same position only if it is smaller. Therefore an announced win does not become longer while the
 * opponent plays replies of its tree.
 */
#ifndef SEARCH_WINS_H
#define SEARCH_WINS_H

#include "base/base.h"

enum { WINS_SLOTS = 1 << 14 };

typedef struct {
    u64 key;
    int16_t plies; /* negative: the side to move loses; 0: an empty slot */
    Cell move;
} Win;

typedef struct {
    Win slot[WINS_SLOTS];
} Wins;

/* Stores a position. Positive `plies`: the side to move wins by `move`. Negative: it loses, and
 * `move` is the longest defence. */
void wins_note(Wins *w, u64 key, int plies, Cell move);
/* The entry of a key; NULL: none. */
const Win *wins_find(const Wins *w, u64 key);

#endif
