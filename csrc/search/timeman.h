/* timeman.h - when to begin no further iteration, where time that is saved now can be used later.
 *
 * The soft limit of the budget is what the move should take. It is stretched while the best move
 * changes or its score falls, up to the hard limit, and shortened while nothing happens. With no
 * soft limit below the hard one nothing is decided here, and the clock is not looked at.
 */
#ifndef SEARCH_TIMEMAN_H
#define SEARCH_TIMEMAN_H

#include "base/params.h"
#include "search/budget.h"
#include "search/score.h"

typedef struct {
    bool forced;   /* the moves are answers to a threat */
    Cell move;     /* of the last iteration */
    int same;      /* iterations that it has been the best for */
    int unrest;    /* percent for changes of the move; half of it fades with each iteration */
    int score;     /* of the last iteration */
    int fall;      /* of the score below what it was, lately */
    int depths;    /* iterations finished */
    int64_t ended; /* when the last one was, in us from the start ... */
    int64_t began; /* ... and when it began */
} TimeManager;

/* forced: the moves are answers to a threat. */
void timeman_start(TimeManager *t, bool forced);
/* An iteration has ended with this move and score. */
void timeman_note(TimeManager *t, const Params *q, Cell move, int score, int64_t elapsed_us);
/* Percent of the planned time that the move may take. */
int timeman_percent(const TimeManager *t, const Params *q);
/* Whether another iteration is not worth beginning. Half of the planned time has to be over; then
 * it is not, when by its forecast it would go further beyond the planned time than we are before
 * it, or be cut off by the hard limit. */
bool timeman_is_up(const TimeManager *t, const Params *q, const Budget *b);

#endif
