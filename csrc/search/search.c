#include "search/search.h"

#include <string.h>

#include "search/prune.h"
#include "search/timing.h"

/* Proof searches get one part in so many; on a slow core they do so many nodes. */
enum { VCF_PART = 10, VCT_PART = 20, NODES_PER_MS = 600 };

enum { WIDEST_WINDOW = 1000 };

void search_forget(Searcher *s) {
    history_clear(&s->history);
    vcf_cache_clear(&s->vcf_cache);
}

/* --- the root's moves -------------------------------------------------------------------- */

static void add_legal(Root *r, const Bitboard *set) {
    const Position *p = r->s->pos;
    MovePicker *m = &r->s->picker[0];
    const MoveHints hints = {&r->s->params, NULL, 0, NO_CELL};
    int gap;
    movepick_init(m, r->s->eval, p, set, &hints);
    for (Cell c = movepick_next(m, &gap); c != NO_CELL; c = movepick_next(m, &gap)) {
        /* on boards made for it a ban may take milliseconds to find out */
        if (p->rule == RULE_RENJU && r->count > 0 && budget_poll(&r->s->budget)) return;
        if (position_barred(p, c) || bb_has(&r->limits->excluded, c)) continue;
        r->move[r->count++] = (RootMove){.move = c, .score = -SCORE_INFINITE};
    }
}

/* Ninuki, a five stands: the captures that break it or win, those that win first; all, when none
 * does either. */
static void keep_saving(Root *r) {
    Position *p = r->s->pos;
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        const RootMove m = r->move[i];
        position_make(p, m.move);
        const State state = p->state;
        position_unmake(p);
        if (state == STATE_MOVER_LOST) continue;
        r->move[i] = r->move[kept];
        r->move[kept++] = m;
        if (state != STATE_MOVER_WON) continue;
        r->move[kept - 1] = r->move[0];
        r->move[0] = m;
    }
    if (kept) r->count = kept;
}

/* The moves worth searching; every legal one when none of those is. Says which stage they are. */
static Stage list_moves(Root *r) {
    Position *p = r->s->pos;
    Stage stage = STAGE_SEARCH;
    Bitboard set = movegen_candidates(p);
    if (p->state == STATE_PENDING) {
        set = *position_captures(p, position_to_move(p));
        stage = STAGE_ANSWER_FIVE;
    } else {
        Bitboard answers;
        /* ninuki's answers to a capture know nothing of an own win */
        const bool won = p->rule == RULE_NINUKI && threat_win_now(p) != NO_CELL;
        if (!won && threat_answers(p, &answers)) {
            set = answers;
            stage = STAGE_BLOCK;
        }
    }
    add_legal(r, &set);
    if (stage == STAGE_ANSWER_FIVE) keep_saving(r);
    if (r->count == 0) add_legal(r, &p->board.empty);
    return stage;
}

void search_join(Root *r, const Root *first) {
    r->stage = first->stage;
    r->left_out = first->left_out;
    r->count = first->count;
    for (int i = 0; i < r->count; i++)
        r->move[i] = (RootMove){.move = first->move[i].move, .score = -SCORE_INFINITE};
}

/* Best first by score, then as they were: a stable insertion sort. */
static void sort_moves(Root *r, int from) {
    for (int i = from + 1; i < r->count; i++) {
        const RootMove m = r->move[i];
        int j = i;
        for (; j > from && r->move[j - 1].score < m.score; j--) r->move[j] = r->move[j - 1];
        r->move[j] = m;
    }
}

/* Lower levels of play: of the moves that compel nothing only the first few are looked at, in the
 * order of the fitted scores or, with plain sight, of a beginner's. */
static void narrow(Root *r) {
    const Searcher *s = r->s;
    const Params *q = &s->params;
    const Position *p = s->pos;
    if (!q->width || r->stage != STAGE_SEARCH) return;
    if (q->plain_sight) {
        Bitboard takes = {{0}};
        if (p->rule == RULE_NINUKI) takes = *position_captures(p, position_to_move(p));
        for (int i = 0; i < r->count; i++)
            r->move[i].score = eval_plain_move(s->eval, p, r->move[i].move, &takes, q->eager);
        sort_moves(r, 0);
        for (int i = 0; i < r->count; i++) r->move[i].score = -SCORE_INFINITE;
    }
    const int width = q->width > r->limits->lines ? q->width : r->limits->lines;
    if (r->count > width) r->count = width;
}

/* --- one look at the root ---------------------------------------------------------------- */

static void keep_root_pv(Root *r, RootMove *m) {
    const Searcher *s = r->s;
    m->pv_count = 0;
    m->pv[m->pv_count++] = m->move;
    for (int i = 0; i < s->pv_length[1] && m->pv_count < MAX_PLY; i++)
        m->pv[m->pv_count++] = s->pv[1][i];
}

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
    position_make(s->pos, m->move);
    int v;
    if (first || !s->params.pvs || !s->params.alphabeta) {
        v = -node_search(s, 1, depth, -beta, -alpha, false);
    } else {
        v = -node_search(s, 1, depth - r, -alpha - 1, -alpha, true);
        if (v > alpha && r && !s->budget.over)
            v = -node_search(s, 1, depth, -alpha - 1, -alpha, true);
        if (v > alpha && !s->budget.over) v = -node_search(s, 1, depth, -beta, -alpha, false);
    }
    position_unmake(s->pos);
    return v;
}

/* Searches the moves from `line` on; the best comes to the front. False when cut short; the best
 * so far is at the front then, too, if any move was finished. */
static bool search_window(Root *r, int line, int depth, int alpha, int beta) {
    Searcher *s = r->s;
    const bool cuts = s->params.alphabeta;
    bool complete = true, improved = false;
    for (int i = line; i < r->count; i++) r->move[i].score = -SCORE_INFINITE;
    for (int i = line; i < r->count && complete; i++) {
        RootMove *m = &r->move[i];
        const int v = look_at(r, m, depth, alpha, beta, i - line);
        if (s->budget.over) {
            complete = false;
            break;
        }
        if (v > alpha || i == line) {
            m->score = v;
            keep_root_pv(r, m);
        }
        improved |= v > alpha;
        if (v > alpha && cuts) alpha = v;
        if (v >= beta && cuts) break;
    }
    /* a first move that failed low says nothing of the order: the old one stands */
    if (improved) sort_moves(r, line);
    return complete;
}

/* One line of one depth, in a window around the last score when there is one; the side that proves
 * too narrow opens, at first a little. */
static bool search_line(Root *r, int line, int depth, int guess) {
    const Params *q = &r->s->params;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, width = q->aspiration_window;
    if (q->aspiration && depth > 3 && guess != SCORE_NONE && !score_is_proven(guess)) {
        alpha = guess - width;
        beta = guess + width;
    }
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
    }
}

static SearchLine report(const Root *r, int line, int depth) {
    const Searcher *s = r->s;
    const RootMove *m = &r->move[line];
    SearchLine out = {.line = line,
                      .depth = depth,
                      .seldepth = s->seldepth,
                      .score = m->score,
                      .pv_count = m->pv_count,
                      .nodes = budget_total_nodes(&s->budget),
                      .time_us = budget_elapsed_us(&s->budget)};
    memcpy(out.pv, m->pv, sizeof(Cell) * (size_t)m->pv_count);
    if (r->listen) r->listen(r->context, &out);
    return out;
}

bool search_is_forced(const Root *r) {
    return r->limits->lines == 1 && r->stage != STAGE_SEARCH && r->count == 1;
}

/* Whether deeper looks can change nothing: a win seen twice running (one alone may be the work of
 * a stale table entry), a loss in as many plies as were looked at, or a single move. */
static bool settled(const Root *r, int depth, int score, int before) {
    if (r->limits->lines > 1) return false;
    if (search_is_forced(r)) return true;
    if (score > SCORE_PROVEN && (before > SCORE_PROVEN || !r->s->params.confirm)) return true;
    return score < -SCORE_PROVEN && before < -SCORE_PROVEN && depth > -score_mate(score);
}

/* The depth after this one. Every second thread goes two plies at a time: so it is ahead of the
 * others, which find in the table what it has found, and each comes to a depth with less work than
 * alone (docs/design.md). All of them end with the last depth. */
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
    add_legal(r, &r->s->pos->board.empty);
    return true;
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
                const SearchLine done = report(r, line, depth);
                if (line == 0) best = done;
            }
            if (!complete) return best;
            guess[line] = r->move[line].score;
        }
        if (lines == 1 && list_left_out(r, guess[0])) continue;
        if (settled(r, depth, guess[0], before == SCORE_NONE ? 0 : before)) break;
        if (r->thread == 0) {
            timing_note(&timing, &s->params, best.pv[0], best.score, best.time_us);
            if (timing_is_up(&timing, &s->params, &s->budget)) break;
        }
    }
    return best;
}

/* --- the stages before the search -------------------------------------------------------- */

static SearchResult decided_at_once(Root *r, Cell move, Stage stage, int score) {
    RootMove *m = &r->move[0];
    *m = (RootMove){.move = move, .score = score, .pv_count = 1, .pv = {move}};
    r->count = 1;
    return (SearchResult){.move = move, .stage = stage, .line = report(r, 0, 1)};
}

static bool decide_win(Root *r, SearchResult *out) {
    const Position *p = r->s->pos;
    Cell now = threat_win_now(r->s->pos);
    if (now == NO_CELL) return false;
    if (p->rule != RULE_NINUKI) {
        BB_FOR_EACH(c, position_set(p, position_to_move(p), SQUARE_FIVE))
        if (bb_has(&r->limits->excluded, now)) now = c;
    }
    if (bb_has(&r->limits->excluded, now)) return false;
    *out = decided_at_once(r, now, STAGE_WIN, SCORE_MATE - 1);
    return true;
}

/* So much of the node limit, about as much of the time: most positions hold no proof, and those
 * that do are mostly found out early. From the limits alone, so that a node limit reproduces. */
static int64_t proof_share(const Root *r, int part, int64_t most) {
    const SearchLimits *l = r->limits;
    const int64_t by_nodes = l->nodes / part;
    const bool soft = l->soft_ms >= 0 && (l->hard_ms < 0 || l->soft_ms < l->hard_ms);
    const int64_t ms = soft ? l->soft_ms : l->hard_ms;
    if (l->nodes >= 0 && by_nodes < most) most = by_nodes;
    if (ms >= 0 && ms * NODES_PER_MS / part < most) most = ms * NODES_PER_MS / part;
    return most;
}

/* The move that begins a proven line, unless it is not to be played. */
static bool decided_by_proof(Root *r, SearchResult *out, Stage stage, int plies, const Cell *line,
                             int length) {
    if (!plies || bb_has(&r->limits->excluded, line[0])) return false;
    *out = decided_at_once(r, line[0], stage, SCORE_MATE - plies);
    SearchLine *l = &out->line;
    l->pv_count = length < MAX_PLY ? length : MAX_PLY;
    memcpy(l->pv, line, sizeof(Cell) * (size_t)l->pv_count);
    return true;
}

static bool decide_vcf(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    if (!s->params.vcf) return false;
    Proof *f = s->proof;
    const int plies =
        proof_vcf(f, s->pos, &s->budget, proof_share(r, VCF_PART, s->params.vcf_root_nodes));
    return decided_by_proof(r, out, STAGE_VCF, plies, f->vcf.line[0], f->vcf.length[0]);
}

static bool decide_vct(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    if (!s->params.vct) return false;
    Proof *f = s->proof;
    const int plies =
        proof_vct(f, s->pos, &s->budget, proof_share(r, VCT_PART, s->params.vct_root_nodes));
    return decided_by_proof(r, out, STAGE_VCT, plies, f->vct.line[0], f->vct.length[0]);
}

/* Whether the other side wins by fours after the move; false, too, when the nodes run out. */
static bool loses_to_vcf(Root *r, Cell move, int64_t *nodes) {
    Searcher *s = r->s;
    Proof *f = s->proof;
    if (*nodes <= 0 || s->budget.over) return false;
    position_make(s->pos, move);
    const bool loses = proof_vcf(f, s->pos, &s->budget, *nodes) > 0;
    position_unmake(s->pos);
    *nodes -= f->vcf.nodes;
    return loses;
}

/* Drops the moves that lose to fours, unless all do. */
static void drop_losing(Root *r, int64_t nodes) {
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (!loses_to_vcf(r, r->move[i].move, &nodes)) r->move[kept++] = r->move[i];
    if (!kept) return;
    r->left_out |= kept < r->count;
    r->count = kept;
}

/* Where the other side would win by fours if we passed, only what may prevent it is looked at.
 * Where everything may, the moves that are listed already. */
static Stage answer_vcf(Root *r) {
    Searcher *s = r->s;
    Bitboard answers;
    const int64_t nodes = proof_share(r, VCF_PART, s->params.vcf_root_nodes);
    if (!s->params.against || s->budget.over ||
        !proof_against(s->proof, s->pos, &s->budget, nodes, &answers))
        return STAGE_SEARCH;
    const int before = r->count;
    if (bb_count(&answers) < s->pos->board.empty_count) {
        r->count = 0;
        add_legal(r, &answers);
        r->left_out = r->count > 0;
        if (!r->count) r->count = before; /* they are still there */
    }
    drop_losing(r, nodes - s->proof->vcf.nodes);
    return STAGE_ANSWER_VCF;
}

bool search_stages(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    const SearchLimits *l = r->limits;
    s->seldepth = 0;
    budget_start(&s->budget, s->budget.stop, l->hard_ms, l->soft_ms, l->nodes);
    r->left_out = false;
    r->stage = list_moves(r);
    *out = (SearchResult){.move = NO_CELL, .stage = STAGE_STATIC};
    if (r->count == 0) return true;
    const bool choose = l->lines == 1 && s->pos->state == STATE_ONGOING;
    if (choose && decide_win(r, out)) return true;
    if (!choose || r->stage != STAGE_SEARCH || !s->proof) {
        narrow(r);
        return false;
    }
    if (decide_vcf(r, out) || decide_vct(r, out)) return true;
    r->stage = answer_vcf(r);
    narrow(r);
    return false;
}
