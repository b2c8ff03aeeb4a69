/* movegen.h - sets of candidate moves, by what the position demands.
 *
 * The sets may contain forbidden squares: the caller checks position_forbidden before it plays.
 */
#ifndef POSITION_MOVEGEN_H
#define POSITION_MOVEGEN_H

#include "position/position.h"

/* Empty squares near a stone: two away in any way, three along a line. The middle of
 * the board when there is no stone; every empty square when nothing is near. */
Bitboard movegen_candidates(const Position *p);

/* Whether the other side, were it to move, would win at once by a five on c. */
bool movegen_wins_on(Position *p, Cell c);

/* The other side would win at once on c (movegen_wins_on): every move that may prevent it, own
 * fives among them. Sound: a legal move outside the set loses at once. */
Bitboard movegen_answers(const Position *p, Cell c);

/* The other side threatens an open four (or two fours) on c: every move that may prevent it or
 * gains time by a four. Sound likewise, but not for ninuki: there also what captures or threatens
 * to, and a stone far away may still be the bracket that a later capture needs. */
Bitboard movegen_defences(const Position *p, Cell c);

/* Adds the empty squares up to `reach` away from c along a direction, until the board ends. */
void movegen_add_line(const Board *b, Cell c, int direction, int reach, Bitboard *set);

#endif
