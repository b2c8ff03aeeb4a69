/* quiet.h - the positions in which the search asks for a static score. */
#ifndef TRAINING_QUIET_H
#define TRAINING_QUIET_H

#include "position/position.h"

/* Whether the side to move can make no five and, but under ninuki, no open four, and the other side
 * no five. Captures leave many an open four undecided. */
static inline bool is_quiet(const Position *p) {
    const Color us = position_to_move(p);
    for (int k = p->rule == RULE_NINUKI ? SQUARE_FIVE : SQUARE_OPEN_FOUR; k <= SQUARE_FIVE; k++)
        if (position_count(p, us, (SquareClass)k)) return false;
    return p->state == STATE_ONGOING && position_count(p, other(us), SQUARE_FIVE) == 0;
}

#endif
