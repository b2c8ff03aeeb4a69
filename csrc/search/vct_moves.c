#include "search/vct_moves.h"

#include <stdlib.h>

#include "search/threats.h"
#include "search/vct_table.h"

/* FOURS_PASSED: nodes of the first look at the win by fours that the attacker threatens.
 * COST: first guesses of the proof number after a move of the attacker. The guess rises by one for
 * each GAP by which the move's score lies behind the best one's, by BEHIND at most. It also rises
 * by one for each WORSE_GAP by which the static score is lower than at the root, by WORSE at most.
 * STEP: a lone four or a lone three adds it to the proof number of the position after it.
 * REPLY: the first guess of the disproof number after a reply is one. It rises by one for each
 * REPLY_GAP by which the reply's score lies behind the best one's, by REPLY_BEHIND at most.
 * NEAR: the largest distance between two stones of one five. */
enum {
    FOURS_PASSED = 200,
    COST_FOUR = 1,
    COST_THREE = 1,
    COST_CLOSED_THREE = 4,
    COST_TWOS = 8,
    GAP = 50,
    BEHIND = 16,
    WORSE_GAP = 100,
    WORSE = 16,
    STEP_FOUR = 2,
    STEP_THREE = 1,
    REPLY_GAP = 100,
    REPLY_BEHIND = 4,
    NEAR = 4
};

void vct_make(Vct *v, Cell c) {
    position_make(v->pos, c);
    v->ply++;
}

void vct_unmake(Vct *v) {
    position_unmake(v->pos);
    v->ply--;
}

int vct_win_by_fours(Vct *v, int64_t most, Zone *zone) {
    const int64_t left = v->max_nodes - v->nodes;
    const int plies = vcf_prove(v->vcf, v->pos, v->table, v->budget, most < left ? most : left,
                                zone, zone ? NULL : v->fours);
    v->nodes += v->vcf->nodes;
    if (v->budget->over || v->nodes >= v->max_nodes) v->cut = true;
    return plies;
}

/* The attacker, to move, looks for his win by fours. Whoever comes again has spent more on the node
 * and may look longer. */
static int own_fours(Vct *v, VctFrame *f, u32 work) {
    if (f->tries == VCT_NO_FOURS || (f->tries && work < vct_nodes_of_try(VCT_FOURS, f->tries)))
        return 0;
    const int plies = vct_win_by_fours(v, vct_nodes_of_try(VCT_FOURS, f->tries), NULL);
    if (!plies && !v->cut) f->tries = v->vcf->aborted ? (u8)(f->tries + 1) : VCT_NO_FOURS;
    return plies;
}

/* The replies that may spoil the win by fours just found, with the attacker to move. */
static Bitboard spoilers(Vct *v, VctFrame *f, const Zone *zone) {
    const Color defender = other(position_to_move(v->pos));
    Bitboard set = zone_close(zone, v->pos, defender);
    const int64_t before = v->vcf->nodes;
    f->threat_plies = vcf_narrow_zone(v->vcf, f->threat_plies, defender, &set);
    v->nodes += v->vcf->nodes - before;
    return set;
}

/* The win by fours that the attacker has if the defender, to move, passes: VCT_OPEN with the
 * replies that may spoil it. */
static VctStand threatened_fours(Vct *v, VctFrame *f, Bitboard *replies) {
    Zone zone;
    position_pass(v->pos);
    f->threat_plies = vct_win_by_fours(v, vct_nodes_of_try(FOURS_PASSED, f->tries), &zone);
    if (f->threat_plies) *replies = spoilers(v, f, &zone);
    position_unpass(v->pos);
    if (f->threat_plies) return VCT_OPEN;
    if (!v->vcf->aborted) return VCT_FAILED;
    if (!v->cut) f->tries++;
    return VCT_UNKNOWN;
}

void vct_add_move(VctFrame *f, const Position *p, Cell c, u8 cost) {
    if (position_forbidden(p, c)) return;
    f->cost[f->count] = cost;
    f->step[f->count] = 0;
    f->distant[f->count] = false;
    f->move[f->count++] = c;
}

/* Whether the other side wins with its next move if nothing is done, or by a five that stands; then
 * *answers are the moves that may prevent it. */
static bool standing_win(Position *p, Bitboard *answers) {
    if (p->state != STATE_PENDING) return threat_answers(p, answers);
    *answers = position_breaks(p);
    return true;
}

VctStand vct_decided(const Vct *v) {
    const State state = v->pos->state;
    if (state != STATE_MOVER_WON && state != STATE_MOVER_LOST) return VCT_OPEN;
    return (state == STATE_MOVER_LOST) == vct_attacking(v) ? VCT_WON : VCT_FAILED;
}

static void add_moves(VctFrame *f, const Position *p, const Bitboard *set, u8 cost) {
    BB_FOR_EACH(c, set) vct_add_move(f, p, c, cost);
}

/* Rules with captures: captures, and with two fifths of a win threats to capture, are moves as
 * threes are. */
static void add_capturing_moves(VctFrame *f, const Position *p, Color us) {
    Bitboard seen = {{0}};
    for (int i = 0; i < f->count; i++) bb_add(&seen, f->move[i]);
    BB_FOR_EACH(c, &p->board.empty) {
        const bool threatens = position_capture_fifths(p, us) >= WIN_PAIRS - 3 &&
                               capture_lines_count(&p->capture_lines, us, c, CAPTURE_THREAT) > 0;
        if ((threatens || bb_has(position_captures(p, us), c)) && !bb_has(&seen, c))
            vct_add_move(f, p, c, COST_THREE);
    }
}

/* Moves that make no three and may threaten a win by fours all the same. */
static void add_quiet_moves(VctFrame *f, const Position *p, Color us) {
    Bitboard seen = {{0}};
    for (int i = 0; i < f->count; i++) bb_add(&seen, f->move[i]);
    BB_FOR_EACH(c, &p->board.empty) {
        if (pattern_class(&p->pattern, us, c) != SQUARE_QUIET || bb_has(&seen, c)) continue;
        const u8 *rising = p->pattern.table->shapes->members[pattern_code(&p->pattern, us, c)];
        const u8 top = rising[DIRECTIONS - 1], next = rising[DIRECTIONS - 2];
        if (top >= SHAPE_THREE_CLOSED)
            vct_add_move(f, p, c, COST_CLOSED_THREE);
        else if (top >= SHAPE_TWO_CLOSED && next >= SHAPE_TWO_CLOSED)
            vct_add_move(f, p, c, COST_TWOS);
    }
}

/* Raises the guess of each move by one for each `gap` by which its score lies behind the best
 * one's, by `most` at most. */
static void add_cost_behind(const Vct *v, VctFrame *f, int gap, int most) {
    const MoveScores scores = eval_moves(v->eval, v->pos, NULL);
    int score[MAX_SQUARES], best = INT32_MIN;
    for (int i = 0; i < f->count; i++) {
        score[i] = eval_move(&scores, f->move[i]);
        if (score[i] > best) best = score[i];
    }
    for (int i = 0; i < f->count; i++) {
        const int behind = (best - score[i]) / gap;
        f->cost[i] = (u8)(f->cost[i] + (behind < most ? behind : most));
    }
}

/* A win mostly begins with a move of a good score. An attack that has used up its threes leaves a
 * position with a lower score. */
static void add_cost_by_score(const Vct *v, VctFrame *f) {
    if (!v->eval) return;
    add_cost_behind(v, f, GAP, BEHIND);
    const int worse = (v->standing - eval_without_network(v->eval, v->pos)) / WORSE_GAP;
    const int more = worse < 0 ? 0 : worse < WORSE ? worse : WORSE;
    for (int i = 0; i < f->count; i++) f->cost[i] = (u8)(f->cost[i] + more);
}

/* Whether two squares lie on a common line, near enough for one five. */
static bool share_a_line(Cell a, Cell b) {
    const int dx = abs(cell_x(a) - cell_x(b)), dy = abs(cell_y(a) - cell_y(b));
    return (dx == 0 || dy == 0 || dx == dy) && dx <= NEAR && dy <= NEAR;
}

/* A combination is connected: its next move mostly uses the stone of the last one. */
static void set_distant(const Vct *v, VctFrame *f) {
    if (v->ply < 2) return;
    const Cell last = v->pos->ply[v->pos->plies - 2].cell;
    for (int i = 0; i < f->count; i++) f->distant[i] = !share_a_line(f->move[i], last);
}

/* The search for a win by fours has failed so far, so a lone four only prepares a later threat. */
static void set_steps(VctFrame *f, const Position *p, Color us) {
    for (int i = 0; i < f->count; i++) {
        const SquareClass kind = pattern_class(&p->pattern, us, f->move[i]);
        f->step[i] = kind == SQUARE_FOUR ? STEP_FOUR : kind == SQUARE_THREE ? STEP_THREE : 0;
    }
}

/* An answer to a five need not be a threat by itself: an older one may stand, and the defender's
 * node looks at that. */
VctStand vct_attacker_moves(const Vct *v, VctFrame *f) {
    static const SquareClass ORDER[] = {SQUARE_FIVE,       SQUARE_OPEN_FOUR, SQUARE_FOURS,
                                        SQUARE_FOUR_THREE, SQUARE_FOUR,      SQUARE_THREES,
                                        SQUARE_THREE};
    Position *p = v->pos;
    const Color us = position_to_move(p);
    Bitboard answers;
    f->count = 0;
    if (standing_win(p, &answers)) {
        add_moves(f, p, &answers, 1);
        return f->count ? VCT_OPEN : VCT_FAILED;
    }
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        const bool four = ORDER[i] >= SQUARE_FOUR;
        add_moves(f, p, position_set(p, us, ORDER[i]), four ? COST_FOUR : COST_THREE);
    }
    if (p->traits.captures) add_capturing_moves(f, p, us);
    if (v->is_wide) add_quiet_moves(f, p, us);
    add_cost_by_score(v, f);
    set_steps(f, p, us);
    set_distant(v, f);
    return f->count ? VCT_OPEN : VCT_FAILED;
}

static bool any_legal(const Position *p) {
    BB_FOR_EACH(c, &p->board.empty)
    if (!position_forbidden(p, c)) return true;
    return false;
}

VctStand vct_defender_moves(Vct *v, VctFrame *f) {
    Position *p = v->pos;
    f->count = 0;
    f->threat_plies = 0;
    if (threat_win_now(p) != NO_CELL) return VCT_FAILED;
    Bitboard replies;
    if (!standing_win(p, &replies)) {
        const VctStand s = threatened_fours(v, f, &replies);
        if (s != VCT_OPEN) return s;
    }
    add_moves(f, p, &replies, 1);
    /* the best reply first: it is the most likely to show that the threat does not win */
    if (f->count > 1 && v->eval) add_cost_behind(v, f, REPLY_GAP, REPLY_BEHIND);
    if (f->count) return VCT_OPEN;
    return any_legal(p) ? VCT_WON
                        : VCT_FAILED; /* any other reply loses; without a reply it is a draw */
}

VctStand vct_expand(Vct *v, VctFrame *f) {
    const VctEntry *e = vct_find(v, vct_key_here(v));
    f->tries = e ? e->tries : 0;
    if (v->ply >= VCT_PLY) {
        v->shallow = true;
        return VCT_FAILED;
    }
    const VctStand end = vct_decided(v);
    if (end != VCT_OPEN) return end;
    if (!vct_attacking(v)) return vct_defender_moves(v, f);
    return own_fours(v, f, e ? e->work : 0) ? VCT_WON : vct_attacker_moves(v, f);
}
