#include "search/vct.h"

#include <string.h>

#include "search/threats.h"

/* VCF_HERE: nodes for the attacker's own win by fours; VCF_PASS: for the one he threatens. */
enum { BUCKET = 4, ENDLESS = 1 << 30, VCF_HERE = 400, VCF_PASS = 200 };

typedef enum { OPEN, WON, FAILED } Settled; /* for the attacker */

static bool attacking(const Vct *v) {
    return v->ply % 2 == 0;
}

/* --- the table --------------------------------------------------------------------------- */

/* In the keys of positions with the defender to move: the same position with the attacker to move
 * is another question. */
static const u64 DEFENDER = 0x9e3779b97f4a7c15;

static u64 key_here(const Vct *v) {
    return v->pos->board.key ^ (attacking(v) ? 0 : DEFENDER);
}

static u64 key_after(const Vct *v, Cell c) {
    return position_key_after(v->pos, c) ^ (attacking(v) ? DEFENDER : 0);
}

static VctEntry *find(Vct *v, u64 key) {
    VctEntry *bucket = &v->entry[key & (VCT_SLOTS - BUCKET)];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key && bucket[i].age && (bucket[i].age == v->age || !bucket[i].proof))
            return &bucket[i];
    return NULL;
}

static void store(Vct *v, u64 key, u32 proof, u32 disproof, int64_t work) {
    VctEntry *to = find(v, key);
    if (!to) {
        VctEntry *bucket = &v->entry[key & (VCT_SLOTS - BUCKET)];
        to = bucket;
        for (int i = 0; i < BUCKET && to->age == v->age; i++)
            if (bucket[i].age != v->age || bucket[i].work < to->work) to = &bucket[i];
        *to = (VctEntry){.key = key, .age = v->age};
    }
    to->proof = proof;
    to->disproof = disproof;
    to->work += (u32)work;
}

static void store_settled(Vct *v, u64 key, Settled s, int64_t work) {
    store(v, key, s == WON ? 0 : ENDLESS, s == WON ? ENDLESS : 0, work);
}

/* --- moves ------------------------------------------------------------------------------- */

static void make(Vct *v, Cell c) {
    position_make(v->pos, c);
    v->ply++;
    v->length[v->ply] = 0;
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

/* Rules with captures: captures, and with two pairs or more threats to capture, are moves as threes
 * are. */
static void add_capturing_moves(VctFrame *f, const Position *p, Color us) {
    Bitboard seen = {{0}};
    for (int i = 0; i < f->count; i++) bb_add(&seen, f->move[i]);
    BB_FOR_EACH(c, &p->board.empty) {
        const bool threatens = p->board.pairs[us] >= WIN_PAIRS - 3 &&
                               capture_lines_count(&p->capture_lines, us, c, CAPTURE_THREAT) > 0;
        if ((threatens || bb_has(position_captures(p, us), c)) && !bb_has(&seen, c))
            add_move(f, p, c, 2);
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
        add_moves(f, p, position_set(p, us, ORDER[i]), four ? 1 : 2);
    }
    if (p->traits.captures) add_capturing_moves(f, p, us);
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
        position_pass(p);
        f->threat_plies = win_by_fours(v, VCF_PASS, &zone);
        position_unpass(p);
        if (!f->threat_plies) return FAILED;
        replies = zone_close(&zone, p, us);
    }
    add_moves(f, p, &replies, 1);
    if (f->count) return OPEN;
    return any_legal(p) ? WON : FAILED; /* any other reply loses; without a reply it is a draw */
}

/* A node that is in the table was looked at before: there is no win by fours. */
static Settled expand(Vct *v, VctFrame *f) {
    if (v->ply >= VCT_PLY) return FAILED;
    const Settled end = decided(v);
    if (end != OPEN) return end;
    if (!attacking(v)) return defender_moves(v, f);
    if (!find(v, key_here(v)) && win_by_fours(v, VCF_HERE, NULL)) return WON;
    return attacker_moves(v, f);
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
    int index;  /* of the best child */
} Choice;

static Choice choose(Vct *v, const VctFrame *f) {
    Choice c = {.node = {ENDLESS, 0}, .second = ENDLESS};
    for (int i = 0; i < f->count; i++) {
        const Numbers n = child_numbers(v, f, i);
        c.node.delta = c.node.delta + n.phi < ENDLESS ? c.node.delta + n.phi : ENDLESS;
        if (n.delta < c.node.phi) {
            c.second = c.node.phi;
            c.node.phi = n.delta;
            c.best = n;
            c.index = i;
        } else if (n.delta < c.second) {
            c.second = n.delta;
        }
    }
    if (c.node.phi == 0) c.node.delta = ENDLESS;
    return c;
}

/* Works on a node until one of its numbers reaches its limit. */
static void work_on(Vct *v, u32 phi, u32 delta) {
    VctFrame *f = &v->frame[v->ply];
    const u64 key = key_here(v);
    const int64_t before = v->nodes++;
    if (budget_node(v->budget) || v->nodes >= v->max_nodes) v->cut = true;
    if (v->cut) return;
    const Settled s = expand(v, f);
    if (v->cut) return;
    if (s != OPEN) {
        store_settled(v, key, s, v->nodes - before);
        return;
    }
    for (;;) {
        const Choice c = choose(v, f);
        if (c.node.phi >= phi || c.node.delta >= delta) {
            if (attacking(v))
                store(v, key, c.node.phi, c.node.delta, v->nodes - before);
            else
                store(v, key, c.node.delta, c.node.phi, v->nodes - before);
            return;
        }
        /* a quarter more than the next best, so that it does not swing to and fro */
        const u32 margin = c.second >= ENDLESS ? ENDLESS : c.second + c.second / 4 + 1;
        make(v, f->move[c.index]);
        work_on(v, delta >= ENDLESS ? ENDLESS : delta + c.best.phi - c.node.delta,
                phi < margin ? phi : margin);
        unmake(v);
        if (v->cut) return;
    }
}

/* --- walking through a win --------------------------------------------------------------- */

static int walk(Vct *v);

static void keep_line(Vct *v, Cell move) {
    const int n = v->length[v->ply + 1];
    v->line[v->ply][0] = move;
    memcpy(&v->line[v->ply][1], v->line[v->ply + 1], (size_t)n * sizeof(Cell));
    v->length[v->ply] = n + 1;
}

/* Plies of the win from before the move; 0 when it does not hold. */
static int walk_after(Vct *v, Cell c) {
    make(v, c);
    const Settled end = decided(v);
    const int plies = end == OPEN ? walk(v) : 0;
    unmake(v);
    if (!plies && end != WON) return 0;
    keep_line(v, c);
    return plies + 1;
}

/* The proven move that took the least work; -1 when the table has lost it. */
static int proven_move(Vct *v, const VctFrame *f) {
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

static int walk_attacker(Vct *v) {
    VctFrame *f = &v->frame[v->ply];
    const int plies = win_by_fours(v, VCF_HERE, NULL);
    if (plies) {
        v->length[v->ply] = v->vcf->length[0];
        memcpy(v->line[v->ply], v->vcf->line[0], (size_t)v->vcf->length[0] * sizeof(Cell));
        return plies;
    }
    if (v->cut || attacker_moves(v, f) != OPEN) return 0;
    int i = proven_move(v, f);
    if (i < 0) {
        work_on(v, ENDLESS, ENDLESS);
        i = v->cut ? -1 : proven_move(v, f);
    }
    return i < 0 ? 0 : walk_after(v, f->move[i]);
}

/* No reply can help: the line shows the first legal one, and how the attacker wins then. */
static int walk_hopeless(Vct *v) {
    BB_FOR_EACH(c, &v->pos->board.empty)
    if (!position_forbidden(v->pos, c)) return walk_after(v, c);
    return 0;
}

static int walk_defender(Vct *v) {
    VctFrame *f = &v->frame[v->ply];
    const Settled s = defender_moves(v, f);
    if (v->cut || s == FAILED) return 0;
    if (s == WON) return walk_hopeless(v);
    Cell line[VCT_LINE + 2];
    int length = 0, longest = 0;
    for (int i = 0; i < f->count; i++) {
        const int plies = walk_after(v, f->move[i]);
        if (!plies) return 0;
        if (plies <= longest) continue;
        longest = plies;
        length = v->length[v->ply];
        memcpy(line, v->line[v->ply], (size_t)length * sizeof(Cell));
    }
    v->length[v->ply] = length;
    memcpy(v->line[v->ply], line, (size_t)length * sizeof(Cell));
    const int outside = f->threat_plies + 1; /* a reply outside the zone */
    return longest > outside ? longest : outside;
}

/* Plies of the win from here; 0 when it does not hold, or the nodes have run out. */
static int walk(Vct *v) {
    v->nodes++;
    if (budget_node(v->budget) || v->nodes >= v->max_nodes) v->cut = true;
    if (v->cut || v->ply >= VCT_PLY) return 0;
    const int plies = attacking(v) ? walk_attacker(v) : walk_defender(v);
    if (plies)
        wins_note(v->threats, v->pos->board.key, attacking(v) ? plies : -plies, v->line[v->ply][0]);
    return plies;
}

/* --- the call ---------------------------------------------------------------------------- */

static void new_age(Vct *v) {
    if (++v->age) return;
    memset(v->entry, 0, sizeof v->entry); /* every 65,536 calls */
    v->age = 1;
}

int vct_search(Vct *v, Position *p, Budget *budget, int64_t max_nodes) {
    v->pos = p;
    v->budget = budget;
    v->nodes = 0;
    v->max_nodes = max_nodes;
    v->ply = 0;
    v->cut = false;
    v->length[0] = 0;
    new_age(v);
    const VctEntry *root = find(v, key_here(v));
    if (!root || root->proof != 0) work_on(v, ENDLESS, ENDLESS);
    root = find(v, key_here(v));
    if (!root || root->proof != 0) return 0;
    /* as much again for the proof itself */
    v->max_nodes = max_nodes > INT64_MAX - v->nodes ? INT64_MAX : v->nodes + max_nodes;
    v->cut = false;
    return walk(v);
}
