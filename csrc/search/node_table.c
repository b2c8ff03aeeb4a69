#include "search/node_table.h"

/* A win as a lower bound or a loss as an upper bound: a deeper search cannot change it. */
static bool is_proof(const TableEntry *e) {
    return (e->score > SCORE_PROVEN && e->bound != BOUND_UPPER) ||
           (e->score < -SCORE_PROVEN && e->bound != BOUND_LOWER);
}

bool node_table_cuts(Searcher *s, Node *n, int *score) {
    TableEntry *e = &n->entry;
    if (!tt_probe(s->table, s->pos->board.key, e)) return false;
    if (s->params.tt_order) n->tt_move = e->move;
    n->eval = e->eval;
    e->score = score_from_table(e->score, n->ply);
    const bool deep =
        e->depth >= n->depth / PLY || score_is_proven(e->score); /* a proof holds at any depth */
    if (!deep || !s->params.tt) return false;
    *score = e->score;
    if (n->pv) { /* an open window takes only proofs, or the line would be cut short */
        if (!s->params.kept_proofs || !is_proof(e)) return false;
        if (e->move != NO_CELL) s->pv[n->ply][0] = e->move;
        s->pv_length[n->ply] = e->move != NO_CELL;
        return true;
    }
    return e->bound == BOUND_EXACT || (e->bound == BOUND_LOWER && *score >= n->beta) ||
           (e->bound == BOUND_UPPER && *score <= n->alpha);
}

void node_table_teaches(Searcher *s, const Node *n) {
    enum { MOST = 512 };
    const TableEntry *e = &n->entry;
    if (!s->params.tt_history || e->bound != BOUND_LOWER || n->tt_move == NO_CELL ||
        score_is_proven(e->score) || n->depth <= 0)
        return;
    const int plies = n->depth / PLY, bonus = 2 * plies * plies;
    history_note(&s->history, position_to_move(s->pos), n->tt_move, bonus < MOST ? bonus : MOST);
}

void node_table_store(Searcher *s, const Node *n, int alpha) {
    const Bound bound = n->best >= n->beta ? BOUND_LOWER
                        : n->best > alpha  ? BOUND_EXACT
                                           : BOUND_UPPER;
    const TableEntry e = {.move = n->best_move,
                          .score = score_to_table(n->best, n->ply),
                          .eval = n->eval,
                          .depth = n->depth > 0 ? n->depth / PLY : 0,
                          .bound = bound};
    tt_store(s->table, s->pos->board.key, &e);
}
