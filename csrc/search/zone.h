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
 *   3. under renju, changes what is forbidden. Black attacks: a white stone never adds to Black's
 *      runs and fours, but may make a forbidden square legal, and with it another three true, and a
 *      double three of it. This takes two possible threes on a square that T plays. White attacks:
 *      a black stone may make a square legal that T needs forbidden. Both reach far, so the zone is
 * then the whole board.
 *
 * Whatever else d is, it takes nothing from T: the attacker's stones, empty squares and turns are
 * the same, and the defender's replies outside T lose to the five that is threatened.
 *
 * Under rules with captures T is made of fives and winning captures, under ninuki also of fives
 * that can be broken, and d may do more:
 *
 *   4. capture at once: every capture that there is;
 *   5. bracket a pair that T leaves open, so that a capture comes up in T that was none. Both
 *      stones of such a pair stand already or are squares of T, and d is at one end of the two:
 *      every empty square at the end of two such squares, unless a stone at their other end stays
 *      (of three as well, where triples are captured; so in 6);
 *   6. be captured by a move of T, which then opens squares that were shut. Such a move stands at
 *      the end of the pair, next to d or one step on, with a stone of the attacker behind;
 *   7. ninuki: make good a five of the defender that would not win, because it is forbidden or
 *      could be broken: where T meets one, the zone is the whole board.
 *
 * What T captures may empty a window of 2: stones of the attacker that fall in T count as empty
 * there. More stones of the defender make no double three of the attacker: a free three wants its
 * ends empty, and only an end or an inner gap could be filled. A forbidden reply that T counts on
 * makes the zone the whole board, and so does a board so full that no move might be left.
 */
#ifndef SEARCH_ZONE_H
#define SEARCH_ZONE_H

#include "position/movegen.h"

typedef struct {
    Bitboard squares; /* of 1; zone_close adds those of 2 */
    Bitboard moves;   /* what the attacker plays in T, or threatens to */
    Bitboard replies; /* what the defender plays in T */
    Bitboard fallen;  /* stones of the attacker that the replies capture */
    bool everywhere;  /* every empty square */
} Zone;

/* The attacker wins, or threatens to, by a five or by captures on c: the square and the lines of
 * the five. */
void zone_add_five(Zone *z, const Position *p, Color attacker, Cell c);
/* The attacker, to move, plays c on his way. */
void zone_add_move(Zone *z, const Position *p, Cell c);
/* The defender is refuted after c, which p, with the attacker to move, has just seen. */
void zone_add_reply(Zone *z, const Position *p, Cell c);
/* Ninuki, in T: the defender has a five that would not win, because it is forbidden or can be
 * broken. From anywhere, d may make that move legal or protect the stones of the five. */
void zone_add_weak_fives(Zone *z, Position *p, Color defender);
/* T is complete and p the position before it: the squares where a stone of the defender could
 * matter, own fours among them. */
Bitboard zone_close(const Zone *z, const Position *p, Color defender);

#endif
