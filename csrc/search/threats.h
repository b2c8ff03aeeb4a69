/* threats.h - static threats of a position: immediate wins, the answers to them, open fours.
 *
 * Every result is a proof. Under some rules a five is stopped on more squares than its own, or on
 * fewer: renju (Black may not block on a forbidden square), caro (a stone at the open end closes
 * the five in advance), rules with captures (a capture removes stones of the four) and ninuki (a
 * capture also breaks a finished five).
 */
#ifndef SEARCH_THREATS_H
#define SEARCH_THREATS_H

#include "position/movegen.h"

/* A square on which the side to move wins with this move, or NO_CELL. */
Cell threat_win_now(Position *p);
/* Whether the side to move wins by an open four or two fours: the opponent has no five to make, so
 * the five follows whatever the answer. Under rules with captures, only if the four cannot be
 * captured. */
bool threat_wins_by_four(const Position *p);
/* A square on which the opponent would win by a five if it were to move; or NO_CELL. */
Cell threat_against(Position *p);
/* Whether the opponent threatens to win with its next move, by a five or by captures. If so,
 * *answers are the moves that may prevent it. Sound: a legal move outside the set loses. */
bool threat_answers(Position *p, Bitboard *answers);
/* A square on which the opponent threatens an open four or two fours, and which no stone of the
 * side to move can make forbidden; NO_CELL: none. */
Cell threat_open_four(const Position *p);
/* Whether a colour may have a move that threatens to win with the next one: a four, a five that can
 * be broken, or a capture if few captures are missing. */
bool threat_has_force(const Position *p, Color c);
/* Rules with captures: whether a colour has three fifths of a win or more, so that a capture may
 * threaten the last one. */
bool threat_near_last_capture(const Position *p, Color c);

#endif
