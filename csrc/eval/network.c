#include "eval/network.h"

#include <string.h>

#include "eval/eval.h"

enum {
    SUM_SHIFT = 4,         /* an input is a sixteenth of its sum */
    INPUT_MAX = 8191,      /* with weights below 2048 the products of all inputs fit 32 bits */
    COUNT_UNIT = 32,       /* a square of a class */
    SCORE_UNIT = 128,      /* what SCORE_SCALE is as an input */
    SCORE_SCALE = 220,     /* of the fit: a score of so much is odds of e to 1 */
    STEEP_MAX = 2 * SCORE_UNIT, /* the second input of the score: halved, cut off at 4 */
    HIDDEN_SHIFT = 8,
    HIDDEN_MAX = INT16_MAX,
    OUT_SHIFT = 15,
    FLUSH = 64 /* squares whose changes fit 16 bits */
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

static void from_nothing(const Network *n, const Position *p, NetSums *out) {
    memset(out->sum, 0, sizeof out->sum);
    Change c = {.sums = out};
    BB_FOR_EACH(at, &p->board.empty)
    change(n, p->pattern.table->shapes, &c, p->pattern.at[at], 1);
    flush(&c);
}

/* From the sums as they were when `plies` moves had been made: every square that has changed since
 * goes out as it was then and comes in as it is now. */
static void follow(const Network *n, const Position *p, int plies, NetSums *out) {
    const ShapeTable *t = p->pattern.table->shapes;
    Change c = {.sums = out};
    Bitboard seen = {{0}};
    const Ply *first = &p->ply[plies];
    for (int i = 0; i < first->captured; i++) { /* stood on until now: nothing goes out */
        bb_add(&seen, first->taken[i]);
        change(n, t, &c, p->pattern.at[first->taken[i]], 1);
    }
    const u32 top = first->captured ? first->taken_mark[0].top : first->mark.top;
    const PatternChange *from = p->pattern.stack + top;
    for (const PatternChange *s = from; s < p->pattern.stack + p->pattern.top; s++) {
        const Cell at = (Cell)s->cell;
        if (bb_has(&seen, at)) continue;
        bb_add(&seen, at);
        change(n, t, &c, s->old, -1);
        if (p->board.stone[at] == EMPTY) change(n, t, &c, p->pattern.at[at], 1);
    }
    for (const Ply *ply = first; ply < p->ply + p->plies; ply++)
        if (!bb_has(&seen, ply->cell)) change(n, t, &c, p->pattern.at[ply->cell], -1);
    flush(&c);
}

static u64 key_after(const Position *p, int plies) {
    return plies == p->plies ? p->board.key : p->ply[plies].key;
}

const NetSums *network_follow(const Network *n, const Position *p, NetTrail *trail) {
    enum { FAR = 6 }; /* beyond that, most squares have changed */
    NetSums *now = &trail->after[p->plies];
    for (int plies = p->plies; plies >= 0 && plies > p->plies - FAR; plies--) {
        const NetSums *known = &trail->after[plies];
        const bool captured = plies < p->plies && p->ply[plies].captured;
        if (captured && plies < p->plies - 1) break; /* a square may have changed hands twice */
        if (known->key != key_after(p, plies)) continue;
        if (known == now) return now;
        memcpy(now->sum, known->sum, sizeof now->sum);
        follow(n, p, plies, now);
        now->key = p->board.key;
        return now;
    }
    from_nothing(n, p, now);
    now->key = p->board.key;
    return now;
}

/* --- the layers -------------------------------------------------------------------------- */

static void put_sum(int16_t *in, const int32_t *sum) {
    for (int i = 0; i < NET_WIDTH; i++) in[i] = (int16_t)clamp(sum[i] >> SUM_SHIFT, 0, INPUT_MAX);
}

static void put_counts(int16_t *in, const Position *p, Color c) {
    for (int k = 0; k < COUNT_CLASSES; k++) in[k] = (int16_t)(COUNT_UNIT * eval_count(p, c, k));
}

static void fill(int16_t *in, const Position *p, const NetSums *sums, int score) {
    const Color us = position_to_move(p);
    put_sum(in, sums->sum[us]);
    put_sum(in + NET_WIDTH, sums->sum[other(us)]);
    put_counts(in + 2 * NET_WIDTH, p, us);
    put_counts(in + 2 * NET_WIDTH + COUNT_CLASSES, p, other(us));
    const int s = score * SCORE_UNIT / SCORE_SCALE;
    in[NET_INPUTS - 2] = (int16_t)clamp(s, -INPUT_MAX, INPUT_MAX);
    in[NET_INPUTS - 1] = (int16_t)clamp(s / 2, -STEEP_MAX, STEEP_MAX);
}

static int32_t dot(const int16_t *a, const int16_t *b) {
    int32_t sum = 0;
    for (int i = 0; i < NET_INPUTS; i++) sum += a[i] * b[i];
    return sum;
}

int network_correction(const Network *n, const Position *p, NetTrail *trail, int score) {
    NetSums fresh;
    const NetSums *sums = &fresh;
    if (trail)
        sums = network_follow(n, p, trail);
    else
        from_nothing(n, p, &fresh);
    int16_t in[NET_INPUTS];
    fill(in, p, sums, score);
    int64_t out = n->out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        const int h = (dot(in, n->hidden[j]) + n->hidden_bias[j]) >> HIDDEN_SHIFT;
        out += clamp(h, 0, HIDDEN_MAX) * n->out[j];
    }
    return (int)(out * SCORE_SCALE / (1 << OUT_SHIFT));
}
