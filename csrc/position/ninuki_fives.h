/* ninuki_fives.h - ninuki: fives that win at once, and moves that take the fifth pair. */
#ifndef POSITION_NINUKI_FIVES_H
#define POSITION_NINUKI_FIVES_H

#include "position/position.h"

/* Whether color, were it to move, would win at once by its five on c; nothing is pending. */
bool ninuki_fives_win(Position *p, Color color, Cell c);
/* A legal move of the side to move that wins at once by a five, where ninuki_fives_win cannot be
 * asked: a five of its own stands already, or one of the other side does and the move breaks it.
 * NO_CELL when there is none. */
Cell ninuki_fives_standing_win(Position *p);
/* Whether the side to move wins by an open four on c, which it could make, in three plies: the
 * other side has no capture and gets none, and no five to make. Sound; a false says nothing. */
bool ninuki_fives_after_open_four(const Position *p, Cell c);
/* The squares on which color, were it to move, would take its fifth pair. */
Bitboard ninuki_fives_by_capture(const Position *p, Color color);

#endif
