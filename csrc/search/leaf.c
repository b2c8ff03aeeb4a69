#include "search/leaf.h"

#include "search/threats.h"

/* Rules with captures: whether the move before this node ended the game. */
static bool decided(const Position *p, int ply, int *score) {
    if (p->state == STATE_MOVER_WON) *score = score_mated_in(ply);
    if (p->state == STATE_MOVER_LOST) *score = score_mate_in(ply);
    return p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST;
}

bool leaf_resolved(Searcher *s, int ply, int *score) {
    Position *p = s->pos;
    if (decided(p, ply, score)) return true;
    if (p->board.empty_count == 0) {
        *score = 0;
        return true;
    }
    const Color us = position_to_move(p);
    if (!p->traits.captures && !position_count(p, us, SQUARE_FIVE) &&
        !position_count(p, us, SQUARE_OPEN_FOUR) && !position_count(p, us, SQUARE_FOURS))
        return false;
    const Cell now = threat_win_now(p);
    if (now != NO_CELL) {
        *score = score_mate_in(ply + 1);
        s->pv[ply][0] = now;
        s->pv_length[ply] = 1;
        return true;
    }
    if (p->state != STATE_ONGOING || !threat_wins_by_four(p)) return false;
    *score = score_mate_in(ply + 3);
    return true;
}

int leaf_static_score(Searcher *s) {
    return eval_score(s->eval, s->pos, &s->accumulators);
}

int leaf_damped(const Searcher *s, int score, int bound, int part, int whole) {
    if (!s->params.damping || score_is_proven(score) || score_is_proven(bound)) return score;
    return bound + (score - bound) * part / whole;
}

int leaf_horizon(Searcher *s, Node *n) {
    Position *p = s->pos;
    if (n->eval == SCORE_NONE) n->eval = leaf_static_score(s);
    n->best = n->eval;
    if (s->params.stand_pat && n->best >= n->beta) {
        n->best = leaf_damped(s, n->best, n->beta, 1, 2);
        return n->best;
    }
    if (s->params.vcf && p->state == STATE_ONGOING && threat_has_force(p, position_to_move(p))) {
        const int plies = vcf_search(&s->vcf, p, &s->vcf_cache, &s->budget, s->params.vcf_nodes,
                                     s->params.vcf_lean);
        if (plies) {
            n->best = score_mate_in(n->ply + plies);
            n->best_move = s->vcf.line[0][0];
        }
    }
    return n->best;
}
