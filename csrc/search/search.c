#include "search/search.h"

#include "search/prune.h"
#include "search/timing.h"

enum { WIDEST_WINDOW = 1000 };

/* --- one look at the root ---------------------------------------------------------------- */

static void keep_root_pv(Root *r, RootMove *m) {
    const Searcher *s = r->s;
    m->pv_count = 0;
    m->pv[m->pv_count++] = m->move;
    for (int i = 0; i < s->pv_length[1] && m->pv_count < MAX_PLY; i++)
        m->pv[m->pv_count++] = s->pv[1][i];
}

/* The score of a move; where the time ends meanwhile, a lower bound: when the move has beaten alpha
 * at full depth it is the best one, though not by how much. */
static int look_at(Root *root, const RootMove *m, int plies, int alpha, int beta, int index) {
    Searcher *s = root->s;
    const int depth = (plies - 1) * PLY;
    const bool first = index == 0;
    const int r = prune_root_reduction(s, plies, index);
    /* no node looks back at the move before it: only ninuki's positions know of their end */
    if (s->pos->rule != RULE_NINUKI &&
        pattern_class(&s->pos->pattern, position_to_move(s->pos), m->move) == SQUARE_FIVE) {
        s->pv_length[1] = 0;
        return SCORE_MATE - 1;
    }
    s->loud[0] = position_is_threat(s->pos, m->move);
    position_make(s->pos, m->move);
    int v, known = -SCORE_INFINITE;
    if (first || !s->params.pvs || !s->params.alphabeta) {
        v = -node_search(s, 1, depth, -beta, -alpha, false);
    } else {
        v = -node_search(s, 1, depth - r, -alpha - 1, -alpha, true);
        if (v > alpha && r && !s->budget.over)
            v = -node_search(s, 1, depth, -alpha - 1, -alpha, true);
        if (v > alpha && !s->budget.over) {
            known = v;
            v = -node_search(s, 1, depth, -beta, -alpha, false);
        }
    }
    position_unmake(s->pos);
    if (!s->budget.over) return v;
    s->pv_length[1] = 0;
    return known;
}

static void forget_scores(Root *r, int from) {
    for (int i = from; i < r->count; i++) r->move[i].score = -SCORE_INFINITE;
}

/* Searches the moves from `line` on, whose scores are forgotten; the best comes to the front. False
 * when cut short; the best so far is at the front then, too, if any move was finished. */
static bool search_window(Root *r, int line, int depth, int alpha, int beta) {
    Searcher *s = r->s;
    const bool cuts = s->params.alphabeta;
    bool complete = true, improved = false;
    for (int i = line; i < r->count && complete; i++) {
        RootMove *m = &r->move[i];
        const int v = look_at(r, m, depth, alpha, beta, i - line);
        complete = !s->budget.over;
        if (v > alpha || (i == line && complete)) {
            m->score = v;
            keep_root_pv(r, m);
        }
        improved |= v > alpha;
        if (v > alpha && cuts) alpha = v;
        if (v >= beta && cuts) break;
    }
    /* a first move that failed low says nothing of the order: the old one stands */
    if (improved) root_sort(r, line);
    return complete;
}

/* One line of one depth, in a window around the last score when there is one; the side that proves
 * too narrow opens, at first a little. A move that was too good for its window is the best one even
 * if the time ends before it is known how good: it keeps the bound for a score until then. */
static bool search_line(Root *r, int line, int depth, int guess) {
    const Params *q = &r->s->params;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, width = q->aspiration_window;
    if (q->aspiration && depth > 3 && guess != SCORE_NONE && !score_is_proven(guess)) {
        alpha = guess - width;
        beta = guess + width;
    }
    forget_scores(r, line);
    for (;;) {
        if (!search_window(r, line, depth, alpha, beta)) return false;
        const int v = r->move[line].score;
        const bool low = v <= alpha, high = v >= beta;
        width *= q->aspiration_growth;
        const bool open = width > WIDEST_WINDOW || score_is_proven(v);
        if (low && alpha > -SCORE_INFINITE)
            alpha = open ? -SCORE_INFINITE : v - width;
        else if (high && beta < SCORE_INFINITE)
            beta = open ? SCORE_INFINITE : v + width;
        else
            return true;
        forget_scores(r, high ? line + 1 : line);
    }
}

/* --- deepening ---------------------------------------------------------------------------- */

/* Whether deeper looks can change nothing: a win seen twice running (one alone may be the work of
 * a stale table entry), a loss in as many plies as were looked at, or a single move. */
static bool settled(const Root *r, int depth, int score, int before) {
    if (r->limits->lines > 1) return false;
    if (root_is_forced(r)) return true;
    if (score > SCORE_PROVEN && (before > SCORE_PROVEN || !r->s->params.confirm)) return true;
    return score < -SCORE_PROVEN && before < -SCORE_PROVEN && depth > -score_mate(score);
}

/* The depth after this one. Every second thread goes two plies at a time: so it is ahead of the
 * others, which find in the table what it has found, and each comes to a depth with less work than
 * alone (decision 0084). All of them end with the last depth. */
static int next_depth(const Root *r, int depth) {
    const int last = r->limits->depth;
    const int next = depth + 1 + (r->thread & 1);
    return next > last && depth < last ? last : next;
}

/* Whether an iteration that was cut off counts for what it has found. Of the first thread it does;
 * a helper's vote is one of whole iterations, for they are told by their depth. */
static bool keeps_unfinished(const Root *r, int line) {
    return r->thread == 0 && line == 0 && r->move[0].score > -SCORE_INFINITE;
}

/* Moves that lose to fours were left out, and now all others lose, too, perhaps sooner: all are
 * looked at, for the longest resistance. */
static bool list_left_out(Root *r, int score) {
    if (!r->left_out || score >= -SCORE_PROVEN || r->s->params.width) return false;
    r->left_out = false;
    r->count = 0;
    root_add_legal(r, &r->s->pos->board.empty);
    return true;
}

/* Lines are found one after the other, each without the moves of those before it, and a later one
 * may turn out to be the better: orders them, and tells those that have changed places. */
static void order_lines(Root *r, int lines, int depth, SearchLine *best) {
    Cell was[MAX_SQUARES];
    for (int i = 0; i < lines; i++) was[i] = r->move[i].move;
    root_sort(r, 0);
    for (int i = 0; i < lines; i++) {
        if (r->move[i].move == was[i]) continue;
        const SearchLine told = root_report(r, i, depth);
        if (i == 0) *best = told;
    }
}

SearchLine search_deepen(Root *r) {
    Searcher *s = r->s;
    const int lines = r->limits->lines < r->count ? r->limits->lines : r->count;
    int guess[MAX_SQUARES];
    node_start(s);
    SearchLine best = {.pv_count = 1, .pv = {r->move[0].move}};
    Timing timing;
    timing_start(&timing, r->count, r->stage == STAGE_BLOCK || r->stage == STAGE_ANSWER_FIVE);
    for (int i = 0; i < lines; i++) guess[i] = SCORE_NONE;
    const int from = s->params.deepening ? next_depth(r, 0) : r->limits->depth;
    for (int depth = from; depth <= r->limits->depth; depth = next_depth(r, depth)) {
        const int before = guess[0];
        for (int line = 0; line < lines; line++) {
            const bool complete = search_line(r, line, depth, guess[line]);
            if (complete || keeps_unfinished(r, line)) {
                const SearchLine done = root_report(r, line, depth);
                if (line == 0) best = done;
            }
            if (!complete) return best;
        }
        if (lines > 1) order_lines(r, lines, depth, &best);
        for (int line = 0; line < lines; line++) guess[line] = r->move[line].score;
        if (lines == 1 && list_left_out(r, guess[0])) continue;
        if (settled(r, depth, guess[0], before == SCORE_NONE ? 0 : before)) break;
        if (r->thread == 0) {
            timing_note(&timing, &s->params, best.pv[0], best.score, best.time_us);
            if (timing_is_up(&timing, &s->params, &s->budget)) break;
        }
    }
    return best;
}
