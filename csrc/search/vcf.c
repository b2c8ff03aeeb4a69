#include "search/vcf.h"

#include <string.h>

#include "position/ninuki_fives.h"
#include "search/threats.h"

/* NO_WIN in the lowest byte of a slot: no win of any length. */
enum { NO_WIN = 255, SHORTEST_FOUR = 3 };

/* Node limit for shortening a win: a constant, and a multiple of the nodes that found the win. */
enum { SHORTEN_BASE = 2000, SHORTEN_FACTOR = 8 };

/* Other wins than the first that narrow its zone, and the node limit of each. */
enum { OTHER_WINS = 2, OTHER_WIN_NODES = 4 };

/* Part of the keys of lean searches: their failures prove nothing for complete searches. */
static const u64 LEAN_KIND = (u64)1 << 63;

/* --- VCF --------------------------------------------------------------------------------- */

void vcf_cache_clear(VcfCache *c) {
    memset(c, 0, sizeof *c);
}

static int attack(Vcf *v);

/* Stores a position of the winning tree with its move: won, or lost for the defender. */
static void note(Vcf *v, int plies) {
    if (v->wins) wins_note(v->wins, v->pos->board.key, plies, v->line[v->ply][0]);
}

/* The line at this ply: `move`, then the line of the next ply. */
static void keep_line(Vcf *v, Cell move) {
    const int n = v->length[v->ply + 1];
    v->line[v->ply][0] = move;
    memcpy(&v->line[v->ply][1], v->line[v->ply + 1], (size_t)n * sizeof(Cell));
    v->length[v->ply] = n + 1;
}

static void make(Vcf *v, Cell c) {
    position_make(v->pos, c);
    v->ply++;
    v->length[v->ply] = 0;
}

static void unmake(Vcf *v) {
    position_unmake(v->pos);
    v->ply--;
}

static bool out_of_budget(Vcf *v) {
    v->nodes++;
    if (budget_node(v->budget) || v->nodes > v->max_nodes) v->aborted = true;
    return v->aborted;
}

/* One reply: plies to the attacker's win, including the reply; 0: the reply holds. */
static int refute(Vcf *v, Cell reply) {
    make(v, reply);
    const int plies = attack(v);
    if (v->zone) zone_add_reply(v->zone, v->pos, reply, plies == 1);
    const bool lost = v->pos->state == STATE_MOVER_LOST;
    unmake(v);
    return plies || lost ? plies + 1 : 0;
}

/* Every legal reply of the set must lose; the line shows the longest. If no reply of the set is
 * legal, every other move loses to the threatened win, and the line shows one of these. */
static int refute_all(Vcf *v, const Bitboard *replies) {
    int longest = 0;
    Bitboard set = *replies;
    for (int pass = 0; pass < 2 && longest == 0; pass++) {
        BB_FOR_EACH(c, &set) {
            if (position_forbidden(v->pos, c)) {
                if (v->zone && !pass) v->zone->everywhere = true;
                continue;
            }
            const int plies = refute(v, c);
            if (plies == 0) return 0;
            if (plies > longest) {
                longest = plies;
                keep_line(v, c);
            }
            if (pass) return longest;
        }
        set = v->pos->board.empty;
    }
    return longest;
}

/* Rules with captures: adds the wins that the attacker threatens; the defender is to move. */
static void add_threats(Zone *z, Position *p) {
    const Color attacker = other(position_to_move(p));
    const Bitboard fifth = ninuki_fives_by_capture(p, attacker);
    const Cell five = threat_against(p);
    zone_add_weak_fives(z, p, position_to_move(p));
    if (five != NO_CELL) zone_add_five(z, p, attacker, five);
    BB_FOR_EACH(c, &fifth) zone_add_five(z, p, attacker, c);
}

/* Rules with captures: the defender is to move after a four, a threat to capture the fifth pair, or
 * (ninuki) a five that a capture can break. */
static int defend_with_captures(Vcf *v) {
    Position *p = v->pos;
    Bitboard replies = *position_captures(p, position_to_move(p));
    if (p->state == STATE_PENDING) return refute_all(v, &replies);
    if (p->state != STATE_ONGOING || threat_win_now(p) != NO_CELL) return 0;
    if (!threat_answers(p, &replies)) return 0;
    if (v->zone) add_threats(v->zone, p);
    return refute_all(v, &replies);
}

/* The defender is to move after a four. */
static int defend(Vcf *v) {
    Position *p = v->pos;
    const Color us = position_to_move(p);
    if (p->traits.captures) return defend_with_captures(v);
    if (position_count(p, us, SQUARE_FIVE)) return 0;
    const Cell five = threat_against(p);
    if (five == NO_CELL) return 0;
    if (v->zone) zone_add_five(v->zone, p, other(us), five);
    const Bitboard replies = movegen_answers(p, five);
    return refute_all(v, &replies);
}

static int try_four(Vcf *v, Cell c) {
    if (position_forbidden(v->pos, c)) return 0;
    Zone before;
    if (v->zone) {
        before = *v->zone;
        zone_add_move(v->zone, v->pos, c);
    }
    make(v, c);
    const int plies = defend(v);
    if (plies) note(v, -plies);
    unmake(v);
    if (plies == 0) {
        if (v->zone) *v->zone = before;
        return 0;
    }
    keep_line(v, c);
    return plies + 1;
}

static Bitboard fifth_pair_threats(const Position *p, Color us) {
    Bitboard set = *position_captures(p, us);
    if (position_capture_fifths(p, us) < WIN_PAIRS - 1) return set;
    BB_FOR_EACH(c, &p->board.empty)
    if (capture_lines_count(&p->capture_lines, us, c, CAPTURE_THREAT)) bb_add(&set, c);
    return set;
}

/* Renju: whether White's four on c may leave Black no answer but a forbidden square. */
static bool may_forbid_answer(const Position *p, Cell c) {
    Bitboard line = {{0}};
    for (int d = 0; d < DIRECTIONS; d++)
        if (pattern_shape(&p->pattern, WHITE, c, d) == SHAPE_FOUR)
            movegen_add_line(&p->board, c, d, MAX_REACH - 1, &line);
    BB_FOR_EACH(a, &line)
    if (pattern_class(&p->pattern, BLACK, a) == SQUARE_FORBIDDEN ||
        pattern_suspect(&p->pattern, BLACK, a))
        return true;
    return false;
}

/* Whether c makes a four, no three in another line, not even a closed one, and no answer forbidden.
 * Most fours are of this kind, and they rarely lead to a win. */
static bool is_lone_four(const Position *p, Cell c) {
    const Color us = position_to_move(p);
    const u8 *rising = p->pattern.table->shapes->members[pattern_code(&p->pattern, us, c)];
    return pattern_class(&p->pattern, us, c) == SQUARE_FOUR &&
           rising[DIRECTIONS - 2] < SHAPE_THREE_CLOSED &&
           !(p->traits.forbids[other(us)] == FORBIDS_RENJU && may_forbid_answer(p, c));
}

static int try_fours(Vcf *v, Bitboard fours, const Bitboard *allowed) {
    bb_and(&fours, allowed);
    BB_FOR_EACH(c, &fours) {
        if (v->lean && is_lone_four(v->pos, c)) continue;
        const int plies = try_four(v, c);
        if (plies || v->aborted) return plies;
    }
    return 0;
}

/* SQUARE_FIVE occurs under ninuki only: a five that can be broken. */
static int attack_with_fours(Vcf *v) {
    static const SquareClass ORDER[] = {SQUARE_FIVE, SQUARE_OPEN_FOUR, SQUARE_FOURS,
                                        SQUARE_FOUR_THREE, SQUARE_FOUR};
    Position *p = v->pos;
    const Color us = position_to_move(p);
    Bitboard allowed;
    if (!threat_answers(p, &allowed)) allowed = p->board.empty;
    int plies = 0;
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER && !plies && !v->aborted; i++)
        if (position_count(p, us, ORDER[i]))
            plies = try_fours(v, *position_set(p, us, ORDER[i]), &allowed);
    if (!plies && !v->aborted && threat_near_last_capture(p, us))
        plies = try_fours(v, fifth_pair_threats(p, us), &allowed);
    /* a five that stands is pending after any move */
    if (!plies && !v->aborted && p->five[us]) plies = try_fours(v, p->board.empty, &allowed);
    return plies;
}

/* The attacker, to move, wins at once on c. If he must also break a five, the win can fail outside
 * its own lines. */
static void add_win(Zone *z, const Position *p, Cell c) {
    const Color attacker = position_to_move(p);
    zone_add_five(z, p, attacker, c);
    if (p->state != STATE_PENDING) return;
    const Bitboard fifth = ninuki_fives_by_capture(p, attacker);
    if (!bb_has(&fifth, c)) z->everywhere = true;
}

/* Whether the table knows that there is no win within `left` plies. */
static bool known_no_win(const Vcf *v, u64 key, int left) {
    const u64 known = v->table.no_win[key & v->table.mask];
    return known != 0 && (known ^ key) <= NO_WIN && (int)(known & NO_WIN) >= left;
}

static int attack(Vcf *v) {
    Position *p = v->pos;
    const int left = v->limit - v->ply;
    if (out_of_budget(v)) return 0;
    if (p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST) return 0;
    if (v->zone && p->traits.captures) zone_add_weak_fives(v->zone, p, other(position_to_move(p)));
    const Cell now = threat_win_now(p);
    if (now != NO_CELL) {
        if (v->zone) add_win(v->zone, p, now);
        v->length[v->ply] = 1;
        v->line[v->ply][0] = now;
        return 1;
    }
    if (p->state == STATE_PENDING || !threat_has_force(p, position_to_move(p))) return 0;
    if (left < SHORTEST_FOUR) {
        v->shallow = true;
        return 0;
    }
    const u64 key = p->board.key ^ (v->lean ? LEAN_KIND : 0);
    if (known_no_win(v, key, left)) {
        v->shallow |= (v->table.no_win[key & v->table.mask] & NO_WIN) != NO_WIN;
        return 0;
    }
    const bool shallow = v->shallow;
    v->shallow = false;
    const int plies = attack_with_fours(v);
    if (plies == 0 && !v->aborted)
        v->table.no_win[key & v->table.mask] =
            (key & ~(u64)NO_WIN) | (u64)(v->shallow ? left : NO_WIN);
    v->shallow |= shallow;
    if (plies) note(v, plies);
    return plies;
}

static void start(Vcf *v, Position *p, VcfTable table, Budget *budget, int64_t max_nodes) {
    ASSERT(table.mask >= NO_WIN);
    v->pos = p;
    v->table = table;
    v->budget = budget;
    v->zone = NULL;
    v->wins = NULL;
    v->lean = false;
    v->nodes = 0;
    v->max_nodes = max_nodes;
    v->ply = 0;
    v->limit = VCF_PLY;
    v->aborted = v->shallow = false;
    v->length[0] = 0;
}

int vcf_search(Vcf *v, Position *p, VcfCache *cache, Budget *budget, int64_t max_nodes, bool lean) {
    start(v, p, (VcfTable){cache->no_win, VCF_CACHE - 1}, budget, max_nodes);
    v->lean = lean;
    return attack(v);
}

int vcf_prove(Vcf *v, Position *p, VcfTable table, Budget *budget, int64_t max_nodes, Zone *zone,
              Wins *wins) {
    static const int LIMITS[] = {7, 15, 31, VCF_PLY};
    start(v, p, table, budget, max_nodes);
    v->zone = zone;
    v->wins = wins;
    if (zone) *zone = (Zone){.everywhere = false};
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        v->limit = LIMITS[i];
        v->shallow = false;
        const int plies = attack(v);
        if (plies || v->aborted || !v->shallow) return plies;
    }
    return 0;
}

/* Takes the squares from *zone that the win beginning with the four c does not need. Returns the
 * plies of this win; 0: there is none within a few nodes. */
static int narrow_by(Vcf *v, Cell c, Color defender, Bitboard *zone) {
    Zone needed = {.everywhere = false};
    v->zone = &needed;
    v->max_nodes = v->nodes + OTHER_WIN_NODES;
    v->aborted = false;
    const int plies = try_four(v, c);
    v->zone = NULL;
    if (!plies) return 0;
    const Bitboard squares = zone_close(&needed, v->pos, defender);
    bb_and(zone, &squares);
    return plies;
}

int vcf_narrow_zone(Vcf *v, int plies, Color defender, Bitboard *zone) {
    const Position *p = v->pos;
    const Color us = position_to_move(p);
    const Cell first = v->line[0][0];
    if (plies < SHORTEST_FOUR || p->traits.captures) return plies;
    Bitboard fours = *position_set(p, us, SQUARE_OPEN_FOUR), allowed;
    bb_or(&fours, position_set(p, us, SQUARE_FOURS));
    if (threat_answers(v->pos, &allowed)) bb_and(&fours, &allowed);
    int left = OTHER_WINS;
    BB_FOR_EACH(c, &fours) {
        if (c == first || bb_count(zone) <= 1 || left == 0) continue;
        left--;
        const int other_plies = narrow_by(v, c, defender, zone);
        if (other_plies > plies) plies = other_plies;
    }
    return plies;
}

/* Under ninuki a win may take an even number of plies: it ends with a reply that fails to break a
 * five. */
int vcf_shorten(Vcf *v, int plies) {
    Cell best[VCF_PLY + 2];
    const int64_t most = v->nodes + SHORTEN_BASE + SHORTEN_FACTOR * v->nodes;
    if (v->max_nodes > most) v->max_nodes = most;
    int length;
    for (;;) {
        length = v->length[0];
        memcpy(best, v->line[0], (size_t)length * sizeof(Cell));
        v->limit = plies % 2 ? plies - 2 : plies - 1;
        v->shallow = false;
        const int shorter = v->limit >= SHORTEST_FOUR ? attack(v) : 0;
        if (!shorter) break;
        plies = shorter;
    }
    v->aborted = false;
    v->length[0] = length;
    memcpy(v->line[0], best, (size_t)length * sizeof(Cell));
    return plies;
}
