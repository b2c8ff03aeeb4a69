#include "search/multipv.h"

#include "search/threats.h"

/* By score, then by depth. */
static bool goes_before(const SearchLine *l, const SearchLine *other) {
    return l->score != other->score ? l->score > other->score : l->depth > other->depth;
}

/* A stable insertion sort that also numbers the lines. */
static void order(SearchLine *view, int lines) {
    for (int i = 1; i < lines; i++) {
        const SearchLine l = view[i];
        int j = i;
        for (; j > 0 && goes_before(&l, &view[j - 1]); j--) view[j] = view[j - 1];
        view[j] = l;
    }
    for (int i = 0; i < lines; i++) view[i].line = i;
}

int multipv_static_score(Root *r, Cell c) {
    Searcher *s = r->s;
    Position *p = s->pos;
    const bool five = pattern_class(&p->pattern, position_to_move(p), c) == SQUARE_FIVE;
    if (!p->traits.five_must_stand && five) return SCORE_MATE - 1;
    position_make(p, c);
    int score = -eval_score(s->eval, p, &s->accumulators);
    if (p->state == STATE_MOVER_WON)
        score = SCORE_MATE - 1;
    else if (p->state == STATE_MOVER_LOST)
        score = -SCORE_MATE + 1;
    else if (threat_win_now(p) != NO_CELL)
        score = -SCORE_MATE + 2;
    position_unmake(p);
    return score;
}

void multipv_start(Root *r, int lines) {
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        RootMove *m = &r->move[i];
        const bool won = m->floor > -SCORE_INFINITE;
        m->score = won ? m->floor : multipv_static_score(r, m->move);
        if (!won) m->pv[0] = m->move;
        if (!won) m->pv_count = 1;
        if (kept == lines && r->multipv[kept - 1].score >= m->score) continue;
        SearchLine *last = &r->multipv[kept < lines ? kept++ : kept - 1];
        *last = root_line(r, i, 0);
        order(r->multipv, kept);
    }
}

bool multipv_incomplete(const Root *r, int lines) {
    for (int i = 0; i < lines; i++)
        if (r->multipv[i].depth == 0) return true;
    return false;
}

void multipv_report(const Root *r, int lines) {
    if (r->listen) r->listen(r->context, r->multipv, lines);
}

/* The place of a new line: the line with the same move, or the worst line of a lower depth. */
static SearchLine *place_of(const Root *r, int lines, Cell move, int depth) {
    SearchLine *old = NULL;
    for (int i = 0; i < lines; i++) {
        if (r->multipv[i].pv[0] == move) return &r->multipv[i];
        if (r->multipv[i].depth < depth) old = &r->multipv[i];
    }
    return old;
}

void multipv_update(Root *r, int lines, int line, int depth) {
    const SearchLine new = root_line(r, line, depth);
    SearchLine *to = place_of(r, lines, new.pv[0], depth);
    if (!to) return; /* all lines have this depth already */
    *to = new;
    for (int i = 0; i < lines; i++) {
        SearchLine *l = &r->multipv[i];
        if (l->depth < depth && l->score < SCORE_PROVEN && l->score > new.score)
            l->score = new.score;
    }
    order(r->multipv, lines);
    if (!multipv_incomplete(r, lines)) multipv_report(r, lines);
}
