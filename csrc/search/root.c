#include "search/root.h"

#include <string.h>

#include "position/movegen.h"
#include "search/threats.h"

static void add_move(Root *r, Cell c) {
    r->move[r->count++] = (RootMove){.move = c, .score = -SCORE_INFINITE, .floor = -SCORE_INFINITE};
}

void root_add_legal(Root *r, const Bitboard *set) {
    const Position *p = r->s->pos;
    MovePicker *m = &r->s->picker[0];
    const MoveHints hints = {&r->s->params, NULL, 0, NO_CELL, NULL};
    int gap;
    movepick_init(m, r->s->eval, p, set, &hints);
    for (Cell c = movepick_next(m, &gap); c != NO_CELL; c = movepick_next(m, &gap)) {
        /* on adversarial boards the test for forbidden moves takes milliseconds */
        if (p->traits.forbids[position_to_move(p)] == FORBIDS_RENJU &&
            r->count >= r->limits->lines && budget_poll(&r->s->budget))
            return;
        if (!position_forbidden(p, c) && !bb_has(&r->limits->excluded, c)) add_move(r, c);
    }
}

/* Adds the legal moves that are not in the list yet. */
static void add_others(Root *r) {
    Bitboard set = r->s->pos->board.empty;
    for (int i = 0; i < r->count; i++) bb_flip(&set, r->move[i].move);
    root_add_legal(r, &set);
}

/* The state of the game after the move. */
static State state_after(Position *p, Cell c) {
    position_make(p, c);
    const State state = p->state;
    position_unmake(p);
    return state;
}

/* A five of the opponent stands: keeps the captures that break it or win; if none does, keeps all.
 */
static void keep_captures_that_save(Root *r) {
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (state_after(r->s->pos, r->move[i].move) != STATE_MOVER_LOST)
            r->move[kept++] = r->move[i];
    if (kept) r->count = kept;
}

bool root_wins_at_once(Root *r, Cell c) {
    Position *p = r->s->pos;
    if (p->traits.captures) return state_after(p, c) == STATE_MOVER_WON;
    return pattern_class(&p->pattern, position_to_move(p), c) == SQUARE_FIVE;
}

int root_leading_wins(Root *r) {
    int wins = 0;
    while (wins < r->count && root_wins_at_once(r, r->move[wins].move)) wins++;
    return wins;
}

bool root_is_safe(Root *r, Cell c) {
    Position *p = r->s->pos;
    position_make(p, c);
    const bool safe = p->state == STATE_MOVER_WON ||
                      (p->state != STATE_MOVER_LOST && threat_win_now(p) == NO_CELL);
    position_unmake(p);
    return safe;
}

/* Puts the moves of a kind first, so that no narrow list or short search misses one. A stable sort.
 */
static void put_first(Root *r, bool (*is_of_kind)(Root *, Cell)) {
    int first = 0;
    for (int i = 0; i < r->count; i++) {
        const RootMove m = r->move[i];
        if (!is_of_kind(r, m.move)) continue;
        memmove(&r->move[first + 1], &r->move[first], (size_t)(i - first) * sizeof m);
        r->move[first++] = m;
    }
}

void root_put_safe_first(Root *r) {
    int at = 0;
    while (at < r->count && !root_is_safe(r, r->move[at].move)) at++;
    if (at == 0 || at == r->count || root_leading_wins(r)) return;
    const RootMove m = r->move[at];
    memmove(&r->move[1], &r->move[0], (size_t)at * sizeof m);
    r->move[0] = m;
}

/* Adds a move that root_add_legal did not reach before the time was over. */
static void add_missing(Root *r, Cell c) {
    for (int i = 0; i < r->count; i++)
        if (r->move[i].move == c) return;
    if (!bb_has(&r->limits->excluded, c) && !position_forbidden(r->s->pos, c)) add_move(r, c);
}

Stage root_list(Root *r) {
    Position *p = r->s->pos;
    Stage stage = STAGE_SEARCH;
    const Cell win = threat_win_now(p);
    /* a standing five of the side to move wins by any move that keeps it */
    Bitboard set = p->five[position_to_move(p)] ? p->board.empty : movegen_candidates(p);
    if (p->state == STATE_PENDING) {
        set = *position_captures(p, position_to_move(p));
        stage = STAGE_ANSWER_FIVE;
    } else {
        Bitboard answers;
        /* the answers to a capture do not include wins */
        if (!(win != NO_CELL && p->traits.captures) && threat_answers(p, &answers)) {
            set = answers;
            stage = STAGE_BLOCK;
        }
    }
    root_add_legal(r, &set);
    if (stage == STAGE_ANSWER_FIVE) keep_captures_that_save(r);
    if (r->count < r->limits->lines) add_others(r);
    if (stage != STAGE_SEARCH) put_first(r, root_is_safe);
    if (win != NO_CELL) {
        if (!p->traits.captures)
            BB_FOR_EACH(c, position_set(p, position_to_move(p), SQUARE_FIVE)) add_missing(r, c);
        put_first(r, root_wins_at_once);
    }
    return stage;
}

/* A stable insertion sort. */
void root_sort(Root *r, int from) {
    for (int i = from + 1; i < r->count; i++) {
        const RootMove m = r->move[i];
        int j = i;
        for (; j > from && r->move[j - 1].score < m.score; j--) r->move[j] = r->move[j - 1];
        r->move[j] = m;
    }
}

void root_narrow(Root *r) {
    const Searcher *s = r->s;
    const Params *q = &s->params;
    const Position *p = s->pos;
    if (!q->width || r->stage != STAGE_SEARCH) return;
    if (q->beginner_order) {
        Bitboard captures = {{0}};
        if (p->traits.captures) captures = *position_captures(p, position_to_move(p));
        for (int i = 0; i < r->count; i++)
            r->move[i].score =
                eval_plain_move(s->eval, p, r->move[i].move, &captures, q->beginner_bias);
        root_sort(r, root_leading_wins(r));
        for (int i = 0; i < r->count; i++) r->move[i].score = -SCORE_INFINITE;
    }
    const int width = q->width > r->limits->lines ? q->width : r->limits->lines;
    if (r->count <= width) return;
    r->hidden = r->count - width;
    r->count = width;
}

void root_join(Root *r, const Root *first) {
    r->stage = first->stage;
    r->left_out = first->left_out;
    r->lost = first->lost;
    r->count = first->count;
    r->hidden = first->hidden;
    memcpy(r->move, first->move, sizeof *r->move * (size_t)(r->count + r->hidden));
}

bool root_is_forced(const Root *r) {
    const SearchLimits *l = r->limits;
    const bool timed = l->hard_ms >= 0 || l->soft_ms >= 0;
    const bool bounded = timed || l->depth < MAX_PLY - 1 || l->nodes >= 0;
    /* an unbounded search is made for its score */
    return l->lines == 1 && r->count + r->hidden == 1 && bounded && !l->analysis;
}

/* The score, bounded by a known loss. */
static int bounded_by_loss(const Root *r, int score) {
    const int loss = -SCORE_MATE + r->lost;
    return r->lost && score > loss ? loss : score;
}

SearchLine root_line(const Root *r, int line, int depth) {
    const Searcher *s = r->s;
    const RootMove *m = &r->move[line];
    SearchLine out = {.line = line,
                      .depth = depth,
                      .seldepth = s->seldepth,
                      .score = bounded_by_loss(r, m->score),
                      .pv_count = m->pv_count,
                      .nodes = budget_total_nodes(&s->budget),
                      .time_us = budget_elapsed_us(&s->budget)};
    memcpy(out.pv, m->pv, sizeof(Cell) * (size_t)m->pv_count);
    return out;
}

void root_report(const Root *r, const SearchLine *line) {
    if (r->listen) r->listen(r->context, line, 1);
}

void root_trace(const Root *r, const TraceRow *row) {
    Trace *t = r->limits->trace;
    if (t && r->thread == 0) t->row[t->count++ % TRACE_ROWS] = *row;
}

static TracedOutcome why_left_out(const Root *r, Cell c) {
    if (bb_has(&r->limits->excluded, c)) return TRACED_EXCLUDED;
    if (position_forbidden(r->s->pos, c)) return TRACED_FORBIDDEN;
    for (int i = r->count; i < r->count + r->hidden; i++)
        if (r->move[i].move == c) return TRACED_HIDDEN;
    if (r->stage == STAGE_ANSWER_FIVE || r->stage == STAGE_BLOCK) return TRACED_NO_ANSWER;
    const Bitboard near = movegen_candidates(r->s->pos);
    return r->left_out && bb_has(&near, c) ? TRACED_LOSES_TO_VCF : TRACED_NO_CANDIDATE;
}

void root_trace_left_out(const Root *r) {
    if (!r->limits->trace) return;
    Bitboard listed = {{0}};
    for (int i = 0; i < r->count; i++) bb_add(&listed, r->move[i].move);
    BB_FOR_EACH(c, &r->s->pos->board.empty)
    if (!bb_has(&listed, c)) {
        const TraceRow row = {.move = c, .outcome = why_left_out(r, c)};
        root_trace(r, &row);
    }
}
