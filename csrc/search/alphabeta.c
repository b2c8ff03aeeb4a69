#include "search/alphabeta.h"

#include <stdlib.h>
#include <string.h>

#include "search/leaf.h"
#include "search/node_table.h"
#include "search/pruning.h"
#include "search/threats.h"

/* Alpha-raised reduction: only below RAISED_MOST plies, and while no side is close to a win. */
enum { RAISED_MOST = 12, RAISED_SCORE = 2000 };

static void keep_pv(Searcher *s, int ply, Cell move) {
    const int n = s->pv_length[ply + 1];
    s->pv[ply][0] = move;
    memcpy(&s->pv[ply][1], s->pv[ply + 1], (size_t)n * sizeof(Cell));
    s->pv_length[ply] = n + 1;
}

/* --- 1. move generation ------------------------------------------------------------------- */

/* Sets n->forced if the opponent threatens to win with its next move; n->moves are the answers. */
static void find_answers(Searcher *s, Node *n) {
    Position *p = s->pos;
    if (p->state == STATE_PENDING) {
        n->moves = *position_captures(p, position_to_move(p));
        n->forced = true;
        return;
    }
    n->forced = threat_answers(p, &n->moves);
}

/* The candidates or, against an open four, its answers (open_four_defence: 23 +- 49 Elo). */
static void choose_moves(Searcher *s, Node *n) {
    Position *p = s->pos;
    if (n->forced) return;
    if (p->traits.captures) {
        n->captures = *position_captures(p, BLACK);
        bb_or(&n->captures, position_captures(p, WHITE));
    }
    const Cell four = s->params.open_four_defence ? threat_open_four(p) : (Cell)NO_CELL;
    n->moves = four != NO_CELL ? movegen_defences(p, four) : movegen_candidates(p);
    n->narrowed = four != NO_CELL && p->traits.captures;
}

/* Rules with captures: all likely answers to an open four lose. The other moves rarely do better,
 * but the loss is a proof only after all of them, so they are searched with half of the depth. */
static void widen(Searcher *s, Node *n) {
    const Bitboard all = movegen_candidates(s->pos);
    n->depth = (n->depth + 1) / 2;
    for (int i = 0; i < WORDS; i++) n->moves.w[i] = all.w[i] & ~n->moves.w[i];
}

/* --- 2. pruning and extensions before the moves -------------------------------------------- */

/* A node with forced moves has no static score of its own: it takes that of the previous ply,
 * negated. */
static void note_eval(Searcher *s, Node *n) {
    s->evals[n->ply] = n->forced ? -s->evals[n->ply - 1] : n->eval;
    s->forced[n->ply] = n->forced;
    n->improving = n->ply >= 2 && !n->forced && n->eval > s->evals[n->ply - 2];
}

/* Null move pruning (off: -19 to 7 Elo): if the score reaches beta even after a pass, a move will
 * do better. Not against a threatened win, and not twice in a row. */
static bool null_move_holds(Searcher *s, const Node *n, int *score) {
    const Params *q = &s->params;
    Position *p = s->pos;
    if (!q->nmp || n->pv || n->depth < q->nmp_depth * PLY || s->null_ply == n->ply - 1 ||
        score_is_proven(n->beta) || n->eval < n->beta + q->nmp_margin ||
        (p->traits.captures ? p->state != STATE_ONGOING : threat_open_four(p) != NO_CELL))
        return false;
    const int depth = n->depth - (q->nmp_base + 1) * PLY - n->depth / q->nmp_div;
    const int before = s->null_ply;
    position_pass(p);
    s->null_ply = n->ply;
    s->gives_threat[n->ply] = false;
    const int v = -alphabeta_search(s, n->ply + 1, depth, -n->beta, -n->beta + 1, !n->cut_node);
    s->null_ply = before;
    position_unpass(p);
    *score = v > SCORE_PROVEN ? n->beta : v;
    return v >= n->beta && !s->budget.over;
}

/* Singular extension (off: -48 to -5 Elo): the extra depth of the table's move. The other moves are
 * searched with half of the depth, against the table's score less a margin. If one of them reaches
 * beta, the node fails high at once with *score. */
static int singular(Searcher *s, const Node *n, int *score) {
    const Params *q = &s->params;
    const TableEntry *e = &n->entry;
    if (!q->singular || n->forced || n->tt_move == NO_CELL || n->depth < q->singular_depth * PLY ||
        n->ply == 0 || e->depth < n->depth / PLY - 3 ||
        (e->bound != BOUND_LOWER && e->bound != BOUND_EXACT) || score_is_proven(e->score))
        return 0;
    const int target = e->score - q->singular_margin * n->depth / PLY;
    s->excluded[n->ply] = n->tt_move;
    const int v = alphabeta_search(s, n->ply, n->depth / 2, target - 1, target, n->cut_node);
    s->excluded[n->ply] = NO_CELL;
    s->pv_length[n->ply] = 0;
    if (s->budget.over) return 0;
    if (v < target) return !n->pv && v < target - q->singular_double ? 2 * PLY : PLY;
    if (!n->pv && target >= n->beta && !score_is_proven(v)) {
        *score = target;
        return 0;
    }
    return e->score >= n->beta ? -PLY : 0;
}

/* --- 3. the moves ------------------------------------------------------------------------ */

/* The value of the move just made, by principal variation search (459 +- 117 Elo). Late moves are
 * searched with less depth first. */
static int value_of_move(Searcher *s, const Node *n, int depth, int reduced, bool first) {
    const int ply = n->ply + 1;
    if (first || !s->params.pvs || !s->params.alphabeta)
        return -alphabeta_search(s, ply, depth, -n->beta, -n->alpha, !n->pv && !n->cut_node);
    int v = -alphabeta_search(s, ply, depth - reduced, -n->alpha - 1, -n->alpha,
                              reduced || !n->cut_node);
    if (v > n->alpha && reduced) {
        depth += pruning_research_extension(s, n, v, reduced);
        v = -alphabeta_search(s, ply, depth, -n->alpha - 1, -n->alpha, !n->cut_node);
    }
    if (v > n->alpha && v < n->beta)
        v = -alphabeta_search(s, ply, depth, -n->beta, -n->alpha, false);
    return v;
}

/* Keeps a new best move; true if it causes a cutoff. */
static bool improve(Searcher *s, Node *n, Cell c, int value) {
    if (value <= n->best) return false;
    n->best = value;
    if (value <= n->alpha) return false;
    n->best_move = c;
    keep_pv(s, n->ply, c);
    if (!s->params.alphabeta) return false;
    n->alpha = value;
    if (value >= n->beta) return true;
    /* alpha-raised reduction: the other moves must be better still, and rarely are (SPSA) */
    if (n->depth > 2 * PLY && n->depth < RAISED_MOST * PLY && abs(value) < RAISED_SCORE)
        n->depth -= s->params.alpha_raised_reduction;
    return false;
}

/* Whether the move is forbidden. A possible double three of renju needs the full rules. On
 * adversarial boards they take milliseconds, so the clock is polled first. */
static bool is_forbidden(Searcher *s, Cell c) {
    const Position *p = s->pos;
    if (position_may_be_renju_forbidden(p, c)) budget_poll(&s->budget);
    return position_forbidden(p, c);
}

/* Whether the policy network orders the moves (26 +- 46 Elo): only away from the horizon, where the
 * order matters most. */
static bool wants_policy(const Searcher *s, const Node *n) {
    const Params *q = &s->params;
    return q->policy && !n->forced && n->depth >= q->policy_depth * PLY && s->eval->has_policy;
}

static bool may_play(Searcher *s, const Node *n, Cell c) {
    return c != s->excluded[n->ply] && !is_forbidden(s, c);
}

/* The moves of a node that have been searched: their count, and a list of the first ones. */
typedef struct {
    Cell tried[64];
    int count;
} Tries;

/* Searches a move; true if it causes a cutoff or the budget is over. */
static bool try_move(Searcher *s, Node *n, Cell c, int gap, int extension, Tries *t) {
    enum { LISTED = sizeof t->tried / sizeof *t->tried };
    Position *p = s->pos;
    ASSERT(bb_has(&n->moves, c) && !position_forbidden(p, c));
    const int reduced = pruning_reduction(s, n, c, t->count, gap);
    /* threat extension (61 +- 45 Elo): an answer to a threatened win costs no depth */
    const int depth = n->depth - (n->forced && s->params.threat_ext ? 0 : PLY) + extension;
    /* loads the slot into the cache while the move is made: saves 5 % of the time with 64 MiB */
    tt_prefetch(s->table, position_key_after(p, c));
    s->gives_threat[n->ply] = position_is_threat(p, c);
    position_make(p, c);
    const int value = value_of_move(s, n, depth, reduced, t->count == 0);
    position_unmake(p);
    if (s->budget.over) return true;
    if (improve(s, n, c, value)) {
        if (!n->forced)
            history_reward(&s->history, position_to_move(p), n->ply, n->depth / PLY,
                           position_last(p), c, t->tried, t->count < LISTED ? t->count : LISTED,
                           s->params.conthist);
        return true;
    }
    if (t->count < LISTED) t->tried[t->count] = c;
    t->count++;
    return false;
}

/* The table's move comes first. It often causes a cutoff, and then no other move is scored. */
static void search_moves(Searcher *s, Node *n, int extension) {
    Position *p = s->pos;
    const bool by_policy = wants_policy(s, n);
    Tries tries = {.count = 0};
    if (n->tt_move != NO_CELL && bb_has(&n->moves, n->tt_move) && may_play(s, n, n->tt_move) &&
        try_move(s, n, n->tt_move, 0, extension, &tries))
        return;
    if (s->budget.over) return;
    PolicyNode policy;
    if (by_policy) eval_policy(s->eval, p, &s->accumulators, &policy);
    const MoveHints hints = {&s->params, &s->history, n->ply, n->tt_move,
                             by_policy ? &policy : NULL};
    MovePicker *m = &s->picker[n->ply];
    movepick_init(m, s->eval, p, &n->moves, &hints);
    int gap;
    bool quiets_skipped = false;
    for (Cell c = movepick_next(m, &gap); c != NO_CELL; c = movepick_next(m, &gap)) {
        if (!may_play(s, n, c)) continue;
        if (s->budget.over || pruning_skips_rest(s, n, tries.count)) return;
        if (!quiets_skipped && pruning_skips_quiet(s, n, c, tries.count, gap)) {
            movepick_skip_quiets(m, p, &n->captures);
            quiets_skipped = true;
        } else if (try_move(s, n, c, gap, 0, &tries)) {
            return;
        }
    }
}

/* The score of a node in which no move of the set was legal. */
static int no_move(Searcher *s, const Node *n) {
    Position *p = s->pos;
    /* any other move loses to the threatened win; without a legal move the game is a draw */
    BB_FOR_EACH(c, &p->board.empty)
    if (!position_forbidden(p, c))
        return n->forced ? score_mated_in(n->ply + 2) : leaf_static_score(s);
    return 0;
}

/* --- 4. the node -------------------------------------------------------------------------- */

/* Whether the node needs no search, then with *score. Narrows the window by mate distance pruning:
 * no line from here can beat a known shorter win or loss. */
static bool ends_here(Searcher *s, int ply, int *alpha, int *beta, int *score) {
    if (leaf_resolved(s, ply, score)) return true;
    if (ply >= MAX_PLY - 1) {
        *score = leaf_static_score(s);
        return true;
    }
    if (*alpha < score_mated_in(ply)) *alpha = score_mated_in(ply);
    if (*beta > score_mate_in(ply + 1)) *beta = score_mate_in(ply + 1);
    *score = *alpha;
    return *alpha >= *beta;
}

/* Prunes the node, then true with *score, or changes its depth. *extension: of the table's move.
 * The budget may be over afterwards. */
static bool prune_node(Searcher *s, Node *n, int *extension, int *score) {
    const Params *q = &s->params;
    if (pruning_reverse_futility(s, n)) {
        *score = leaf_damped(s, n->eval, n->beta, 1, 3);
        return true;
    }
    if (pruning_razoring(s, n)) {
        *score = leaf_horizon(s, n);
        if (*score < n->alpha) *score = leaf_damped(s, *score, n->alpha, 1, 2);
        return true;
    }
    if (null_move_holds(s, n, score)) return true;
    /* internal iterative reduction (-23 +- 43 Elo): without a table move the order is poor */
    if (q->iir && n->tt_move == NO_CELL && n->depth >= q->iir_depth * PLY) n->depth -= PLY;
    if (pruning_fail_high(s, n)) n->depth -= PLY;
    *score = SCORE_NONE;
    *extension = singular(s, n, score) + (n->pv ? 0 : q->tt_move_extension);
    return *score != SCORE_NONE;
}

static void search_all(Searcher *s, Node *n, int extension) {
    choose_moves(s, n);
    search_moves(s, n, extension);
    if (n->narrowed && n->best <= -SCORE_PROVEN && !s->budget.over) {
        widen(s, n);
        search_moves(s, n, extension);
    }
}

int alphabeta_search(Searcher *s, int ply, int depth, int alpha, int beta, bool cut_node) {
    s->pv_length[ply] = 0;
    if (budget_node(&s->budget)) return 0;
    if (ply > s->seldepth) s->seldepth = ply;
    int score = SCORE_NONE;
    if (ends_here(s, ply, &alpha, &beta, &score)) return score;

    Node n = {.ply = ply,
              .depth = depth,
              .alpha = alpha,
              .beta = beta,
              .pv = beta - alpha > 1,
              .cut_node = cut_node,
              .eval = SCORE_NONE,
              .tt_move = NO_CELL,
              .entry = {.bound = BOUND_NONE},
              .best = -SCORE_INFINITE,
              .best_move = NO_CELL};
    const bool whole =
        s->excluded[ply] == NO_CELL; /* false: singular extension, one move is left out */
    s->excluded[ply + 1] = NO_CELL;
    if (node_table_cuts(s, &n, &score) && whole) {
        node_table_teaches(s, &n);
        return score;
    }
    find_answers(s, &n);
    if (depth <= 0 && !n.forced) {
        score = leaf_horizon(s, &n);
        if (!s->budget.over) node_table_store(s, &n, alpha);
        return score;
    }
    if (n.eval == SCORE_NONE && !n.forced) n.eval = leaf_static_score(s);
    note_eval(s, &n);
    int extension = 0;
    if (!n.forced && whole && prune_node(s, &n, &extension, &score))
        return s->budget.over ? 0 : score;
    if (!s->budget.over) search_all(s, &n, extension);
    if (s->budget.over) return 0;
    if (n.best == -SCORE_INFINITE) n.best = whole ? no_move(s, &n) : alpha;
    if (n.best >= n.beta && n.depth > 0)
        n.best = leaf_damped(s, n.best, n.beta, n.depth / PLY, n.depth / PLY + 1);
    if (whole) node_table_store(s, &n, alpha);
    return n.best;
}
