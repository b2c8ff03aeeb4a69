#include "search/movepick.h"

enum { FIRST_SCORE = 1 << 20, CELL_BITS = 10, CELL_MASK = (1 << CELL_BITS) - 1 };

static int32_t key_of(int score, Cell c) {
    return score * (1 << CELL_BITS) + (CELL_MASK - c);
}

static Cell cell_of_key(int32_t key) {
    return (Cell)(CELL_MASK - (key & CELL_MASK));
}

static int bonus_of(const MoveHints *hints, Color us, Cell last, Cell c) {
    const History *h = hints->history;
    const Params *q = hints->params;
    int bonus = 0;
    if (q->history) bonus += history_of(h, us, c) / q->history_share;
    if (q->conthist) bonus += history_after(h, us, last, c) / q->cont_share;
    if (!q->killers) return bonus;
    if (history_is_killer(h, hints->ply, c)) bonus += q->killer_score;
    if (last != NO_CELL && h->counter[other(us)][last] == c) bonus += q->killer_score;
    return bonus;
}

void movepick_init(MovePicker *m, const EvalTable *t, const Position *p, const Bitboard *set,
                   const MoveHints *hints) {
    const Color us = position_to_move(p);
    const Cell last = position_last(p);
    m->count = m->next = 0;
    m->top = -FIRST_SCORE;
    BB_FOR_EACH(c, set) {
        int score = eval_move(t, p, c);
        if (hints->history) score += bonus_of(hints, us, last, c);
        if (score > m->top) m->top = score;
        m->key[m->count++] = key_of(c == hints->first ? FIRST_SCORE : score, c);
    }
}

Cell movepick_next(MovePicker *m, int *gap) {
    if (m->next == m->count) return NO_CELL;
    int32_t best = m->key[m->next];
    for (int i = m->next + 1; i < m->count; i++)
        if (m->key[i] > best) best = m->key[i];
    int at = m->next;
    while (m->key[at] != best) at++;
    m->key[at] = m->key[m->next];
    m->key[m->next++] = best;
    const int32_t score = best >> CELL_BITS;
    *gap = m->top > score ? m->top - score : 0;
    return cell_of_key(best);
}

void movepick_only_loud(MovePicker *m, const Position *p, const Bitboard *captures) {
    int n = m->next;
    for (int i = m->next; i < m->count; i++) {
        const Cell c = cell_of_key(m->key[i]);
        if (!position_is_quiet(p, c) || bb_has(captures, c)) m->key[n++] = m->key[i];
    }
    m->count = n;
}
