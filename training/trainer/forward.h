/* forward.h - the output of the network for a position.
 */
#ifndef TRAINER_FORWARD_H
#define TRAINER_FORWARD_H

#include "sample.h"

/* Squares lie in lines of LINE, so that each has eight neighbours. */
enum { LINE = MAX_SIZE + 2, GRID = LINE * LINE };

typedef float Row[ROW];
typedef float Near[NEAR];

/* The values of one position that the backward pass needs. Places beyond the board stay 0. */
typedef struct {
    Row at[GRID];
    Near near[GRID], around[GRID]; /* near: the first AROUND numbers, bounded */
    float in[INPUTS], hidden[HIDDEN], top[TOP], out[OUTPUTS];
    int size; /* of the last board */
} Pass;

enum {
    ROW_PARTS = ROW / LANES,
    VIEW_PARTS = WIDTH / LANES,
    NEAR_PARTS = NEAR / LANES,
    AROUND_PARTS = AROUND / LANES
};
_Static_assert(WIDTH % LANES == 0 && AROUND % LANES == 0 && CODE_WIDTH % LANES == 0, "whole lanes");
_Static_assert(CODE_WIDTH <= WIDTH && AROUND <= WIDTH, "the first numbers of a square");

static inline int place(int x, int y) {
    return (y + 1) * LINE + x + 1;
}

/* The index of a part in a row: its view and its number. */
static ALWAYS_INLINE int row_part(int view, int i) {
    return view * VIEW_PARTS + i;
}

static ALWAYS_INLINE void put_square(const float *whole, const Square *q, Lanes v[ROW_PARTS]) {
    const float *row = part_in(whole, LINE_ROWS);
    const float *own = part_in(whole, OWN), *other_side = part_in(whole, OTHER);
    const u16 code[2] = {q->code_us, q->code_them};
    for (int i = 0; i < ROW_PARTS; i++) v[i] = lanes_of(0);
    for (int d = 0; HAS_LINES && d < DIRECTIONS; d++)
        for (int i = 0; i < VIEW_PARTS; i++) {
            v[i] += lanes_in(row + (size_t)q->us[d] * WIDTH)[i];
            v[VIEW_PARTS + i] += lanes_in(row + (size_t)q->them[d] * WIDTH)[i];
        }
    for (int view = 0; view < 2; view++)
        for (int i = 0; i < CODE_WIDTH / LANES; i++)
            v[row_part(view, i)] += lanes_in(own + code[view] * CODE_WIDTH)[i] +
                                    lanes_in(other_side + code[!view] * CODE_WIDTH)[i];
}

/* Writes a view's sums to its inputs, from `first` on. */
static ALWAYS_INLINE void put_sums(Pass *pass, const Lanes *sum, int parts, int first) {
    for (int view = 0; view < 2; view++)
        for (int i = 0; i < parts; i++)
            *lanes_at(pass->in + view * VIEW + first + i * LANES) =
                lanes_min(sum[view * parts + i] / lanes_of(1 << NET_SUM_SHIFT), INPUT_BOUND);
}

static inline void put_squares(const float *whole, const Sample *s, Pass *pass) {
    const Square *q = s->square;
    Lanes sum[ROW_PARTS] = {{0}};
    if (pass->size != s->size) memset(pass, 0, sizeof *pass);
    pass->size = s->size;
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++, q++) {
            const int p = place(x, y);
            Lanes v[ROW_PARTS];
            put_square(whole, q, v);
            memcpy(pass->at[p], v, sizeof v);
            for (int i = 0; i < ROW_PARTS; i++) {
                v[i] = lanes_bounded(v[i], SQUARE_BOUND);
                sum[i] += lanes_relu(v[i]);
            }
            for (int view = 0; view < 2; view++)
                for (int i = 0; i < AROUND_PARTS; i++)
                    lanes_at(pass->near[p])[view * AROUND_PARTS + i] = v[row_part(view, i)];
        }
    put_sums(pass, sum, VIEW_PARTS, 0);
}

/* Part i of the sums over the rings around a place: itself, the four beside it, the four across its
 * corners. */
static ALWAYS_INLINE void add_rings(const Near *at, int i, Lanes ring[NET_RINGS]) {
#define NEAR_AT(by) lanes_in(at[by])[i]
    ring[0] = NEAR_AT(0);
    ring[1] = NEAR_AT(-1) + NEAR_AT(1) + NEAR_AT(-LINE) + NEAR_AT(LINE);
    ring[2] = NEAR_AT(-LINE - 1) + NEAR_AT(-LINE + 1) + NEAR_AT(LINE - 1) + NEAR_AT(LINE + 1);
#undef NEAR_AT
}

/* Part i of the rings by their factors, which are the same for both views. */
static ALWAYS_INLINE Lanes weigh_rings(const float *whole, int i, const Lanes ring[NET_RINGS]) {
    const float *factor = part_in(whole, FACTORS) + i % AROUND_PARTS * LANES;
    return *lanes_in(factor) * ring[0] + *lanes_in(factor + AROUND) * ring[1] +
           *lanes_in(factor + 2 * AROUND) * ring[2];
}

static inline void look_around(const float *whole, Pass *pass) {
    const Lanes *bias = lanes_in(part_in(whole, BIAS));
    Lanes sum[NEAR_PARTS] = {{0}}, ring[NET_RINGS];
    for (int y = 0; y < pass->size; y++)
        for (int x = 0; x < pass->size; x++) {
            const int p = place(x, y);
            for (int i = 0; i < NEAR_PARTS; i++) {
                add_rings((const Near *)pass->near + p, i, ring);
                const Lanes v = bias[i % AROUND_PARTS] + weigh_rings(whole, i, ring);
                lanes_at(pass->around[p])[i] = v;
                sum[i] += lanes_relu(v);
            }
        }
    put_sums(pass, sum, AROUND_PARTS, WIDTH);
}

/* A layer with its bounded relu. outputs: a multiple of LANES. */
static ALWAYS_INLINE void run_layer(const float *weight, const float *bias, const float *in,
                                    int inputs, float *out, int outputs) {
    memcpy(out, bias, (size_t)outputs * sizeof *out);
    for (int i = 0; i < inputs; i++)
        for (int j = 0; j < outputs; j += LANES)
            *lanes_at(out + j) += lanes_of(in[i]) * *lanes_in(weight + i * outputs + j);
    for (int j = 0; j < outputs; j += LANES)
        *lanes_at(out + j) = lanes_min(lanes_relu(*lanes_in(out + j)), INPUT_BOUND);
}

static inline void forward(const float *whole, const Sample *s, Pass *pass) {
    put_squares(whole, s, pass);
    look_around(whole, pass);
    memcpy(pass->in + SUMS, s->features, sizeof s->features);
    run_layer(part_in(whole, HIDDEN_WEIGHTS), part_in(whole, HIDDEN_BIAS), pass->in, INPUTS,
              pass->hidden, HIDDEN);
    if (SECOND)
        run_layer(part_in(whole, SECOND_WEIGHTS), part_in(whole, SECOND_BIAS), pass->hidden, HIDDEN,
                  pass->top, TOP);
    else
        memcpy(pass->top, pass->hidden, sizeof pass->top);
    memcpy(pass->out, part_in(whole, OUT_BIAS), sizeof pass->out);
    const float *weight = part_in(whole, OUT_WEIGHTS);
    for (int i = 0; i < TOP; i++)
        for (int j = 0; j < OUTPUTS; j++) pass->out[j] += pass->top[i] * weight[i * OUTPUTS + j];
}

/* --- loss -------------------------------------------------------------------------------- */

/* ln(exp(a) + exp(b)) */
static inline double log_sum(double a, double b) {
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

/* The outputs with the tables' score: logits of win, draw, loss. */
static inline void outcome_logits(const Pass *pass, float score, double z[3]) {
    z[0] = (double)pass->out[0] + score / 2;
    z[1] = (double)pass->out[OUTPUTS / 2];
    z[2] = (double)pass->out[OUTPUTS - 1] - score / 2;
}

/* The log-odds of a win; a draw counts half. */
static inline double value_logit(const Pass *pass, float score) {
    static const double HALF = -0.6931471805599453;
    double z[3];
    if (OUTPUTS == 1) return (double)pass->out[0] + score;
    outcome_logits(pass, score, z);
    return log_sum(z[0], z[1] + HALF) - log_sum(z[2], z[1] + HALF);
}

/* The cross entropy of a label and log-odds. */
static inline double logit_loss(double logit, double label) {
    return log1p(exp(-fabs(logit))) + fmax(logit, 0) - label * logit;
}

/* The loss of the fit, and its gradient by the outputs. */
static inline double loss_of(const Pass *pass, const Sample *s, float by_out[OUTPUTS]) {
    double z[3], loss = 0;
    if (OUTPUTS == 1) {
        const double logit = value_logit(pass, s->score);
        by_out[0] = (float)(1 / (1 + exp(-logit)) - s->label);
        return logit_loss(logit, s->label);
    }
    outcome_logits(pass, s->score, z);
    const double all = log_sum(log_sum(z[0], z[1]), z[2]);
    for (int i = 0; i < OUTPUTS; i++) {
        loss -= s->outcome[i] * (z[i] - all);
        by_out[i] = (float)(exp(z[i] - all) - s->outcome[i]);
    }
    return loss;
}

#endif
