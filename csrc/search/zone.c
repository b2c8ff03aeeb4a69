#include "search/zone.h"

#include "position/ninuki_fives.h"

enum { FIVE = 5, CROWDED = 24 };

void zone_add_five(Zone *z, const Position *p, Color attacker, Cell c) {
    bb_add(&z->squares, c);
    bb_add(&z->moves, c);
    if (p->traits.forbids[other(attacker)] == FORBIDS_RENJU && p->board.empty_count < CROWDED)
        z->everywhere = true;
    if (p->traits.closed_five_wins && !p->traits.captures) return;
    for (int d = 0; d < DIRECTIONS; d++)
        if (pattern_shape(&p->pattern, attacker, c, d) == SHAPE_FIVE)
            movegen_add_line(&p->board, c, d, MAX_REACH, &z->squares);
}

void zone_add_move(Zone *z, const Position *p, Cell c) {
    bb_add(&z->squares, c);
    bb_add(&z->moves, c);
    if (position_may_be_renju_forbidden(p, c)) z->everywhere = true;
}

void zone_add_reply(Zone *z, const Position *p, Cell c, bool last) {
    bb_add(&z->squares, c);
    if (!last || p->traits.captures) bb_add(&z->replies, c);
    const Ply *ply = &p->ply[p->plies - 1];
    for (int i = 0; i < ply->captured; i++) bb_add(&z->captured, ply->taken[i]);
}

/* --- sets of squares ----------------------------------------------------------------------- */

static Bitboard both(const Bitboard *a, const Bitboard *b) {
    Bitboard set = *a;
    bb_and(&set, b);
    return set;
}

static Bitboard either(const Bitboard *a, const Bitboard *b) {
    Bitboard set = *a;
    bb_or(&set, b);
    return set;
}

/* The set shifted by some squares; a negative number shifts it back. */
static Bitboard shifted(const Bitboard *set, int by) {
    return by > 0 ? bb_up(set, by) : bb_down(set, -by);
}

static void add_shifted(const Bitboard *from, int by, Bitboard *set) {
    const Bitboard to = shifted(from, by);
    bb_or(set, &to);
}

/* The first squares of the windows of five that have three squares of `own` or more. */
static Bitboard with_three(const Bitboard *own, int step) {
    Bitboard at[FIVE], result;
    for (int i = 0; i < FIVE; i++) at[i] = shifted(own, -i * step);
    for (int i = 0; i < WORDS; i++) { /* adds five bits: two adders, which carry twos */
        const u64 a = at[0].w[i], b = at[1].w[i], c = at[2].w[i], d = at[3].w[i], e = at[4].w[i];
        const u64 sum = a ^ b ^ c, twos = (a & b) | (c & (a ^ b));
        const u64 odd = sum ^ d ^ e, more = (sum & d) | (e & (sum ^ d));
        result.w[i] = (twos & more) | ((twos | more) & odd);
    }
    return result;
}

/* Adds the squares of each window of five that holds three stones or replies of the defender and no
 * other stone. */
static void add_windows(const Zone *z, const Board *b, Color defender, Bitboard *set) {
    const Bitboard own = either(&b->stones[defender], &z->replies);
    Bitboard open = either(&b->empty, &z->captured);
    bb_or(&open, &b->stones[defender]);
    for (int d = 0; d < DIRECTIONS; d++) {
        const int step = DIR_DX[d] + DIR_DY[d] * STRIDE;
        Bitboard first = with_three(&own, step);
        for (int i = 0; i < FIVE; i++) {
            const Bitboard here = shifted(&open, -i * step);
            bb_and(&first, &here);
        }
        for (int i = 0; i < FIVE; i++) add_shifted(&first, i * step, set);
    }
}

/* --- captures ---------------------------------------------------------------------------- */

/* The squares of each side, now or later in T, and those that are empty or may become empty. */
typedef struct {
    Bitboard moves, attacker, defender, open;
} Reach;

/* d X X e: rows of `length` stones that a stone on d brackets, with e open. */
static void add_brackets(const Reach *r, int step, int length, Bitboard *set) {
    const Bitboard end = shifted(&r->open, -length * step);
    Bitboard near = both(&r->attacker, &end);
    for (int i = 1; i < length; i++) {
        const Bitboard next = shifted(&r->attacker, -i * step);
        bb_and(&near, &next);
    }
    add_shifted(&near, -step, set);
}

/* a d O X and a O d X: squares d that a move on a would capture in a row of `length` stones. */
static void add_captured_with(const Reach *r, int step, int length, Bitboard *set) {
    const Bitboard behind = shifted(&r->attacker, -(length + 1) * step);
    const Bitboard from = both(&r->moves, &behind);
    for (int at = 1; at <= length; at++) {
        Bitboard near = from;
        for (int i = 1; i <= length; i++) {
            const Bitboard with = shifted(&r->defender, -i * step);
            if (i != at) bb_and(&near, &with);
        }
        add_shifted(&near, at * step, set);
    }
}

void zone_add_weak_fives(Zone *z, Position *p, Color defender) {
    if (!p->traits.five_must_stand || p->state != STATE_ONGOING) return;
    const Bitboard fives = *position_set(p, defender, SQUARE_FIVE);
    BB_FOR_EACH(c, &fives)
    if (!ninuki_fives_win(p, defender, c)) z->everywhere = true;
}

static void add_captures(const Zone *z, const Position *p, Color defender, Bitboard *set) {
    const Board *b = &p->board;
    Reach r = {.moves = z->moves,
               .attacker = either(&b->stones[other(defender)], &z->moves),
               .defender = either(&b->stones[defender], &z->replies),
               .open = either(&b->empty, &z->captured)};
    bb_or(&r.open, &b->stones[defender]);
    bb_or(set, position_captures(p, defender));
    for (int d = 0; d < DIRECTIONS; d++)
        for (int way = -1; way <= 1; way += 2) {
            const int step = way * (DIR_DX[d] + DIR_DY[d] * STRIDE);
            for (int length = 2; length <= (p->traits.triples ? 3 : 2); length++) {
                add_brackets(&r, step, length, set);
                add_captured_with(&r, step, length, set);
            }
        }
}

/* --- the whole zone ------------------------------------------------------------------------ */

Bitboard zone_close(const Zone *z, const Position *p, Color defender) {
    const Board *b = &p->board;
    if (z->everywhere || (p->traits.captures && b->empty_count < CROWDED)) return b->empty;
    Bitboard set = z->squares;
    if (p->traits.captures) add_captures(z, p, defender, &set);
    add_windows(z, b, defender, &set);
    bb_and(&set, &b->empty);
    return set;
}
