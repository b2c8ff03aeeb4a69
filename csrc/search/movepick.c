#include "search/movepick.h"

enum { HISTORY_UNIT = HISTORY_MAX / 2 }; /* a history of this size adds history_score */
enum { LEAST_SCORE = -(1 << 20), CELL_BITS = 10, CELL_MASK = (1 << CELL_BITS) - 1 };

static int32_t key_of(int score, Cell c) {
    return score * (1 << CELL_BITS) + (CELL_MASK - c);
}

static Cell cell_of_key(int32_t key) {
    return (Cell)(CELL_MASK - (key & CELL_MASK));
}

/* The sources of the bonuses of a node's moves. */
typedef struct {
    const int16_t *quiet, *after; /* NULL: switched off */
    Cell killer[3];               /* two, and the countermove */
    int killer_score, history_score;
} Bonus;

static Bonus bonus_at(const MoveHints *hints, Color us, Cell last) {
    const History *h = hints->history;
    const Params *q = hints->params;
    Bonus b = {NULL, NULL, {NO_CELL, NO_CELL, NO_CELL}, 0, q->history_score};
    if (!h) return b;
    if (q->history) b.quiet = h->quiet[us];
    if (q->conthist && last != NO_CELL) b.after = h->after[us][history_square(last)];
    if (!q->killers) return b;
    b.killer_score = q->killer_score;
    b.killer[0] = h->killer[hints->ply][0];
    b.killer[1] = h->killer[hints->ply][1];
    if (last != NO_CELL) b.killer[2] = h->counter[other(us)][last];
    return b;
}

static ALWAYS_INLINE int bonus_of(const Bonus *b, Cell c) {
    int bonus = 0;
    if (b->quiet) bonus += b->quiet[c] * b->history_score / HISTORY_UNIT;
    if (b->after) bonus += b->after[history_square(c)] * b->history_score / HISTORY_UNIT;
    if (c == b->killer[0] || c == b->killer[1]) bonus += b->killer_score;
    if (c == b->killer[2]) bonus += b->killer_score;
    return bonus;
}

static ALWAYS_INLINE void score_all(MovePicker *m, const MoveScores *scores, const Bonus *bonus,
                                    const Bitboard *set, Cell first) {
    int top = LEAST_SCORE, count = 0;
    BB_FOR_EACH(c, set) {
        const int score = eval_move(scores, c) + bonus_of(bonus, c);
        if (score > top) top = score;
        if (c != first) m->key[count++] = key_of(score, c);
    }
    m->top = top;
    m->count = count;
    m->next = 0;
}

/* The loop is compiled three times, so that moves without captures do not test for them, nor for
 * the policy network. */
void movepick_init(MovePicker *m, const EvalTable *t, const Position *p, const Bitboard *set,
                   const MoveHints *hints) {
    MoveScores scores = eval_moves(t, p, hints->policy);
    const Bonus bonus = bonus_at(hints, position_to_move(p), position_last(p));
    if (scores.captures) {
        score_all(m, &scores, &bonus, set, hints->first);
        return;
    }
    scores.captures = NULL; /* so that the compiler drops the test */
    if (scores.policy) {
        score_all(m, &scores, &bonus, set, hints->first);
    } else {
        scores.policy = NULL;
        score_all(m, &scores, &bonus, set, hints->first);
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

void movepick_skip_quiets(MovePicker *m, const Position *p, const Bitboard *captures) {
    int n = m->next;
    for (int i = m->next; i < m->count; i++) {
        const Cell c = cell_of_key(m->key[i]);
        if (!position_is_quiet(p, c) || bb_has(captures, c)) m->key[n++] = m->key[i];
    }
    m->count = n;
}
