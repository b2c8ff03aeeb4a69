#include "search/history.h"

#include <string.h>

static void forget_killers(History *h) {
    for (int i = 0; i < MAX_PLY; i++) h->killer[i][0] = h->killer[i][1] = NO_CELL;
}

void history_clear(History *h) {
    memset(h->quiet, 0, sizeof h->quiet);
    if (h->answered) memset(h->after, 0, sizeof h->after);
    h->answered = false;
    for (int c = 0; c < COLORS; c++)
        for (int i = 0; i < CELLS; i++) h->counter[c][i] = NO_CELL;
    forget_killers(h);
}

void history_fade(History *h) {
    for (int c = 0; c < COLORS; c++)
        for (int i = 0; i < CELLS; i++) h->quiet[c][i] = (int16_t)(h->quiet[c][i] / 2);
    forget_killers(h);
}

/* Gravity: the update shrinks as the value nears its bound. */
static void update(int16_t *value, int bonus) {
    const int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / HISTORY_MAX);
}

static void learn(History *h, Color c, Cell last, Cell move, int bonus, bool answers) {
    update(&h->quiet[c][move], bonus);
    if (!answers || last == NO_CELL) return;
    h->answered = true;
    update(&h->after[c][history_square(last)][history_square(move)], bonus);
}

void history_reward(History *h, Color c, int ply, int depth, Cell last, Cell move,
                    const Cell *tried, int count, bool answers) {
    const int bonus = depth * depth * 4 < 1024 ? depth * depth * 4 : 1024;
    learn(h, c, last, move, bonus, answers);
    for (int i = 0; i < count; i++) learn(h, c, last, tried[i], -bonus, answers);
    if (h->killer[ply][0] != move) {
        h->killer[ply][1] = h->killer[ply][0];
        h->killer[ply][0] = move;
    }
    if (last != NO_CELL) h->counter[c ^ 1][last] = move;
}
