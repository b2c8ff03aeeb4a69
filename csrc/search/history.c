#include "search/history.h"

#include <string.h>

static void clear_killers(History *h) {
    for (int i = 0; i < MAX_PLY; i++) h->killer[i][0] = h->killer[i][1] = NO_CELL;
}

void history_clear(History *h) {
    memset(h->quiet, 0, sizeof h->quiet);
    if (h->after_used) memset(h->after, 0, sizeof h->after);
    h->after_used = false;
    for (int c = 0; c < COLORS; c++)
        for (int i = 0; i < CELLS; i++) h->counter[c][i] = NO_CELL;
    clear_killers(h);
}

void history_fade(History *h) {
    for (int c = 0; c < COLORS; c++)
        for (int i = 0; i < CELLS; i++) h->quiet[c][i] = (int16_t)(h->quiet[c][i] / 2);
    clear_killers(h);
}

/* The history gravity formula: the update shrinks as the value nears its bound. */
static void update(int16_t *value, int bonus) {
    const int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / HISTORY_MAX);
}

static void learn(History *h, Color c, Cell last, Cell move, int bonus, bool conthist) {
    update(&h->quiet[c][move], bonus);
    if (!conthist || last == NO_CELL) return;
    h->after_used = true;
    update(&h->after[c][history_square(last)][history_square(move)], bonus);
}

void history_note(History *h, Color c, Cell move, int bonus) {
    update(&h->quiet[c][move], bonus);
}

void history_reward(History *h, Color c, int ply, int depth, Cell last, Cell move,
                    const Cell *tried, int count, bool conthist) {
    const int bonus = depth * depth * 4 < 1024 ? depth * depth * 4 : 1024;
    learn(h, c, last, move, bonus, conthist);
    for (int i = 0; i < count; i++) learn(h, c, last, tried[i], -bonus, conthist);
    if (h->killer[ply][0] != move) {
        h->killer[ply][1] = h->killer[ply][0];
        h->killer[ply][0] = move;
    }
    if (last != NO_CELL) h->counter[c ^ 1][last] = move;
}
