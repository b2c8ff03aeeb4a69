#include "search/wins.h"

#include <stdlib.h>

void wins_note(Wins *w, u64 key, int plies, Cell move) {
    Win *slot = &w->slot[key & (WINS_SLOTS - 1)];
    if (slot->key == key && slot->plies && abs(slot->plies) <= abs(plies)) return;
    *slot = (Win){.key = key, .plies = (int16_t)plies, .move = move};
}

const Win *wins_find(const Wins *w, u64 key) {
    const Win *slot = &w->slot[key & (WINS_SLOTS - 1)];
    return slot->key == key && slot->plies ? slot : NULL;
}
