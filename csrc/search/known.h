/* known.h - positions that a search has proven won or lost, kept from move to move.
 *
 * The transposition table forgets: a proof by fours and threes is not in it, and what a long search
 * proved is overwritten by the next one. This table holds the end of each proven search, position
 * by position along its line, so that the next search of the game starts from it.
 */
#ifndef SEARCH_KNOWN_H
#define SEARCH_KNOWN_H

#include "position/position.h"
#include "search/score.h"

enum { KNOWN_SLOTS = 1 << 12 };

typedef struct {
    u64 key;
    int16_t plies; /* to the end at most: positive, won; negative, lost; 0: an empty slot */
    Cell move;     /* the one that wins */
} KnownEntry;

typedef struct {
    KnownEntry slot[KNOWN_SLOTS];
} Known;

/* k may be NULL. */
void known_clear(Known *k);
/* The entry of the position with this key; NULL when there is none. */
const KnownEntry *known_find(const Known *k, u64 key);
/* Notes a proven score of the position and of those along its line, of which `length` moves are
 * given. The position is as before afterwards. */
void known_note(Known *k, Position *p, int score, const Cell *line, int length);
/* Whether a position before the last move of the other side is known to be lost for it: the side to
 * move has a win, though perhaps an unknown one. */
bool known_won_before(const Known *k, const Position *p);

#endif
