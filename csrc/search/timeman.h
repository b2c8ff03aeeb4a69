/* timeman.h - time management: whether to start another iteration.
 *
 * The soft limit of the budget is the planned time of the move. It grows up to the hard limit while
 * the best move changes or its score falls. It shrinks if the best move takes more than half of the
 * nodes, because then the others are refuted at once, and grows if it takes less. Without a soft
 * limit below the hard limit, saved time is of no use, and time management does nothing.
 */
#ifndef SEARCH_TIMEMAN_H
#define SEARCH_TIMEMAN_H

#include "base/params.h"
#include "search/budget.h"
#include "search/score.h"

/* The share of the nodes, in percent, at which the best move neither saves nor costs time. */
enum { EFFORT_EVEN = 50 };

typedef struct {
    bool forced;     /* the moves are answers to a threatened win */
    Cell move;       /* best move of the last iteration */
    int effort;      /* percent of the nodes of the root's moves that its best move has taken */
    int instability; /* percent for changes of the best move; halved by each iteration */
    int score;       /* of the last iteration */
    int fall;        /* recent fall of the score; halved by each iteration */
    int depths;      /* iterations finished */
    int64_t ended;   /* end of the last one, in us from the start */
    int64_t began;   /* start of the last one */
} TimeManager;

/* forced: the moves are answers to a threatened win. */
void timeman_start(TimeManager *t, bool forced);
/* Records the end of an iteration. effort: percent of the nodes of all iterations that the best
 * move has taken; EFFORT_EVEN if unknown. */
void timeman_note(TimeManager *t, const Params *q, Cell move, int score, int effort,
                  int64_t elapsed_us);
/* The time for the move, in percent of the planned time, at least 1. The effort multiplies it by
 * (100 - time_effort * (effort - EFFORT_EVEN) / 100) percent. */
int timeman_percent(const TimeManager *t, const Params *q);
/* Whether no further iteration should start: at least half of the time for the move is over, and
 * the next iteration is forecast to have at most two fifths of its time in the rest, or to meet the
 * hard limit. */
bool timeman_is_up(const TimeManager *t, const Params *q, const Budget *b);

#endif
