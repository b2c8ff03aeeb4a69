/* ninuki_fives.h - ninuki: fives that win at once, and captures that win. */
#ifndef POSITION_NINUKI_FIVES_H
#define POSITION_NINUKI_FIVES_H

#include "position/position.h"

/* Whether color, if to move, would win at once by its five on c; nothing is pending. */
bool ninuki_fives_win(Position *p, Color color, Cell c);
/* A legal move that wins at once by a five where ninuki_fives_win does not apply: an own five
 * stands already, or the move breaks an opponent's five. NO_CELL when there is none. */
Cell ninuki_fives_standing_win(Position *p);
/* Whether the side to move wins in three plies by an open four on c: the opponent has no capture,
 * gets none, and has no five to make. Sound; false says nothing. */
bool ninuki_fives_after_open_four(const Position *p, Cell c);
/* The squares on which color, if to move, wins by its captures: the fifth pair, or
 * the fifteenth stone. */
Bitboard ninuki_fives_by_capture(const Position *p, Color color);

#endif
