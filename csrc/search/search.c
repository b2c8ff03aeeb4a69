#include "search/search.h"

#include <string.h>

/* Proof searches get one part in so many; on a slow core they do so many nodes. */
enum { VCF_PART = 10, VCT_PART = 20, NODES_PER_MS = 600 };

typedef struct {
    Cell move;
    int score;     /* of the last finished look; -SCORE_INFINITE when it was only a bound */
    int64_t nodes; /* spent on it in this iteration */
    int pv_count;
    Cell pv[MAX_PLY];
} RootMove;

typedef struct {
    Searcher *s;
    const SearchLimits *limits;
    SearchListener listen;
    void *context;
    int count;
    RootMove move[MAX_SQUARES];
} Root;

/* --- the root's moves -------------------------------------------------------------------- */

static void add_legal(Root *r, const Bitboard *set) {
    const Position *p = r->s->pos;
    MovePicker *m = &r->s->picker[0];
    movepick_init(m, r->s->eval, p, set, NO_CELL, NULL, 0);
    for (Cell c = movepick_next(m); c != NO_CELL; c = movepick_next(m)) {
        if (position_barred(p, c) || bb_has(&r->limits->excluded, c)) continue;
        r->move[r->count++] = (RootMove){.move = c, .score = -SCORE_INFINITE};
    }
}

/* The moves worth searching; every legal one when none of those is. Says which stage they are. */
static Stage list_moves(Root *r) {
    Position *p = r->s->pos;
    Stage stage = STAGE_SEARCH;
    Bitboard set = movegen_candidates(p);
    if (p->state == STATE_PENDING) {
        set = position_captures(p, position_to_move(p));
        stage = STAGE_ANSWER_FIVE;
    } else {
        const Cell against = threat_against(p);
        if (against != NO_CELL) {
            set = movegen_answers(p, against);
            stage = STAGE_BLOCK;
        }
    }
    add_legal(r, &set);
    if (r->count == 0) add_legal(r, &p->board.empty);
    return stage;
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

/* --- one look at the root ---------------------------------------------------------------- */

static void keep_root_pv(Root *r, RootMove *m) {
    const Searcher *s = r->s;
    m->pv_count = 0;
    m->pv[m->pv_count++] = m->move;
    for (int i = 0; i < s->pv_length[1] && m->pv_count < MAX_PLY; i++)
        m->pv[m->pv_count++] = s->pv[1][i];
}

static int look_at(Root *r, const RootMove *m, int depth, int alpha, int beta, bool first) {
    Searcher *s = r->s;
    position_make(s->pos, m->move);
    int v;
    if (first || !s->params.pvs || !s->params.alphabeta) {
        v = -node_search(s, 1, depth - 1, -beta, -alpha);
    } else {
        v = -node_search(s, 1, depth - 1, -alpha - 1, -alpha);
        if (v > alpha && !s->budget.over) v = -node_search(s, 1, depth - 1, -beta, -alpha);
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
        const int v = look_at(r, m, depth, alpha, beta, i == line);
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

/* One line of one depth, in a window around the last score when there is one. */
static bool search_line(Root *r, int line, int depth, int guess) {
    const Params *q = &r->s->params;
    if (q->aspiration && depth > 3 && guess != SCORE_NONE && !score_is_proven(guess)) {
        const int alpha = guess - q->aspiration_window, beta = guess + q->aspiration_window;
        if (!search_window(r, line, depth, alpha, beta)) return false;
        const int v = r->move[line].score;
        if (v > alpha && v < beta) return true;
    }
    return search_window(r, line, depth, -SCORE_INFINITE, SCORE_INFINITE);
}

static SearchLine report(const Root *r, int line, int depth) {
    const Searcher *s = r->s;
    const RootMove *m = &r->move[line];
    SearchLine out = {.line = line,
                      .depth = depth,
                      .seldepth = s->seldepth,
                      .score = m->score,
                      .pv_count = m->pv_count,
                      .nodes = s->budget.nodes,
                      .time_us = budget_elapsed_us(&s->budget)};
    memcpy(out.pv, m->pv, sizeof(Cell) * (size_t)m->pv_count);
    if (r->listen) r->listen(r->context, &out);
    return out;
}

/* Whether deeper looks can change nothing: a win seen twice running (one alone may be the work of
 * a stale table entry), a loss in as many plies as were looked at, or a single move. */
static bool settled(const Root *r, int depth, int score, int before, bool single_ends) {
    if (r->limits->lines > 1) return false;
    if (single_ends && r->count == 1) return true;
    if (score > SCORE_PROVEN && before > SCORE_PROVEN) return true;
    return score < -SCORE_PROVEN && before < -SCORE_PROVEN && depth > -score_mate(score);
}

/* Iterative deepening; the best finished line, or the first move unsearched. */
static SearchLine deepen(Root *r, bool single_ends) {
    Searcher *s = r->s;
    const int lines = r->limits->lines < r->count ? r->limits->lines : r->count;
    int guess[MAX_SQUARES];
    SearchLine best = {.pv_count = 1, .pv = {r->move[0].move}};
    for (int i = 0; i < lines; i++) guess[i] = SCORE_NONE;
    for (int depth = s->params.deepening ? 1 : r->limits->depth; depth <= r->limits->depth;
         depth++) {
        const int before = guess[0];
        for (int line = 0; line < lines; line++) {
            const bool complete = search_line(r, line, depth, guess[line]);
            if (complete || (line == 0 && r->move[0].score > -SCORE_INFINITE)) {
                const SearchLine done = report(r, line, depth);
                if (line == 0) best = done;
            }
            if (!complete) return best;
            guess[line] = r->move[line].score;
        }
        if (budget_soft_over(&s->budget) ||
            settled(r, depth, guess[0], before == SCORE_NONE ? 0 : before, single_ends))
            break;
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
    const Cell now = threat_win_now(r->s->pos);
    if (now == NO_CELL || bb_has(&r->limits->excluded, now)) return false;
    *out = decided_at_once(r, now, STAGE_WIN, SCORE_MATE - 1);
    return true;
}

/* So much of the node limit, about as much of the time: most positions hold no proof, and those
 * that do are mostly found out early. From the limits alone, so that a node limit reproduces. */
static int64_t proof_share(const Root *r, int part, int64_t most) {
    const SearchLimits *l = r->limits;
    const int64_t by_nodes = l->nodes / part;
    const int64_t ms = l->soft_ms >= 0 && l->soft_ms < l->hard_ms ? l->soft_ms : l->hard_ms;
    if (l->nodes >= 0 && by_nodes < most) most = by_nodes;
    if (l->hard_ms >= 0 && ms * NODES_PER_MS / part < most) most = ms * NODES_PER_MS / part;
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
    if (!s->params.vct || s->pos->rule == RULE_NINUKI) return false;
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
    if (kept) r->count = kept;
}

/* Where the other side would win by fours if we passed, only what may prevent it is looked at.
 * Where everything may (bans, captures), the moves that are listed already. */
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
        if (!r->count) r->count = before; /* they are still there */
    }
    drop_losing(r, nodes - s->proof->vcf.nodes);
    return STAGE_ANSWER_VCF;
}

SearchResult search_run(Searcher *s, const SearchLimits *limits, SearchListener listen,
                        void *context) {
    static const SearchResult NOTHING = {.move = NO_CELL};
    Root root = {.s = s, .limits = limits, .listen = listen, .context = context};
    SearchResult out;
    s->seldepth = 0;
    budget_start(&s->budget, s->budget.stop, limits->hard_ms, limits->soft_ms, limits->nodes);
    Stage stage = list_moves(&root);
    if (root.count == 0) return NOTHING;
    const bool choose = limits->lines == 1 && s->pos->state == STATE_ONGOING;
    if (choose && decide_win(&root, &out)) return out;
    if (choose && stage == STAGE_SEARCH) {
        if (decide_vcf(&root, &out) || decide_vct(&root, &out)) return out;
        stage = answer_vcf(&root);
    }
    const SearchLine line = deepen(&root, stage != STAGE_SEARCH);
    const bool searched = line.depth > 0;
    return (SearchResult){
        .move = line.pv[0], .stage = searched ? stage : STAGE_STATIC, .line = line};
}
