#include "search/movepick.h"

enum { FIRST_SCORE = 1 << 24, KILLER_SCORE = 60, COUNTER_SCORE = 60, HISTORY_SHARE = 32 };

static int bonus_of(const History *h, Color us, int ply, Cell last, Cell c) {
    int bonus = history_of(h, us, c) / HISTORY_SHARE;
    if (h->killer[ply][0] == c || h->killer[ply][1] == c) bonus += KILLER_SCORE;
    if (last != NO_CELL && h->counter[other(us)][last] == c) bonus += COUNTER_SCORE;
    return bonus;
}

void movepick_init(MovePicker *m, const EvalTable *t, const Position *p, const Bitboard *set,
                   Cell first, const History *h, int ply) {
    const Color us = position_to_move(p);
    const Cell last = position_last(p);
    m->count = m->next = 0;
    m->top = INT32_MIN;
    BB_FOR_EACH(c, set) {
        int score = eval_move(t, p, c);
        if (h) score += bonus_of(h, us, ply, last, c);
        if (score > m->top) m->top = score;
        if (c == first) score = FIRST_SCORE;
        m->move[m->count] = c;
        m->score[m->count++] = score;
    }
}

/* Equal scores go by square, so that the order never depends on how the list was made. */
static bool comes_before(const MovePicker *m, int a, int b) {
    if (m->score[a] != m->score[b]) return m->score[a] > m->score[b];
    return m->move[a] < m->move[b];
}

Cell movepick_next(MovePicker *m) {
    if (m->next == m->count) return NO_CELL;
    int best = m->next;
    for (int i = m->next + 1; i < m->count; i++)
        if (comes_before(m, i, best)) best = i;
    const Cell move = m->move[best];
    const int32_t score = m->score[best];
    m->move[best] = m->move[m->next];
    m->score[best] = m->score[m->next];
    m->move[m->next] = move;
    m->score[m->next++] = score;
    return move;
}
