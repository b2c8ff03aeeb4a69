/* timeman.h - time management: whether to start another iteration.
 *
 * The soft limit of the budget is the planned time of the move. It grows up to the hard limit while
 * the best move changes or its score falls, and shrinks while nothing changes. Without a soft limit
 * below the hard limit, saved time is of no use, and time management does nothing.
 */
#ifndef SEARCH_TIMEMAN_H
#define SEARCH_TIMEMAN_H

#include "base/params.h"
#include "search/budget.h"
#include "search/score.h"

typedef struct {
    bool forced;     /* the moves are answers to a threatened win */
    Cell move;       /* best move of the last iteration */
    int same;        /* iterations with this best move */
    int instability; /* percent for changes of the best move; halved by each iteration */
    int score;       /* of the last iteration */
    int fall;        /* recent fall of the score; halved by each iteration */
    int depths;      /* iterations finished */
    int64_t ended;   /* end of the last one, in us from the start */
    int64_t began;   /* start of the last one */
} TimeManager;

/* forced: the moves are answers to a threatened win. */
void timeman_start(TimeManager *t, bool forced);
/* Records the end of an iteration. */
void timeman_note(TimeManager *t, const Params *q, Cell move, int score, int64_t elapsed_us);
/* The time for the move, in percent of the planned time. */
int timeman_percent(const TimeManager *t, const Params *q);
/* Whether no further iteration should start. Half of the planned time must be over. The next
 * iteration is forecast to overrun the planned time by more than its rest, or to meet the hard
 * limit. */
bool timeman_is_up(const TimeManager *t, const Params *q, const Budget *b);

#endif
