#include "search/vct.h"

#include <string.h>

#include "search/threats.h"

/* FOURS_HERE, FOURS_PASSED: nodes of the first try for a win by fours, the attacker's own and the
 * one that he threatens. Each further try takes four times as many. */
enum {
    BUCKET = 4,
    ENDLESS = 1 << 30,
    FOURS_HERE = 400,
    FOURS_PASSED = 200,
    MOST_TRIES = 12,
    NO_FOURS = 255,    /* tries: there is no win by fours */
    UNKNOWN_PROOF = 8, /* after the first try that ran out of nodes */
    COST_FOUR = 1,     /* first guesses of the proof number after a move of the attacker */
    COST_THREE = 2,
    COST_CLOSED_THREE = 8,
    COST_TWOS = 16,
    TURN = 1 << 14 /* nodes of the first turn */
};

typedef enum { OPEN, WON, FAILED, UNKNOWN } Settled; /* for the attacker */

static bool attacking(const Vct *v) {
    return v->ply % 2 == 0;
}

/* --- the table --------------------------------------------------------------------------- */

/* In the keys of positions with the defender to move: the same position with the attacker to move
 * is another question. So is a wide search, until it has found a win. */
static const u64 DEFENDER = 0x9e3779b97f4a7c15, WIDE = 0xc2b2ae3d27d4eb4f;

static u64 key_here(const Vct *v) {
    return v->pos->board.key ^ (attacking(v) ? 0 : DEFENDER);
}

static u64 key_after(const Vct *v, Cell c) {
    return position_key_after(v->pos, c) ^ (attacking(v) ? DEFENDER : 0);
}

static bool is_proved(const VctEntry *e) {
    return e->proof == 0;
}

static VctEntry *find_one(Vct *v, u64 key) {
    VctEntry *bucket = &v->entry[key & (VCT_SLOTS - BUCKET)];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key && bucket[i].age &&
            (bucket[i].age == v->age || is_proved(&bucket[i])))
            return &bucket[i];
    return NULL;
}

/* What is known of a position: a proved win, or how far the present kind of search has come. */
static VctEntry *find(Vct *v, u64 key) {
    VctEntry *e = find_one(v, key);
    return v->is_wide && !(e && is_proved(e)) ? find_one(v, key ^ WIDE) : e;
}

static VctEntry *slot_for(Vct *v, u64 key) {
    VctEntry *to = find_one(v, key);
    if (to) return to;
    VctEntry *bucket = &v->entry[key & (VCT_SLOTS - BUCKET)];
    to = bucket;
    for (int i = 0; i < BUCKET && to->age == v->age; i++)
        if (bucket[i].age != v->age || bucket[i].work < to->work) to = &bucket[i];
    *to = (VctEntry){.key = key, .age = v->age};
    return to;
}

static int64_t nodes_of_try(int64_t first, int tries) {
    return first << (2 * (tries < MOST_TRIES ? tries : MOST_TRIES));
}

/* Keeps what is known of the position on the board. */
static void store(Vct *v, u32 proof, u32 disproof, int64_t work) {
    VctEntry *to = slot_for(v, key_here(v) ^ (v->is_wide && proof ? WIDE : 0));
    to->proof = proof;
    to->disproof = disproof;
    to->tries = v->frame[v->ply].tries;
    to->work = to->work + work < UINT32_MAX ? to->work + (u32)work : UINT32_MAX;
}

static void store_settled(Vct *v, Settled s, int64_t work) {
    if (s == UNKNOWN)
        store(v, (u32)nodes_of_try(UNKNOWN_PROOF, v->frame[v->ply].tries), 1, work);
    else
        store(v, s == WON ? 0 : ENDLESS, s == WON ? ENDLESS : 0, work);
}

/* --- moves ------------------------------------------------------------------------------- */

static void make(Vct *v, Cell c) {
    position_make(v->pos, c);
    v->ply++;
}

static void unmake(Vct *v) {
    position_unmake(v->pos);
    v->ply--;
}

/* Plies to a win by fours of the side to move; its nodes count as ours. */
static int win_by_fours(Vct *v, int64_t most, Zone *zone) {
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
    if (f->tries == NO_FOURS || (f->tries && work < nodes_of_try(FOURS_HERE, f->tries))) return 0;
    const int plies = win_by_fours(v, nodes_of_try(FOURS_HERE, f->tries), NULL);
    if (!plies && !v->cut) f->tries = v->vcf->aborted ? (u8)(f->tries + 1) : NO_FOURS;
    return plies;
}

/* The win by fours that the attacker has if the defender, to move, passes: OPEN with its zone. */
static Settled threatened_fours(Vct *v, VctFrame *f, Zone *zone) {
    position_pass(v->pos);
    f->threat_plies = win_by_fours(v, nodes_of_try(FOURS_PASSED, f->tries), zone);
    position_unpass(v->pos);
    if (f->threat_plies) return OPEN;
    if (!v->vcf->aborted) return FAILED;
    if (!v->cut) f->tries++;
    return UNKNOWN;
}

static void add_move(VctFrame *f, const Position *p, Cell c, u8 cost) {
    if (position_forbidden(p, c)) return;
    f->cost[f->count] = cost;
    f->move[f->count++] = c;
}

/* Whether the other side wins with its next move if nothing is done, or by a five that stands; then
 * *answers are the moves that may prevent it. */
static bool standing_win(Position *p, Bitboard *answers) {
    if (p->state != STATE_PENDING) return threat_answers(p, answers);
    *answers = position_breaks(p);
    return true;
}

/* Rules with captures: how a position stands whose last move has ended the game. */
static Settled decided(const Vct *v) {
    const State state = v->pos->state;
    if (state != STATE_MOVER_WON && state != STATE_MOVER_LOST) return OPEN;
    return (state == STATE_MOVER_LOST) == attacking(v) ? WON : FAILED;
}

static void add_moves(VctFrame *f, const Position *p, const Bitboard *set, u8 cost) {
    BB_FOR_EACH(c, set) add_move(f, p, c, cost);
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
            add_move(f, p, c, COST_THREE);
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
            add_move(f, p, c, COST_CLOSED_THREE);
        else if (top >= SHAPE_TWO_CLOSED && next >= SHAPE_TWO_CLOSED)
            add_move(f, p, c, COST_TWOS);
    }
}

/* Fours before threes; with a five against the attacker only what answers it. Such an answer need
 * not be a threat by itself: an older one may stand, and the defender's node looks at that. */
static Settled attacker_moves(const Vct *v, VctFrame *f) {
    static const SquareClass ORDER[] = {SQUARE_FIVE,       SQUARE_OPEN_FOUR, SQUARE_FOURS,
                                        SQUARE_FOUR_THREE, SQUARE_FOUR,      SQUARE_THREES,
                                        SQUARE_THREE};
    Position *p = v->pos;
    const Color us = position_to_move(p);
    Bitboard answers;
    f->count = 0;
    if (standing_win(p, &answers)) {
        add_moves(f, p, &answers, 1);
        return f->count ? OPEN : FAILED;
    }
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        const bool four = ORDER[i] >= SQUARE_FOUR;
        add_moves(f, p, position_set(p, us, ORDER[i]), four ? COST_FOUR : COST_THREE);
    }
    if (p->traits.captures) add_capturing_moves(f, p, us);
    if (v->is_wide) add_quiet_moves(f, p, us);
    return f->count ? OPEN : FAILED;
}

static bool any_legal(const Position *p) {
    BB_FOR_EACH(c, &p->board.empty)
    if (!position_forbidden(p, c)) return true;
    return false;
}

/* The replies that may help, or how it stands without any. */
static Settled defender_moves(Vct *v, VctFrame *f) {
    Position *p = v->pos;
    const Color us = position_to_move(p);
    f->count = 0;
    f->threat_plies = 0;
    if (threat_win_now(p) != NO_CELL) return FAILED;
    Bitboard replies;
    if (!standing_win(p, &replies)) {
        Zone zone;
        const Settled s = threatened_fours(v, f, &zone);
        if (s != OPEN) return s;
        replies = zone_close(&zone, p, us);
    }
    add_moves(f, p, &replies, 1);
    if (f->count) return OPEN;
    return any_legal(p) ? WON : FAILED; /* any other reply loses; without a reply it is a draw */
}

static Settled expand(Vct *v, VctFrame *f) {
    const VctEntry *e = find(v, key_here(v));
    f->tries = e ? e->tries : 0;
    if (v->ply >= VCT_PLY) {
        v->shallow = true;
        return FAILED;
    }
    const Settled end = decided(v);
    if (end != OPEN) return end;
    if (!attacking(v)) return defender_moves(v, f);
    return own_fours(v, f, e ? e->work : 0) ? WON : attacker_moves(v, f);
}

/* --- df-pn ------------------------------------------------------------------------------- */

/* As the side to move sees a node: what it takes to win it (phi), and to lose it (delta). */
typedef struct {
    u32 phi, delta;
} Numbers;

static Numbers child_numbers(Vct *v, const VctFrame *f, int i) {
    const VctEntry *e = find(v, key_after(v, f->move[i]));
    if (attacking(v)) return e ? (Numbers){e->disproof, e->proof} : (Numbers){1, f->cost[i]};
    return e ? (Numbers){e->proof, e->disproof} : (Numbers){1, 1};
}

typedef struct {
    Numbers node, best;
    u32 second; /* delta of the next best child */
    u32 rest;   /* what the node's delta has beyond the best child's phi */
    int index;  /* of the best child */
    int open;   /* children whose phi is not 0 */
} Choice;

static Choice choose(Vct *v, const VctFrame *f) {
    Choice c = {.node = {ENDLESS, 0}, .second = ENDLESS};
    u32 most = 0, sum = 0;
    for (int i = 0; i < f->count; i++) {
        const Numbers n = child_numbers(v, f, i);
        sum = sum + n.phi < ENDLESS ? sum + n.phi : ENDLESS;
        most = n.phi > most ? n.phi : most;
        c.open += n.phi > 0;
        if (n.delta < c.node.phi) {
            c.second = c.node.phi;
            c.node.phi = n.delta;
            c.best = n;
            c.index = i;
        } else if (n.delta < c.second) {
            c.second = n.delta;
        }
    }
    c.node.delta = sum;
    if (attacking(v) && sum < ENDLESS) c.node.delta = most + (u32)(c.open > 0 ? c.open - 1 : 0) / 2;
    c.rest = c.node.delta - c.best.phi;
    if (c.node.phi == 0) c.node.delta = ENDLESS;
    return c;
}

/* Works on a node until one of its numbers reaches its limit. */
static void work_on(Vct *v, u32 phi, u32 delta) {
    VctFrame *f = &v->frame[v->ply];
    const int64_t before = v->nodes++;
    if (budget_node(v->budget) || v->nodes >= v->max_nodes) v->cut = true;
    if (v->cut) return;
    const Settled s = expand(v, f);
    if (v->cut) return;
    if (s != OPEN) {
        store_settled(v, s, v->nodes - before);
        return;
    }
    for (;;) {
        const Choice c = choose(v, f);
        if (c.node.phi >= phi || c.node.delta >= delta) {
            const bool ours = attacking(v);
            store(v, ours ? c.node.phi : c.node.delta, ours ? c.node.delta : c.node.phi,
                  v->nodes - before);
            return;
        }
        /* a quarter more than the next best, so that it does not swing to and fro */
        const u32 margin = c.second >= ENDLESS ? ENDLESS : c.second + c.second / 4 + 1;
        make(v, f->move[c.index]);
        work_on(v, delta >= ENDLESS ? ENDLESS : delta - c.rest, phi < margin ? phi : margin);
        unmake(v);
        if (v->cut) return;
    }
}

/* --- walking through a win --------------------------------------------------------------- */

static int walk(Vct *v);

/* Plies of the win from before the move, which the table says is proved; 0 when it does not hold.
 */
static int walk_after(Vct *v, Cell c) {
    make(v, c);
    const Settled end = decided(v);
    const int plies = end == OPEN ? walk(v) : 0;
    unmake(v);
    return plies || end == WON ? plies + 1 : 0;
}

/* The proved move that took the least work; -1 when the table has lost it. */
static int proved_move(Vct *v, const VctFrame *f) {
    int found = -1;
    u32 least = 0;
    for (int i = 0; i < f->count; i++) {
        const VctEntry *e = find(v, key_after(v, f->move[i]));
        if (!e || e->proof != 0 || (found >= 0 && e->work >= least)) continue;
        found = i;
        least = e->work;
    }
    return found;
}

static int walk_attacker(Vct *v, VctFrame *f) {
    for (int again = 0; again < 2 && !v->cut; again++) {
        const VctEntry *e = find(v, key_here(v));
        f->tries = e && e->tries != NO_FOURS ? e->tries : 0;
        const int plies = win_by_fours(v, nodes_of_try(FOURS_HERE, f->tries), NULL);
        if (plies) {
            f->best = v->vcf->line[0][0];
            return plies;
        }
        if (v->cut || attacker_moves(v, f) != OPEN) return 0;
        const int i = proved_move(v, f);
        if (i >= 0) {
            f->best = f->move[i];
            return walk_after(v, f->best);
        }
        work_on(v, ENDLESS, ENDLESS);
    }
    return 0;
}

/* Finds the replies again, however long it takes to see the threat. */
static Settled walk_replies(Vct *v, VctFrame *f) {
    const VctEntry *e = find(v, key_here(v));
    f->tries = e && e->tries != NO_FOURS ? e->tries : 0;
    Settled s;
    do s = defender_moves(v, f);
    while (s == UNKNOWN && !v->cut);
    if (s == WON) { /* no reply can help: any legal one */
        f->count = 0;
        BB_FOR_EACH(c, &v->pos->board.empty)
        if (!f->count) add_move(f, v->pos, c, 1);
        if (f->count) s = OPEN;
    }
    return v->cut ? UNKNOWN : s;
}

static int walk_defender(Vct *v, VctFrame *f) {
    if (walk_replies(v, f) != OPEN) return 0;
    int longest = 0;
    for (int i = 0; i < f->count; i++) {
        const int plies = walk_after(v, f->move[i]);
        if (!plies) return 0;
        if (plies <= longest) continue;
        longest = plies;
        f->best = f->move[i];
    }
    const int outside = f->threat_plies + 1; /* a reply outside the zone */
    return longest > outside ? longest : outside;
}

/* Plies of the win from here; 0 when it does not hold, or the nodes have run out. A position that
 * was walked through is not again. */
static int walk(Vct *v) {
    VctEntry *e = find(v, key_here(v));
    if (e && e->plies) return e->plies;
    v->nodes++;
    if (budget_node(v->budget) || v->nodes >= v->max_nodes) v->cut = true;
    if (v->cut || v->ply >= VCT_PLY) return 0;
    VctFrame *f = &v->frame[v->ply];
    const int plies = attacking(v) ? walk_attacker(v, f) : walk_defender(v, f);
    if (!plies) return 0;
    wins_note(v->threats, v->pos->board.key, attacking(v) ? plies : -plies, f->best);
    e = slot_for(v, key_here(v));
    e->proof = 0;
    e->disproof = ENDLESS;
    e->plies = (u16)plies;
    e->best = f->best;
    return plies;
}

/* The attacker's win by fours ends the line; false where he has none that the walk has seen. */
static bool end_by_fours(Vct *v) {
    const VctEntry *e = find(v, key_here(v));
    const int tries = e && e->tries != NO_FOURS ? e->tries : 0;
    if (!attacking(v) || !win_by_fours(v, nodes_of_try(FOURS_HERE, tries), NULL)) return false;
    for (int i = 0; i < v->vcf->length[0] && v->length < VCT_LINE; i++)
        v->line[v->length++] = v->vcf->line[0][i];
    return true;
}

/* Writes the line of the walk: the winner's moves and the longest defence. */
static void follow(Vct *v) {
    v->length = 0;
    v->max_nodes = INT64_MAX / 2;
    while (v->length < VCT_LINE && decided(v) == OPEN && !end_by_fours(v)) {
        if (!walk(v)) break; /* it is read from the table, unless that has lost it */
        const VctEntry *e = find(v, key_here(v));
        v->line[v->length++] = e->best;
        make(v, e->best);
    }
    while (v->ply > 0) unmake(v);
}

/* --- the call ---------------------------------------------------------------------------- */

static void new_age(Vct *v) {
    if (++v->age) return;
    memset(v->entry, 0, sizeof v->entry); /* every 65,536 calls */
    v->age = 1;
}

/* Works on the root until it is settled or the nodes of the turn are spent. */
static Settled work_turn(Vct *v) {
    const int64_t most = v->max_nodes, before = v->nodes;
    if (v->left < most - v->nodes) v->max_nodes = v->nodes + v->left;
    const VctEntry *root;
    while ((root = find(v, key_here(v))) == NULL || (root->proof != 0 && root->disproof != 0)) {
        work_on(v, ENDLESS, ENDLESS);
        if (v->cut) break;
    }
    root = find(v, key_here(v));
    v->max_nodes = most;
    v->left -= v->nodes - before;
    v->cut = v->budget->over || v->nodes >= most;
    if (!root || (root->proof != 0 && root->disproof != 0)) return OPEN;
    return is_proved(root) ? WON : FAILED;
}

static void next_turn(Vct *v) {
    if (v->is_wide && v->turn < INT64_MAX / 4) v->turn *= 2;
    v->is_wide = v->narrow_failed || !v->is_wide;
    v->left = v->turn;
}

/* The narrow and the wide search take turns, which grow. */
static Settled work_in_turns(Vct *v) {
    while (!v->cut) {
        const Settled s = work_turn(v);
        if (s == WON || (s == FAILED && v->is_wide)) return s;
        v->narrow_failed |= s == FAILED;
        if (s == FAILED || v->left <= 0) next_turn(v);
    }
    return OPEN;
}

/* A further call for the same position goes on where the last one ended. */
static void start(Vct *v) {
    if (v->root == key_here(v) && v->answer == VCT_NOT_FOUND && v->turn > 0) return;
    new_age(v);
    v->root = key_here(v);
    v->answer = VCT_NOT_FOUND;
    v->shallow = v->is_wide = v->narrow_failed = false;
    v->turn = v->left = TURN;
}

int vct_search(Vct *v, Position *p, Budget *budget, int64_t max_nodes) {
    v->pos = p;
    v->budget = budget;
    v->nodes = 0;
    v->max_nodes = max_nodes;
    v->ply = v->length = 0;
    v->cut = false;
    start(v);
    const Settled s = work_in_turns(v);
    if (s == FAILED && !v->shallow) v->answer = VCT_NO_WIN;
    if (s != WON) return 0;
    /* as much again for the proof itself */
    v->max_nodes = max_nodes > INT64_MAX / 2 - v->nodes ? INT64_MAX / 2 : v->nodes + max_nodes;
    v->cut = false;
    v->is_wide = true; /* the win may hold parts that an earlier call has found */
    const int plies = walk(v);
    if (!plies) return 0;
    v->answer = VCT_WIN;
    follow(v);
    return plies;
}
