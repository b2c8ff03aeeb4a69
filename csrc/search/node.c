#include "search/node.h"

#include <stdlib.h>
#include <string.h>

/* One node's work, shared by its steps. */
typedef struct {
    int ply, depth, alpha, beta;
    bool pv;      /* an open window */
    bool forced;  /* the moves are answers to a win threatened at once */
    bool pending; /* ninuki: a five stands against us */
    int eval;     /* SCORE_NONE when it was not asked for */
    Cell first;   /* the table's move */
    Bitboard moves;
    Bitboard captures; /* ninuki: squares on which either side would capture */
    int best;
    Cell best_move;
} Node;

static int mated_in(int ply) {
    return -SCORE_MATE + ply;
}

static int mate_in(int ply) {
    return SCORE_MATE - ply;
}

static void keep_pv(Searcher *s, int ply, Cell move) {
    const int n = s->pv_length[ply + 1];
    s->pv[ply][0] = move;
    memcpy(&s->pv[ply][1], s->pv[ply + 1], (size_t)n * sizeof(Cell));
    s->pv_length[ply] = n + 1;
}

/* --- 1. ends that need no search --------------------------------------------------------- */

/* Ninuki: the move before this node decided the game. */
static bool decided(const Position *p, int ply, int *score) {
    if (p->state == STATE_MOVER_WON) *score = mated_in(ply);
    if (p->state == STATE_MOVER_LOST) *score = mate_in(ply);
    return p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST;
}

/* An open four or two fours that we may make while the other side has no five to make: whatever
 * the answer, our five follows. Under ninuki captures answer, so there it is no proof. */
static bool wins_by_open_four(const Position *p) {
    const Color us = position_to_move(p);
    if (p->rule == RULE_NINUKI || position_count(p, other(us), SQUARE_FIVE)) return false;
    Bitboard squares = *position_set(p, us, SQUARE_OPEN_FOUR);
    bb_or(&squares, position_set(p, us, SQUARE_FOURS));
    BB_FOR_EACH(c, &squares)
    if (!position_barred(p, c)) return true;
    return false;
}

/* Wins of this move and the next from shape counts alone. */
static bool resolved(Searcher *s, int ply, int *score) {
    Position *p = s->pos;
    if (decided(p, ply, score)) return true;
    if (p->board.empty_count == 0) {
        *score = 0;
        return true;
    }
    const Color us = position_to_move(p);
    if (p->rule != RULE_NINUKI && !position_count(p, us, SQUARE_FIVE) &&
        !position_count(p, us, SQUARE_OPEN_FOUR) && !position_count(p, us, SQUARE_FOURS))
        return false;
    const Cell now = threat_win_now(p);
    if (now != NO_CELL) {
        *score = mate_in(ply + 1);
        s->pv[ply][0] = now;
        s->pv_length[ply] = 1;
        return true;
    }
    if (!wins_by_open_four(p)) return false;
    *score = mate_in(ply + 3);
    return true;
}

/* --- 2. which moves ---------------------------------------------------------------------- */

/* A square where the other side threatens an open four or two fours, and no stone of ours could
 * make it barred or unbarred; NO_CELL when there is none. */
static Cell threatened_open_four(const Position *p) {
    const Color them = other(position_to_move(p));
    Bitboard squares = *position_set(p, them, SQUARE_OPEN_FOUR);
    bb_or(&squares, position_set(p, them, SQUARE_FOURS));
    BB_FOR_EACH(c, &squares)
    if (p->rule != RULE_RENJU || !pattern_suspect(&p->pattern, them, c)) return c;
    return NO_CELL;
}

static void choose_moves(Searcher *s, Node *n) {
    Position *p = s->pos;
    n->pending = p->state == STATE_PENDING;
    if (n->pending) {
        n->moves = position_captures(p, position_to_move(p));
        n->forced = true;
        return;
    }
    const Cell five = threat_against(p);
    n->forced = five != NO_CELL;
    if (n->forced) {
        n->moves = movegen_answers(p, five);
        return;
    }
    if (p->rule == RULE_NINUKI) {
        const Bitboard theirs = position_captures(p, other(position_to_move(p)));
        n->captures = position_captures(p, position_to_move(p));
        bb_or(&n->captures, &theirs);
    }
    const Cell four =
        s->params.defence && p->rule != RULE_NINUKI ? threatened_open_four(p) : (Cell)NO_CELL;
    n->moves = four != NO_CELL ? movegen_defences(p, four) : movegen_candidates(p);
}

/* --- 3. table ---------------------------------------------------------------------------- */

static bool cut_by_table(Searcher *s, Node *n, int *score) {
    TableEntry e;
    if (!tt_probe(s->table, s->pos->board.key, &e)) return false;
    if (s->params.tt_order) n->first = e.move;
    n->eval = e.eval;
    if (n->pv || e.depth < n->depth || !s->params.tt_cutoff) return false;
    *score = score_from_table(e.score, n->ply);
    return e.bound == BOUND_EXACT || (e.bound == BOUND_LOWER && *score >= n->beta) ||
           (e.bound == BOUND_UPPER && *score <= n->alpha);
}

static void store(Searcher *s, const Node *n, int alpha) {
    const Bound bound = n->best >= n->beta ? BOUND_LOWER
                        : n->best > alpha  ? BOUND_EXACT
                                           : BOUND_UPPER;
    const TableEntry e = {.move = n->best_move,
                          .score = score_to_table(n->best, n->ply),
                          .eval = n->eval,
                          .depth = n->depth > 0 ? n->depth : 0,
                          .bound = bound};
    tt_store(s->table, s->pos->board.key, &e);
}

/* --- 4. the horizon ---------------------------------------------------------------------- */

/* Quiet at the horizon: a win by fours, or the static score. */
static int horizon(Searcher *s, Node *n) {
    Position *p = s->pos;
    if (s->params.vcf && p->state == STATE_ONGOING && threat_has_four(p, position_to_move(p))) {
        const int plies = vcf_search(&s->vcf, p, &s->vcf_cache, &s->budget, s->params.vcf_nodes);
        if (plies) {
            n->best = mate_in(n->ply + plies);
            n->best_move = s->vcf.line[0][0];
            return n->best;
        }
    }
    if (n->eval == SCORE_NONE) n->eval = eval_score(s->eval, p);
    n->best = n->eval;
    return n->best;
}

/* --- 5. pruning before the moves --------------------------------------------------------- */

/* Reverse futility: far above beta with little depth left, the node will not fall below it. */
static bool far_above_beta(const Searcher *s, const Node *n) {
    return s->params.rfp && !n->pv && n->depth <= s->params.rfp_depth &&
           !score_is_proven(n->beta) && n->eval - s->params.rfp_step * n->depth >= n->beta;
}

/* Razoring: far below alpha with little depth left, only a win by fours can help. */
static bool far_below_alpha(const Searcher *s, const Node *n) {
    return s->params.razoring && !n->pv && n->depth <= s->params.razoring_depth &&
           !score_is_proven(n->alpha) &&
           n->eval + s->params.razoring_base + s->params.razoring_step * n->depth <= n->alpha;
}

/* --- 6. the moves ------------------------------------------------------------------------ */

/* Whether a colour's stone on c would make no threat and take nothing. */
static bool is_quiet(const Node *n, const Position *p, Color color, Cell c) {
    return pattern_class(&p->pattern, color, c) == SQUARE_QUIET && !bb_has(&n->captures, c);
}

/* Whether a move may be left out: quiet, late or hopeless, and the node has something better
 * than a proven loss (else leaving moves out would make the proof a guess). */
static bool skipped(const Searcher *s, const Node *n, Cell c, int index, int gap) {
    const Position *p = s->pos;
    const Params *q = &s->params;
    if (n->forced || n->best <= -SCORE_PROVEN) return false;
    const Color us = position_to_move(p);
    if (!is_quiet(n, p, us, c) || !is_quiet(n, p, other(us), c)) return false;
    const int late = q->lmp_base + q->lmp_step * n->depth * n->depth / 2;
    if (q->lmp && index >= late << n->pv) return true;
    if (q->lmp && gap > (q->gap_base + q->gap_step * n->depth) << n->pv) return true;
    return q->futility && !n->pv && n->depth <= q->futility_depth &&
           n->eval + q->futility_base + q->futility_step * n->depth <= n->alpha;
}

/* 16 * log2(x), by straight lines between the powers of two. */
static int log2_16(int x) {
    const int whole = 31 - __builtin_clz((u32)x);
    return 16 * whole + (((x << 4) >> whole) & 15);
}

/* Plies less for a late quiet move: the product of the logarithms of depth and index. */
static int reduction(const Searcher *s, const Node *n, Cell c, int index, int gap) {
    if (!s->params.lmr || n->forced || n->depth < 3 || index < 2) return 0;
    const Position *p = s->pos;
    const Color us = position_to_move(p);
    if (!is_quiet(n, p, us, c)) return 0;
    int r = log2_16(n->depth) * log2_16(index + 1) * s->params.lmr_scale / (256 * 100);
    r += gap / s->params.lmr_gap;
    if (n->pv || !is_quiet(n, p, other(us), c)) r--;
    return r < 0 ? 0 : r > n->depth - 2 ? n->depth - 2 : r;
}

/* The value of the move just made: PVS, with a reduced look first when it is late. */
static int value_of_move(Searcher *s, const Node *n, int depth, int reduced, bool first) {
    const int ply = n->ply + 1;
    if (first || !s->params.pvs || !s->params.alphabeta)
        return -node_search(s, ply, depth, -n->beta, -n->alpha);
    int v = -node_search(s, ply, depth - reduced, -n->alpha - 1, -n->alpha);
    if (v > n->alpha && reduced) v = -node_search(s, ply, depth, -n->alpha - 1, -n->alpha);
    if (v > n->alpha && v < n->beta) v = -node_search(s, ply, depth, -n->beta, -n->alpha);
    return v;
}

/* A new best move; true when it refutes the node. */
static bool improve(Searcher *s, Node *n, Cell c, int value) {
    if (value <= n->best) return false;
    n->best = value;
    if (value <= n->alpha) return false;
    n->best_move = c;
    keep_pv(s, n->ply, c);
    if (!s->params.alphabeta) return false;
    n->alpha = value;
    return value >= n->beta;
}

static void search_moves(Searcher *s, Node *n) {
    Position *p = s->pos;
    const Color us = position_to_move(p);
    MovePicker *m = &s->picker[n->ply];
    movepick_init(m, s->eval, p, &n->moves, n->first, s->params.killers ? &s->history : NULL,
                  n->ply);
    const Cell last = position_last(p);
    Cell tried[64];
    int index = 0, count = 0;
    for (Cell c = movepick_next(m); c != NO_CELL; c = movepick_next(m)) {
        const int gap = m->top > m->score[m->next - 1] ? m->top - m->score[m->next - 1] : 0;
        if (position_barred(p, c) || skipped(s, n, c, index, gap)) continue;
        const int reduced = reduction(s, n, c, index, gap);
        /* an answer to a five costs no depth: the other side's next chance stays in sight */
        const int depth = n->forced ? n->depth : n->depth - 1;
        position_make(p, c);
        tt_prefetch(s->table, p->board.key);
        const int value = value_of_move(s, n, depth, reduced, index == 0);
        position_unmake(p);
        if (s->budget.over) return;
        index++;
        if (improve(s, n, c, value)) {
            if (!n->forced)
                history_reward(&s->history, us, n->ply, n->depth, last, c, tried, count);
            return;
        }
        if (count < 64) tried[count++] = c;
    }
}

/* None of the moves looked at was legal. */
static int no_move(Searcher *s, const Node *n) {
    Position *p = s->pos;
    /* with a win threatened, any other move loses at once; a move there must be, or it is a draw */
    BB_FOR_EACH(c, &p->board.empty)
    if (!position_barred(p, c)) return n->forced ? mated_in(n->ply + 2) : eval_score(s->eval, p);
    return 0;
}

int node_search(Searcher *s, int ply, int depth, int alpha, int beta) {
    s->pv_length[ply] = 0;
    if (budget_node(&s->budget)) return 0;
    if (ply > s->seldepth) s->seldepth = ply;
    int score;
    if (resolved(s, ply, &score)) return score;
    if (ply >= MAX_PLY - 1) return eval_score(s->eval, s->pos);
    /* a shorter win was found already, or nothing here can be worse than what we have */
    if (alpha < mated_in(ply)) alpha = mated_in(ply);
    if (beta > mate_in(ply + 1)) beta = mate_in(ply + 1);
    if (alpha >= beta) return alpha;

    Node n = {.ply = ply,
              .depth = depth,
              .alpha = alpha,
              .beta = beta,
              .pv = beta - alpha > 1,
              .eval = SCORE_NONE,
              .first = NO_CELL,
              .best = -SCORE_INFINITE,
              .best_move = NO_CELL};
    if (cut_by_table(s, &n, &score)) return score;
    choose_moves(s, &n);
    if (depth <= 0 && !n.forced) {
        score = horizon(s, &n);
        if (!s->budget.over) store(s, &n, alpha);
        return score;
    }
    if (n.eval == SCORE_NONE && !n.forced) n.eval = eval_score(s->eval, s->pos);
    if (!n.forced && far_above_beta(s, &n)) return n.eval;
    if (!n.forced && far_below_alpha(s, &n)) return horizon(s, &n);
    if (s->params.iir && n.first == NO_CELL && n.depth >= 4) n.depth--;
    search_moves(s, &n);
    if (s->budget.over) return 0;
    if (n.best == -SCORE_INFINITE) n.best = no_move(s, &n);
    store(s, &n, alpha);
    return n.best;
}
