#include "eval/network.h"

#include <string.h>

enum {
    FLUSH = 64, /* squares whose changes fit 16 bits */
    FAR = 6,    /* plies after which most squares have changed */
    HIDDEN_SHIFT = 8,
    OUT_SHIFT = 15
};

static int clamp(int v, int low, int high) {
    return v < low ? low : v > high ? high : v;
}

/* --- the sums over the squares ----------------------------------------------------------- */

/* Changes of both sums, in 16 bits until there are FLUSH of them. */
typedef struct {
    int16_t part[COLORS][NET_WIDTH];
    int count;
    NetSums *sums;
} Change;

static void flush(Change *c) {
    for (int k = 0; k < COLORS; k++)
        for (int i = 0; i < NET_WIDTH; i++) c->sums->sum[k][i] += c->part[k][i];
    memset(c->part, 0, sizeof c->part);
    c->count = 0;
}

static ALWAYS_INLINE void add_cut(int16_t *part, const int16_t *own, const int16_t *other,
                                  int sign) {
    for (int i = 0; i < NET_WIDTH; i++) {
        const int16_t v = (int16_t)(own[i] + other[i]);
        const int16_t cut = v > 0 ? v : 0;
        part[i] = (int16_t)(sign > 0 ? part[i] + cut : part[i] - cut);
    }
}

/* A square with these shapes begins (1) or ceases (-1) to count. */
static ALWAYS_INLINE void change(const Network *n, const ShapeTable *t, Change *c,
                                 PatternSquare square, int sign) {
    const NetSquare *black = &n->square[BLACK][shape_square_code(t, (u32)(square >> 16) & 0xFFFF)];
    const NetSquare *white = &n->square[WHITE][shape_square_code(t, (u32)(square >> 48))];
    add_cut(c->part[BLACK], black->own, white->other, sign);
    add_cut(c->part[WHITE], white->own, black->other, sign);
    if (++c->count == FLUSH) flush(c);
}

void network_sums(const Network *n, const Position *p, NetSums *out) {
    *out = (NetSums){.known = true, .key = p->board.key};
    Change c = {.sums = out};
    BB_FOR_EACH(at, &p->board.empty)
    change(n, p->pattern.table->shapes, &c, p->pattern.at[at], 1);
    flush(&c);
}

/* From the sums as they were when `plies` moves had been made: every square that has changed since
 * goes out as it was then and comes in as it is now. Only the first of those moves may have
 * captured. */
static void catch_up(const Network *n, const Position *p, int plies, NetSums *out) {
    const ShapeTable *t = p->pattern.table->shapes;
    Change c = {.sums = out};
    Bitboard seen = {{0}};
    const Ply *first = &p->ply[plies];
    for (int i = 0; i < first->captured; i++) { /* a stone stood there: nothing goes out */
        const Cell at = first->taken[i];
        bb_add(&seen, at);
        if (p->board.stone[at] == EMPTY) change(n, t, &c, p->pattern.at[at], 1);
    }
    const u32 from = first->captured ? first->taken_mark[0].top : first->mark.top;
    for (u32 i = from; i < p->pattern.top; i++) {
        const PatternChange *s = &p->pattern.stack[i];
        const Cell at = (Cell)s->cell;
        if (bb_has(&seen, at)) continue;
        bb_add(&seen, at);
        change(n, t, &c, s->old, -1);
        if (p->board.stone[at] == EMPTY) change(n, t, &c, p->pattern.at[at], 1);
    }
    for (const Ply *ply = first; ply < p->ply + p->plies; ply++)
        if (!bb_has(&seen, ply->cell)) change(n, t, &c, p->pattern.at[ply->cell], -1);
    flush(&c);
    out->key = p->board.key;
}

static bool belongs(const NetSums *s, u64 key) {
    return s->known && s->key == key;
}

const NetSums *network_follow(const Network *n, const Position *p, NetTrail *trail) {
    NetSums *now = &trail->after[p->plies];
    if (belongs(now, p->board.key)) return now;
    for (int plies = p->plies - 1; plies >= 0 && plies >= p->plies - FAR; plies--) {
        if (belongs(&trail->after[plies], p->ply[plies].key)) {
            *now = trail->after[plies];
            catch_up(n, p, plies, now);
            return now;
        }
        if (p->ply[plies].captured) break; /* from before it: a square may lose and get a stone */
    }
    network_sums(n, p, now);
    return now;
}

/* --- the layers -------------------------------------------------------------------------- */

static void put_sums(int16_t *in, const int32_t *sum) {
    for (int i = 0; i < NET_WIDTH; i++)
        in[i] = (int16_t)clamp(sum[i] >> NET_SUM_SHIFT, 0, NET_INPUT_MAX);
}

static int32_t dot(const int16_t *a, const int16_t *b) {
    int32_t sum = 0;
    for (int i = 0; i < NET_INPUTS; i++) sum += a[i] * b[i];
    return sum;
}

int network_correction(const Network *n, Color mover, const NetSums *sums,
                       const int16_t features[NET_FEATURES]) {
    int16_t in[NET_INPUTS];
    put_sums(in, sums->sum[mover]);
    put_sums(in + NET_WIDTH, sums->sum[other(mover)]);
    memcpy(in + 2 * NET_WIDTH, features, NET_FEATURES * sizeof *features);
    int32_t out = n->out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        const int h = (dot(in, n->hidden[j]) + n->hidden_bias[j]) >> HIDDEN_SHIFT;
        out += clamp(h, 0, NET_INPUT_MAX) * n->out[j];
    }
    return (int)((int64_t)out * NET_SCALE / (1 << OUT_SHIFT));
}
