/* movegen.h - sets of candidate moves for the needs of a position.
 *
 * The sets may contain forbidden squares: the caller checks position_forbidden before it plays.
 */
#ifndef POSITION_MOVEGEN_H
#define POSITION_MOVEGEN_H

#include "position/position.h"

/* Empty squares near a stone: up to two squares away, or three along a line. On an empty board the
 * centre; if no stone is near, every empty square. */
Bitboard movegen_candidates(const Position *p);

/* Whether the opponent, if to move, would win at once by a five on c. */
bool movegen_wins_on(Position *p, Cell c);

/* The opponent would win at once on c (movegen_wins_on): every move that may prevent it, own fives
 * included. Sound: a legal move outside the set loses at once. */
Bitboard movegen_answers(const Position *p, Cell c);

/* The opponent threatens an open four or two fours on c: every move that may prevent it or makes a
 * four. Sound except for rules with captures: their set holds captures and threats to capture, but
 * a distant stone may still be the bracket of a later capture. */
Bitboard movegen_defences(const Position *p, Cell c);

/* Adds the empty squares up to `reach` away from c along a direction, until the board ends. */
void movegen_add_line(const Board *b, Cell c, int direction, int reach, Bitboard *set);

#endif
