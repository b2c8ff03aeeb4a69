#include "search/timeman.h"

/* SHORT_US: an iteration that began earlier does not predict the next one. FORECAST: percent of the
 * forecast time of the next iteration that must still fit; it may find a better move before it is
 * cut off. */
enum { SHORT_US = 1000, FORECAST = 40 };

void timeman_start(TimeManager *t, bool forced) {
    *t = (TimeManager){.forced = forced, .move = NO_CELL, .effort = EFFORT_EVEN};
}

void timeman_note(TimeManager *t, const Params *q, Cell move, int score, int effort,
                  int64_t elapsed_us) {
    const bool changed = t->depths > 0 && move != t->move;
    const int fell = t->depths > 0 && score < t->score ? t->score - score : 0;
    t->instability = t->instability / 2 + (changed ? q->time_changed : 0);
    t->fall = t->fall / 2 + fell;
    t->effort = effort;
    t->move = move;
    t->score = score;
    t->began = t->ended;
    t->ended = elapsed_us;
    t->depths++;
}

int timeman_percent(const TimeManager *t, const Params *q) {
    const int percent = 100 + t->instability + t->fall * q->time_fall / 100;
    const int by_effort = 100 - q->time_effort * (t->effort - EFFORT_EVEN) / 100;
    const int found = percent * by_effort / 100 * (t->forced ? q->time_forced : 100) / 100;
    return found > 1 ? found : 1;
}

/* The forecast of the next iteration: the last one times the growth of the total time. The ratio of
 * the last two iterations varies more. */
static int64_t forecast_us(const TimeManager *t) {
    const int64_t took = t->ended - t->began;
    if (t->began < SHORT_US) return took;
    return (int64_t)((double)took * (double)t->ended / (double)t->began);
}

bool timeman_is_up(const TimeManager *t, const Params *q, const Budget *b) {
    if (!budget_saves(b)) return false;
    const int64_t planned = (b->soft_us - b->start_us) / 100 * timeman_percent(t, q);
    const int64_t elapsed = budget_elapsed_us(b), next = forecast_us(t);
    if (elapsed < planned / 2) return false;
    return elapsed + next * FORECAST / 100 >= planned || elapsed + next > b->hard_us - b->start_us;
}
