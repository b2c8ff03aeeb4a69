#include "search/iterative.h"

#include "search/alphabeta.h"
#include "search/multipv.h"
#include "search/pruning.h"
#include "search/root_proofs.h"
#include "search/timeman.h"

enum { WIDEST_WINDOW = 1000, LOSS_AT_ONCE = 2 };

/* --- one iteration ------------------------------------------------------------------------ */

static void keep_root_pv(Root *r, RootMove *m) {
    const Searcher *s = r->s;
    m->pv_count = 0;
    m->pv[m->pv_count++] = m->move;
    for (int i = 0; i < s->pv_length[1] && m->pv_count < MAX_PLY; i++)
        m->pv[m->pv_count++] = s->pv[1][i];
}

/* The score of a root move. If the budget runs out after the move has beaten alpha at full depth, a
 * lower bound: the move is the best one, but its score is not exact. */
static int search_move(Root *root, const RootMove *m, int plies, int alpha, int beta, int index) {
    Searcher *s = root->s;
    const int depth = (plies - 1) * PLY;
    const bool first = index == 0;
    const int r = pruning_root_reduction(s, plies, index);
    /* a node does not test whether the previous move made a five, unless a five must stand */
    if (!s->pos->traits.five_must_stand &&
        pattern_class(&s->pos->pattern, position_to_move(s->pos), m->move) == SQUARE_FIVE) {
        s->pv_length[1] = 0;
        return SCORE_MATE - 1;
    }
    s->gives_threat[0] = position_is_threat(s->pos, m->move);
    position_make(s->pos, m->move);
    int v, known = -SCORE_INFINITE;
    if (first || !s->params.pvs || !s->params.alphabeta) {
        v = -alphabeta_search(s, 1, depth, -beta, -alpha, false);
    } else {
        v = -alphabeta_search(s, 1, depth - r, -alpha - 1, -alpha, true);
        if (v > alpha && r && !s->budget.over)
            v = -alphabeta_search(s, 1, depth, -alpha - 1, -alpha, true);
        if (v > alpha && !s->budget.over) {
            known = v;
            v = -alphabeta_search(s, 1, depth, -beta, -alpha, false);
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

static TracedOutcome outcome_of(int v, int alpha, int beta, bool complete) {
    if (!complete) return TRACED_ABORTED;
    if (v <= alpha) return TRACED_AT_MOST;
    return v >= beta ? TRACED_AT_LEAST : TRACED_EXACT;
}

/* Searches the moves from place `line` on, whose scores are reset, and sorts the best to the front.
 * False if aborted, or if the VCT between two moves has proved a win; then the best finished move
 * is at the front, if there is one. */
static bool search_window(Root *r, int line, int depth, int alpha, int beta) {
    Searcher *s = r->s;
    const bool cuts = s->params.alphabeta;
    bool complete = true, improved = false;
    for (int i = line; i < r->count && complete; i++) {
        RootMove *m = &r->move[i];
        const int64_t began = s->budget.nodes;
        const int seen = search_move(r, m, depth, alpha, beta, i - line);
        const int v = seen > m->floor ? seen : m->floor;
        complete = !s->budget.over;
        const TraceRow row = {.move = m->move,
                              .depth = depth,
                              .place = i,
                              .alpha = alpha,
                              .beta = beta,
                              .reduction = pruning_root_reduction(s, depth, i - line),
                              .score = v,
                              .outcome = outcome_of(v, alpha, beta, complete),
                              .nodes = s->budget.nodes - began};
        root_trace(r, &row);
        m->nodes += row.nodes;
        if (complete && v < -SCORE_PROVEN) m->loses = true;
        if (v > alpha || (i == line && complete)) {
            m->score = v;
            if (seen > m->floor) keep_root_pv(r, m); /* otherwise the proven line stays */
        }
        improved |= v > alpha;
        if (v > alpha && cuts) alpha = v;
        if (v >= beta && cuts) break;
        complete = complete && !(r->thread == 0 && root_proofs_again(r, alpha));
    }
    /* a first move that failed low does not change the order */
    if (improved) root_sort(r, line);
    return complete;
}

/* One line of one depth, in an aspiration window around the last score (-30 +- 44 Elo). A failure
 * widens its side, at first a little. A move that failed high keeps its bound as its score if the
 * time ends before the research does. */
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

/* Whether more depth cannot change the result: a win found at two depths (one alone may come from a
 * stale table entry), or a loss within the searched plies. */
static bool settled(const Root *r, int depth, int score, int before) {
    if (r->limits->lines > 1) return false;
    if (score > SCORE_PROVEN && (before > SCORE_PROVEN || !r->s->params.confirm_win)) return true;
    return score < -SCORE_PROVEN && before < -SCORE_PROVEN && depth > -score_mate(score);
}

/* The next depth. Every second thread deepens by two plies at a time: it is ahead, and the others
 * find its results in the table (decision 0084). All threads search the last depth. */
static int next_depth(const Root *r, int depth) {
    const int last = r->limits->depth;
    const int next = depth + 1 + (r->thread & 1);
    return next > last && depth < last ? last : next;
}

/* All listed moves lose, and moves that lose to a VCF were dropped: lists all moves again, to find
 * the longest resistance. */
static bool list_left_out(Root *r, int score) {
    if (!r->left_out || score >= -SCORE_PROVEN || r->s->params.width) return false;
    r->left_out = false;
    r->count = 0;
    root_add_legal(r, &r->s->pos->board.empty);
    return true;
}

/* Lower levels: while all searched moves lose to the opponent's next move, searches one more hidden
 * move. Later losses stay, they are the weakness of the level: if all were avoided, level 1 would
 * gain 375 Elo (docs/decisions/0011). False if aborted. */
static bool search_hidden(Root *r, int depth) {
    while (r->hidden && r->move[0].score <= -SCORE_MATE + LOSS_AT_ONCE) {
        const int line = r->count++;
        r->hidden--;
        if (!search_window(r, line, depth, -SCORE_INFINITE, SCORE_INFINITE)) return false;
        root_sort(r, 0);
    }
    return true;
}

/* After an aborted iteration whose best move loses: puts the first safe move that is not proven to
 * lose at the front, with its static score. */
static void prefer_unknown(Root *r) {
    int at = 0;
    if (r->move[0].score >= -SCORE_PROVEN) return;
    while (at < r->count && (r->move[at].loses || !root_is_safe(r, r->move[at].move))) at++;
    if (at == 0 || at == r->count) return;
    RootMove m = r->move[at];
    for (; at > 0; at--) r->move[at] = r->move[at - 1];
    m.score = multipv_static_score(r, m.move);
    m.pv[0] = m.move;
    m.pv_count = 1;
    r->move[0] = m;
}

/* The lines of one iteration. False if aborted. The first thread keeps what an aborted iteration
 * has found. Helpers vote with complete iterations only, because a vote is weighted by depth. */
static bool iterate(Root *r, int lines, int depth, int *guess, SearchLine *best) {
    for (int line = 0; line < lines; line++) {
        bool complete = search_line(r, line, depth, guess[line]);
        if (complete && lines == 1) complete = search_hidden(r, depth);
        const bool found = r->thread == 0 && line == 0 && r->move[0].score > -SCORE_INFINITE;
        if (!complete && found) prefer_unknown(r);
        if (complete || (found && (!r->multipv || r->move[0].score >= r->multipv[0].score))) {
            if (r->multipv) {
                multipv_update(r, lines, line, depth);
                *best = r->multipv[0];
            } else if (line == 0) {
                *best = root_line(r, 0, depth);
                root_report(r, best);
            }
        }
        if (!complete) return false;
    }
    root_sort(r, 0);
    for (int line = 0; line < lines; line++) guess[line] = r->move[line].score;
    return true;
}

/* The line of a single legal move from the transposition table, if an earlier search stored its
 * exact score. Returns the depth of that score; 0: none. */
static int line_of_table(Root *r, SearchLine *best) {
    const Searcher *s = r->s;
    RootMove *m = &r->move[0];
    TableEntry e;
    if (!s->params.tt || !tt_probe(s->table, position_key_after(s->pos, m->move), &e)) return 0;
    const int score = -score_from_table(e.score, 1);
    const bool proven =
        score_is_proven(score) && e.bound == (score > 0 ? BOUND_UPPER : BOUND_LOWER);
    if (e.bound != BOUND_EXACT && !proven) return 0;
    m->score = score;
    m->pv[0] = m->move;
    m->pv_count = 1;
    if (e.move != NO_CELL) m->pv[m->pv_count++] = e.move;
    *best = root_line(r, 0, e.depth + 1);
    root_report(r, best);
    return e.depth + 1;
}

/* The line before the first iteration, with depth 0. */
static SearchLine first_line(Root *r, int lines) {
    if (r->multipv) {
        multipv_start(r, lines);
        return r->multipv[0];
    }
    root_put_safe_first(r);
    RootMove *m = &r->move[0];
    m->score = r->s->evals[0];
    m->pv[0] = m->move;
    m->pv_count = 1;
    return root_line(r, 0, 0);
}

/* Percent of the nodes that the best move has taken, in a search for one line. */
static int effort_of_best(const Root *r) {
    if (r->limits->lines > 1) return EFFORT_EVEN;
    int64_t all = 0;
    for (int i = 0; i < r->count; i++) all += r->move[i].nodes;
    return all ? (int)(100 * r->move[0].nodes / all) : EFFORT_EVEN;
}

/* Orders the moves of the first iteration by the policy network. Moves that win at once stay first.
 */
static void sort_by_policy(Root *r) {
    Searcher *s = r->s;
    if (!s->params.policy || !s->params.policy_root || !s->eval->has_policy || s->params.width ||
        r->stage != STAGE_SEARCH || r->limits->lines > 1)
        return;
    PolicyNode policy;
    eval_policy(s->eval, s->pos, &s->accumulators, &policy);
    const MoveScores scores = eval_moves(s->eval, s->pos, &policy);
    const int wins = root_leading_wins(r);
    for (int i = wins; i < r->count; i++) r->move[i].score = eval_move(&scores, r->move[i].move);
    root_sort(r, wins);
    forget_scores(r, wins);
}

SearchLine iterative_deepen(Root *r) {
    Searcher *s = r->s;
    const int lines = r->limits->lines < r->count ? r->limits->lines : r->count;
    int guess[MAX_SQUARES], depth = 0;
    worker_start(s);
    sort_by_policy(r);
    SearchLine best = first_line(r, lines);
    TimeManager timing;
    timeman_start(&timing, r->stage == STAGE_BLOCK || r->stage == STAGE_ANSWER_FIVE);
    for (int i = 0; i < lines; i++) guess[i] = SCORE_NONE;
    if (root_is_forced(r)) depth = line_of_table(r, &best);
    depth = s->params.deepening ? next_depth(r, depth) : r->limits->depth;
    for (; depth <= r->limits->depth; depth = next_depth(r, depth)) {
        const int before = guess[0];
        if (!iterate(r, lines, depth, guess, &best)) break;
        if (lines == 1 && list_left_out(r, guess[0])) continue;
        if (settled(r, depth, guess[0], before == SCORE_NONE ? 0 : before)) break;
        if (r->thread == 0) {
            timeman_note(&timing, &s->params, best.pv[0], best.score, effort_of_best(r),
                         best.time_us);
            if (timeman_is_up(&timing, &s->params, &s->budget)) break;
        }
    }
    if (r->multipv && multipv_incomplete(r, lines)) multipv_report(r, lines);
    return best;
}
