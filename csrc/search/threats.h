/* threats.h - threats of a position that need no search: wins now, answers, open fours.
 *
 * Every claim is a proof. Some rules need more than the square of a five: renju (Black may not
 * block on a forbidden square), caro (a stone at the open end closes a five before it is made),
 * rules with captures (they take stones out of a four) and ninuki (they also break a five).
 */
#ifndef SEARCH_THREATS_H
#define SEARCH_THREATS_H

#include "position/movegen.h"

/* A square on which the side to move wins at once, or NO_CELL. */
Cell threat_win_now(Position *p);
/* Whether the side to move may make an open four or two fours while the other side has no five to
 * make: whatever the answer, its five follows. With captures only where nothing can be captured. */
bool threat_wins_by_four(const Position *p);
/* A square on which the other side would win at once if it were to move, by a five; or NO_CELL. */
Cell threat_against(Position *p);
/* Whether the other side threatens to win at once, by a five or by captures; then *answers are the
 * moves that may prevent it. Sound: a legal move outside the set loses. */
bool threat_answers(Position *p, Bitboard *answers);
/* A square where the other side threatens an open four or two fours, and no stone of the mover's
 * could change whether it is forbidden; NO_CELL when there is none. */
Cell threat_open_four(const Position *p);
/* Whether a colour may have a move at all that threatens to win at once: a four, a breakable five,
 * or a pair to be taken when few are missing. */
bool threat_has_force(const Position *p, Color c);
/* Rules with captures: whether a colour has three fifths of a win or more, so that a capture may
 * threaten the last one. */
bool threat_near_last_capture(const Position *p, Color c);

#endif
