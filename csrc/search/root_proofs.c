#include "search/root_proofs.h"

#include <string.h>

/* The shares of the proof searches: 1 / PART of the nodes; of the time, as many nodes as a slow
 * core searches. */
enum {
    VCF_PART = 10,
    VCT_PART = 20,
    AGAIN_PART = 4,       /* of all nodes, while the search goes on: a tenth of the time or so */
    AGAIN_AFTER = 100000, /* nodes of the search; before that they would find little */
    AGAIN_LEAST = 10000,  /* nodes at a time; fewer are saved up */
    NODES_PER_MS = 600,
    WON_PART = 4,       /* if the position is known to be won */
    FORCED_NODES = 1000 /* for the score of a move that is played at once */
};

/* The result of a proven line, which has at least one move. */
static SearchResult decided_at_once(Root *r, Stage stage, int score, const Cell *line, int length) {
    RootMove *m = &r->move[0];
    *m = (RootMove){.move = line[0], .score = score};
    m->pv_count = length < MAX_PLY ? length : MAX_PLY;
    memcpy(m->pv, line, sizeof(Cell) * (size_t)m->pv_count);
    r->count = 1;
    SearchResult out = {.move = line[0], .stage = stage, .line = root_line(r, 0, 1)};
    root_report(r, &out.line);
    return out;
}

/* Multi-PV: moves the winning move to the front with the score of the win, unless it already has a
 * shorter win. */
static void keep_win(Root *r, Stage stage, int score, const Cell *line, int length) {
    int at = 0;
    while (at < r->count && r->move[at].move != line[0]) at++;
    if (at == r->count || r->move[at].floor >= score) return;
    RootMove m = r->move[at];
    for (; at > 0; at--) r->move[at] = r->move[at - 1];
    m.floor = score;
    m.pv_count = length < MAX_PLY ? length : MAX_PLY;
    memcpy(m.pv, line, sizeof(Cell) * (size_t)m.pv_count);
    r->move[0] = m;
    r->stage = stage;
}

static bool decide_win(Root *r, SearchResult *out) {
    const Cell now = r->move[0].move;
    if (!root_wins_at_once(r, now)) return false;
    *out = decided_at_once(r, STAGE_WIN, SCORE_MATE - 1, &now, 1);
    return true;
}

/* The node limit of a proof search. Most positions hold no proof, and most proofs are found early.
 * Computed from the limits alone, so that a search with a node limit is reproducible. */
static int64_t proof_share(const Root *r, int part, int64_t most) {
    const SearchLimits *l = r->limits;
    if (r->won)
        part = WON_PART;
    else if (root_is_forced(r) && most > FORCED_NODES)
        most = FORCED_NODES;
    const int64_t by_nodes = l->nodes / part;
    const bool soft = l->soft_ms >= 0 && (l->hard_ms < 0 || l->soft_ms < l->hard_ms);
    const int64_t ms = soft ? l->soft_ms : l->hard_ms;
    if (l->nodes >= 0 && by_nodes < most) most = by_nodes;
    if (ms >= 0 && ms * NODES_PER_MS / part < most) most = ms * NODES_PER_MS / part;
    return most;
}

static void keep_longer(Root *r, Stage stage, int plies, const Cell *line, int length) {
    RootWin *w = &r->longer;
    if (w->plies && w->plies <= plies) return;
    *w = (RootWin){.stage = stage, .plies = plies, .length = length < MAX_PLY ? length : MAX_PLY};
    memcpy(w->line, line, sizeof *line * (size_t)w->length);
}

/* Whether a win may decide the move: its first move is not excluded, and it is not longer than the
 * announced one, which the search must then find again. If the search does not, the longer win is
 * played. */
static bool wanted(Root *r, Stage stage, int plies, const Cell *line, int length) {
    if (!plies || bb_has(&r->limits->excluded, line[0])) return false;
    if (r->limits->lines > 1) return true; /* a lower bound, whatever was announced */
    const int announced = r->s->proof ? proof_announced(r->s->proof, r->s->pos) : 0;
    if (!announced || plies <= announced) return true;
    keep_longer(r, stage, plies, line, length);
    return false;
}

/* Plays the first move of a proven line, if it is wanted. */
static bool decided_by_proof(Root *r, SearchResult *out, Stage stage, int plies, const Cell *line,
                             int length) {
    if (!wanted(r, stage, plies, line, length)) return false;
    if (r->limits->lines > 1) {
        keep_win(r, stage, SCORE_MATE - plies, line, length);
        return false;
    }
    *out = decided_at_once(r, stage, SCORE_MATE - plies, line, length);
    return true;
}

/* A win by threats from an earlier call, if it is shorter than `plies`; 0: any. */
static bool decide_by_wins(Root *r, SearchResult *out, int plies) {
    Searcher *s = r->s;
    Proof *f = s->proof;
    const int shorter = s->params.vct ? proof_known(f, s->pos) : 0;
    if (plies && shorter >= plies) return false;
    return decided_by_proof(r, out, STAGE_VCT, shorter, f->vct.line, f->vct.length);
}

static bool decide_vcf(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    if (!s->params.vcf) return false;
    Proof *f = s->proof;
    const int plies =
        proof_vcf(f, s->pos, &s->budget, proof_share(r, VCF_PART, s->params.vcf_root_nodes));
    if (plies && decide_by_wins(r, out, plies)) return true;
    return decided_by_proof(r, out, STAGE_VCF, plies, f->vcf.line[0], f->vcf.length[0]);
}

static bool decide_vct(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    if (!s->params.vct) return false;
    Proof *f = s->proof;
    const int plies = proof_vct(f, s->eval, s->pos, &s->budget,
                                proof_share(r, VCT_PART, s->params.vct_root_nodes));
    r->proof_nodes = f->vct.nodes;
    return decided_by_proof(r, out, STAGE_VCT, plies, f->vct.line, f->vct.length);
}

/* A win from the kept proofs, with the line of their entries. A kept loss is recorded in r->lost:
 * it bounds the score of the search, which looks for the longest resistance. */
static bool decide_known(Root *r, SearchResult *out) {
    Position *p = r->s->pos;
    const KeptProof *e = r->kept ? kept_proofs_find(r->kept, p->board.key) : NULL;
    if (!e) return false;
    if (e->plies < 0) {
        r->lost = -e->plies;
        return false;
    }
    const int plies = e->plies;
    Cell line[MAX_PLY];
    int length = 0;
    while (e && e->move != NO_CELL && length < plies && length < MAX_PLY &&
           p->board.stone[e->move] == EMPTY && !position_forbidden(p, e->move)) {
        line[length++] = e->move;
        position_make(p, e->move);
        e = kept_proofs_find(r->kept, p->board.key);
    }
    for (int i = 0; i < length; i++) position_unmake(p);
    const Stage stage = r->stage == STAGE_SEARCH ? STAGE_VCT : r->stage;
    return length && decided_by_proof(r, out, stage, plies, line, length);
}

/* Whether the opponent has a VCF after the move; false if the nodes run out. */
static bool loses_to_vcf(Root *r, Cell move, int64_t *nodes) {
    Searcher *s = r->s;
    Proof *f = s->proof;
    if (*nodes <= 0 || s->budget.over) return false;
    position_make(s->pos, move);
    const bool loses = proof_loses_to_fours(f, s->pos, &s->budget, *nodes);
    position_unmake(s->pos);
    *nodes -= f->vcf.nodes;
    return loses;
}

/* Drops the moves that lose to a VCF, unless all do. */
static void drop_losing(Root *r, int64_t nodes) {
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (!loses_to_vcf(r, r->move[i].move, &nodes)) r->move[kept++] = r->move[i];
    if (!kept) return;
    r->left_out |= kept < r->count;
    r->count = kept;
}

/* If the opponent would have a VCF after a pass, lists only the moves that may prevent it
 * (vcf_defence: -7 +- 45 Elo). If every move may, the list stays. */
static Stage answer_vcf(Root *r) {
    Searcher *s = r->s;
    Bitboard answers;
    const int64_t nodes = proof_share(r, VCF_PART, s->params.vcf_root_nodes);
    if (!s->params.vcf_defence || s->budget.over ||
        !proof_against(s->proof, s->pos, &s->budget, nodes, &answers))
        return STAGE_SEARCH;
    const int before = r->count;
    if (bb_count(&answers) < s->pos->board.empty_count) {
        r->count = 0;
        root_add_legal(r, &answers);
        r->left_out = r->count > 0;
        if (!r->count) r->count = before; /* the old list is still in place */
    }
    drop_losing(r, nodes - s->proof->vcf.nodes);
    return STAGE_ANSWER_VCF;
}

/* A single answer to a threat is not searched, so it takes the score of the win announced before.
 * Not where the caller or the level has left out moves: the win may need one of them. */
static void keep_announced(Root *r, SearchResult *out) {
    const int announced = proof_announced(r->s->proof, r->s->pos);
    const bool single = r->count + r->hidden == 1 && !bb_any(&r->limits->excluded);
    if (!single || !announced || out->line.score >= SCORE_MATE - announced) return;
    r->move[0].score = SCORE_MATE - announced;
    const SearchLine found = out->line;
    out->line = root_line(r, 0, found.depth);
    out->line.nodes = found.nodes;
    root_report(r, &out->line);
}

bool root_proofs_again(Root *r, int score) {
    Searcher *s = r->s;
    if (!s->params.vct || !s->proof || s->pos->state != STATE_ONGOING || r->limits->lines > 1 ||
        r->lost || root_is_forced(r) || score_is_proven(score))
        return false;
    int64_t nodes = s->budget.nodes / AGAIN_PART - r->proof_nodes;
    if (s->budget.nodes < AGAIN_AFTER || nodes < AGAIN_LEAST || !s->params.vct_root_nodes ||
        s->proof->vct.answer != VCT_NOT_FOUND)
        return false;
    if (nodes > s->params.vct_root_nodes) nodes = s->params.vct_root_nodes;
    const int plies = proof_vct(s->proof, s->eval, s->pos, &s->budget, nodes);
    r->proof_nodes += s->proof->vct.nodes;
    if (wanted(r, STAGE_VCT, plies, s->proof->vct.line, s->proof->vct.length)) r->proved = plies;
    StageNote *note = &r->notes[STAGE_VCT];
    *note = (StageNote){true, r->proved > 0, note->nodes + s->proof->vct.nodes};
    return r->proved > 0;
}

/* Replaces the result by a proven win, if that is shorter; plies 0: there is no win. */
static void play_shorter(Root *r, SearchResult *out, Stage stage, int plies, const Cell *line,
                         int length) {
    if (!plies || out->line.score >= SCORE_MATE - plies || bb_has(&r->limits->excluded, line[0]))
        return;
    const SearchResult won = decided_at_once(r, stage, SCORE_MATE - plies, line, length);
    out->move = won.move;
    out->stage = won.stage;
    out->line = won.line;
}

void root_proofs_conclude(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    Proof *f = s->proof;
    if (!f || r->limits->lines > 1 || out->move == NO_CELL) return;
    keep_announced(r, out);
    int known = r->proved; /* its line is still in place */
    if (!known && s->params.vct) known = proof_known(f, s->pos);
    play_shorter(r, out, STAGE_VCT, known, f->vct.line, f->vct.length);
    const RootWin *w = &r->longer;
    play_shorter(r, out, w->stage, w->plies, w->line, w->length);
    if (out->line.score > SCORE_PROVEN)
        proof_announce(f, s->pos, out->move, score_mate(out->line.score));
}

/* Records a stage that began after `began` nodes of the budget; returns `decides`. In multi-PV a
 * win is found, but does not decide the move. */
static bool noted(Root *r, Stage stage, bool decides, int64_t began) {
    const bool found = decides || r->stage == stage;
    r->notes[stage] = (StageNote){true, found, r->s->budget.nodes - began};
    return decides;
}

/* Wins of the side to move by threats: known wins if the list has answers only, then VCF (42 +- 50
 * Elo), then VCT (-37 +- 39 Elo). */
static bool decide_own_threats(Root *r, SearchResult *out) {
    const Searcher *s = r->s;
    if (r->lost) return false;
    if (r->stage != STAGE_SEARCH && decide_by_wins(r, out, 0)) return true;
    int64_t began = s->budget.nodes;
    if (s->params.vcf && noted(r, STAGE_VCF, decide_vcf(r, out), began)) return true;
    began = s->budget.nodes;
    return s->params.vct && noted(r, STAGE_VCT, decide_vct(r, out), began);
}

bool root_proofs_decide(Root *r, SearchResult *out) {
    Searcher *s = r->s;
    const SearchLimits *l = r->limits;
    s->seldepth = 0;
    budget_start(&s->budget, s->budget.stop, l->hard_ms, l->soft_ms, l->nodes);
    r->left_out = false;
    r->lost = r->hidden = 0;
    r->won = r->kept && kept_proofs_won_before(r->kept, s->pos);
    r->stage = root_list(r);
    noted(r, STAGE_ANSWER_FIVE, false, s->budget.nodes);
    *out = (SearchResult){.move = NO_CELL, .stage = STAGE_STATIC};
    if (r->count == 0) return true;
    const bool ongoing = s->pos->state == STATE_ONGOING;
    const bool undecided = ongoing || s->pos->state == STATE_PENDING;
    if (undecided && l->lines == 1 && noted(r, STAGE_WIN, decide_win(r, out), s->budget.nodes))
        return true;
    noted(r, STAGE_BLOCK, false, s->budget.nodes);
    if (decide_known(r, out)) return true;
    if (ongoing && s->proof) {
        if (decide_own_threats(r, out)) return true;
        if (l->lines == 1 && r->stage == STAGE_SEARCH) {
            const int64_t began = s->budget.nodes;
            r->stage = answer_vcf(r);
            if (s->params.vcf_defence) noted(r, STAGE_ANSWER_VCF, false, began);
        }
    }
    root_narrow(r);
    return false;
}
