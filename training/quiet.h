/* quiet.h - the positions in which the search needs a static score.
 */
#ifndef TRAINING_QUIET_H
#define TRAINING_QUIET_H

#include "position/position.h"

/* Whether neither side can make a five, and the side to move no open four. Under rules with
 * captures an open four of the side to move is allowed: captures leave many of them undecided. */
static inline bool is_quiet(const Position *p) {
    const Color us = position_to_move(p);
    for (int k = p->traits.captures ? SQUARE_FIVE : SQUARE_OPEN_FOUR; k <= SQUARE_FIVE; k++)
        if (position_count(p, us, (SquareClass)k)) return false;
    return p->state == STATE_ONGOING && position_count(p, other(us), SQUARE_FIVE) == 0;
}

#endif
