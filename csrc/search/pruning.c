#include "search/pruning.h"

/* Whether the opponent has a threat of one of the `classes` strongest kinds. The static score does
 * not include its consequences. */
static bool in_danger(const Position *p, int classes) {
    static const SquareClass THREATS[] = {SQUARE_OPEN_FOUR, SQUARE_FOURS, SQUARE_FOUR_THREE,
                                          SQUARE_THREES};
    const Color them = other(position_to_move(p));
    for (int i = 0; i < classes; i++)
        if (position_count(p, them, THREATS[i])) return true;
    return false;
}

bool pruning_reverse_futility(const Searcher *s, const Node *n) {
    const Params *q = &s->params;
    int depth = n->depth - (n->improving ? q->rfp_improving : 0);
    if (depth < 0) depth = 0;
    return q->rfp && !n->pv && n->depth <= q->rfp_depth * PLY && !score_is_proven(n->beta) &&
           n->eval - q->rfp_step * depth / PLY >= n->beta &&
           !in_danger(s->pos, q->rfp_threat_classes);
}

bool pruning_razoring(const Searcher *s, const Node *n) {
    const Params *q = &s->params;
    return q->razoring && !n->pv && n->depth <= q->razoring_depth * PLY + PLY / 2 &&
           !score_is_proven(n->alpha) &&
           n->eval + q->razoring_base + q->razoring_step * n->depth / PLY <= n->alpha;
}

bool pruning_fail_high(const Searcher *s, const Node *n) {
    const Params *q = &s->params;
    return q->fail_high_reduction && n->cut_node && n->depth >= q->fail_high_depth * PLY &&
           !score_is_proven(n->beta) &&
           n->eval >= n->beta + q->fail_high_base + q->fail_high_step * n->depth / PLY;
}

/* Quiet for both sides: the move makes no threat, stops none and captures nothing. */
static bool is_quiet(const Searcher *s, const Node *n, Cell c) {
    return position_is_quiet(s->pos, c) && !bb_has(&n->captures, c);
}

/* Skips nothing while the best score of the node is a proven loss: the loss is a proof only if
 * every move was searched. */
bool pruning_skips_quiet(const Searcher *s, const Node *n, Cell c, int index, int gap) {
    const Params *q = &s->params;
    if (n->forced || n->best <= -SCORE_PROVEN || !is_quiet(s, n, c)) return false;
    const int d = n->depth / PLY;
    int late = q->move_count_base + q->move_count_step * d * d / 2;
    if (q->move_count_pruning && index >= late << n->pv) return true;
    if (q->move_score_pruning && gap > (q->move_score_base + q->move_score_step * d) << n->pv)
        return true;
    return q->futility && !n->pv && n->depth <= q->futility_depth * PLY &&
           n->eval + q->futility_base + q->futility_step * n->depth / PLY <= n->alpha;
}

/* Percent of the bound on all moves by the distance of the static score to alpha. */
static int percent_by_score(const Params *q, const Node *n) {
    enum { FAR = 100, NEAR = 30 };
    if (n->eval < n->alpha - FAR) return q->move_count_far;
    return n->eval > n->alpha - NEAR ? q->move_count_near : 100;
}

bool pruning_skips_rest(const Searcher *s, const Node *n, int index) {
    const Params *q = &s->params;
    if (n->forced || n->best <= -SCORE_PROVEN) return false;
    if (q->width && index >= q->width) return true;
    if (!q->move_count_pruning_all) return false;
    const int d = n->depth / PLY;
    int late = q->move_count_all_base + q->move_count_all_step * d * (24 + d) / 2000;
    if (!n->improving) late = late * q->move_count_not_improving / 100;
    late = late * percent_by_score(q, n) / 100;
    if (n->pv) late = late * q->move_count_pv / 100;
    return index >= (late > 1 ? late : 1);
}

/* Whether the move continues a sequence of threats. */
static bool attacks_on(const Searcher *s, const Node *n, Cell c) {
    return n->ply >= 2 && s->gives_threat[n->ply - 2] && position_is_threat(s->pos, c);
}

/* 16 * log2(x), linear between the powers of two. */
static int log2_16(int x) {
    const int whole = 31 - __builtin_clz((u32)x);
    return 16 * whole + (((x << 4) >> whole) & 15);
}

/* The product of the logarithms of depth and index, adjusted by the kind of node and move. Tried
 * without gain (docs/strength.md): half of it near the move count bound, less for a good history,
 * less if the table holds a PV node, more far from the last two moves. */
int pruning_reduction(const Searcher *s, const Node *n, Cell c, int index, int gap) {
    const Params *q = &s->params;
    if (!q->lmr || n->forced || n->depth < 3 * PLY || index < (n->pv ? 2 : 1)) return 0;
    if (n->pv && !q->lmr_pv) return 0;
    if (bb_has(&n->captures, c)) return 0;
    int r = log2_16(n->depth / PLY) * log2_16(index + 1) * q->lmr_scale / 256;
    if (n->cut_node) r += q->lmr_cut_node;
    if (!n->improving && !n->pv) r += q->lmr_not_improving;
    if (q->lmr_score) r += 100 * gap / q->lmr_gap;
    if (n->pv) r -= q->lmr_on_pv;
    if (s->forced[n->ply - 1]) r -= q->lmr_after_forced;
    if (!position_is_quiet(s->pos, c)) r -= q->lmr_threat;
    if (attacks_on(s, n, c)) r -= q->lmr_threat_sequence;
    r = r < 0 ? 0 : r;
    const int most = n->depth - 2 * PLY;
    return r < most ? r : most;
}

int pruning_research_extension(const Searcher *s, const Node *n, int value, int reduced) {
    const Params *q = &s->params;
    const int far = n->alpha + q->lmr_research_margin + q->lmr_research_step * reduced / PLY;
    return q->lmr_research && value > far ? q->lmr_research_extension : 0;
}

int pruning_root_reduction(const Searcher *s, int plies, int index) {
    const Params *q = &s->params;
    if (!q->lmr || !q->lmr_root || plies < 3 || index < 3) return 0;
    const int r = log2_16(plies) * log2_16(index + 1) * q->lmr_root_scale / 256;
    const int most = (plies - 2) * PLY;
    return r < most ? r : most;
}
