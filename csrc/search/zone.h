/* zone.h - the relevance zone of a VCF: the squares where one more defending stone could spoil it.
 *
 * A VCF is a tree T: each of the attacker's moves threatens a five, and each reply that may prevent
 * the five is refuted. The defender makes one move d before T begins, to answer a three or to meet
 * the VCF itself. T still wins after d, unless d
 *
 *   1. stands on a square that T needs: the squares of its fives and of its moves. Where a stone at
 *      the end closes a five (caro), and under rules with captures, also the squares of those lines
 *      as far as a shape reaches;
 *   2. gives the defender a five before T ends. Such a five has four of his stones in a window of
 *      five: d and three others, which stand already or are replies in T. So d is an empty square
 *      of a window that holds three of these and no other stone. The last reply of a line of T does
 *      not count: the attacker wins before a five with it is made. With captures it counts, because
 *      a five may have to be broken;
 *   3. under renju, changes which squares are forbidden. Black attacks: a white stone never adds to
 *      Black's runs and fours, but it may make a forbidden square legal. Then another three may
 *      become a true three, and a move of T a double three; this needs two possible threes on a
 *      square that T plays. White attacks: a black stone may make a square legal that T needs
 *      forbidden. Both effects reach far, so the zone is then the whole board.
 *
 * Any other d changes nothing in T: the attacker's stones, empty squares and turns stay the same,
 * and the defender's replies outside T lose to the threatened five.
 *
 * Under rules with captures T is made of fives and winning captures, under ninuki also of fives
 * that can be broken, and d may do more:
 *
 *   4. capture at once: every possible capture;
 *   5. bracket a pair that T leaves open, which makes a new capture possible in T. Both stones of
 *      such a pair stand already or are squares of T, and d is at one end of the two: every empty
 *      square at the end of two such squares, unless their other end is a stone that stays.
 *      Where triples are captured, 5 and 6 hold for three stones, too;
 *   6. be captured by a move of T, which then empties squares that were occupied. Such a move is
 *      at the end of the pair, next to d or one step further, with a stone of the attacker
 *      behind;
 *   7. ninuki: turn a five of the defender into a win that was none, because it was forbidden or
 *      could be broken. If T meets such a five, the zone is the whole board.
 *
 * The replies of T may capture stones of the attacker, which count as empty in the windows of 2.
 * More stones of the defender never make a double three for the attacker: a free three needs empty
 * ends, and a stone could only fill an end or a gap. The zone is the whole board if T relies on a
 * forbidden reply, or if the board is so full that a side might have no move left.
 */
#ifndef SEARCH_ZONE_H
#define SEARCH_ZONE_H

#include "position/movegen.h"

typedef struct {
    Bitboard squares;  /* of 1; zone_close adds those of 2 */
    Bitboard moves;    /* the attacker's moves and threats in T */
    Bitboard replies;  /* the defender's moves in T */
    Bitboard captured; /* stones of the attacker that the replies capture */
    bool everywhere;   /* the zone is the whole board */
} Zone;

/* Adds a win or a threat to win on c, by a five or by captures: the square and, where the rule asks
 * for it, the lines of the five. */
void zone_add_five(Zone *z, const Position *p, Color attacker, Cell c);
/* Adds a move of the attacker, who is to move in p. */
void zone_add_move(Zone *z, const Position *p, Cell c);
/* Adds the reply c, the last move of p, with the attacker to move. last: the attacker wins with the
 * next move. */
void zone_add_reply(Zone *z, const Position *p, Cell c, bool last);
/* Ninuki: handles 7. A distant d may make the five's move legal or protect its stones. */
void zone_add_weak_fives(Zone *z, Position *p, Color defender);
/* The zone of the complete T, which begins at p. It includes the defender's own fours. */
Bitboard zone_close(const Zone *z, const Position *p, Color defender);

#endif
