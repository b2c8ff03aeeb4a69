/* zone.h - where a further stone of the defender could spoil a win by fours that was found.
 *
 * A win by fours is a tree T: each of the attacker's moves threatens a five, each reply that may
 * prevent it is refuted. The defender may spend one move d before T begins (he answers a three, or
 * it is his turn and T stands against him). T holds after d, move by move, unless d
 *
 *   1. stands on a square that T needs: the squares of its fives and of its moves, and the others
 *      of those lines as far as a shape reaches (under caro a stone at the end closes a five, and
 *      there the replies come from the same squares);
 *   2. gives the defender a five to make before T is through. Such a five has four of his stones in
 *      a window of five: d and three others, which stand already or come as replies in T. So d is
 *      an empty square of a window without a foreign stone that holds three of those;
 *   3. under renju, changes what is barred. Black attacks: a white stone never adds to Black's
 *      runs and fours, but may make a barred square legal, and with it another three true, and a
 *      double three of it. This takes two possible threes on a square that T plays. White attacks:
 *      a black stone may lift a ban that T counts on. Both reach far, so the zone is then the
 *      whole board.
 *
 * Whatever else d is, it takes nothing from T: the attacker's stones, empty squares and turns are
 * the same, and the defender's replies outside T lose to the five that is threatened. Captures take
 * stones away anywhere: there is no such zone under ninuki.
 */
#ifndef SEARCH_ZONE_H
#define SEARCH_ZONE_H

#include "position/movegen.h"

typedef struct {
    Bitboard squares; /* of 1; zone_close adds those of 2 */
    Bitboard replies; /* what the defender plays in T */
    bool everywhere;  /* 3: every empty square */
} Zone;

/* The attacker makes, or threatens, a five on c: the square and its lines. */
void zone_add_five(Zone *z, const Position *p, Color attacker, Cell c);
/* The attacker, to move, plays c on his way. */
void zone_add_move(Zone *z, const Position *p, Cell c);
/* The defender, to move, is refuted after c. */
void zone_add_reply(Zone *z, Cell c);
/* T is complete and p the position before it: the squares where a stone of the defender could
 * matter, own fours among them. */
Bitboard zone_close(const Zone *z, const Position *p, Color defender);

#endif
