/* backward.h - the gradient of every number of the network, from that of the outputs.
 */
#ifndef TRAINER_BACKWARD_H
#define TRAINER_BACKWARD_H

#include "forward.h"

/* Gradients of the sums and of the numbers around the squares; places beyond the board stay 0. */
typedef struct {
    Lanes sum[ROW_PARTS], sum_around[NEAR_PARTS];
    Near around[GRID];
    int size;
} Gradients;

/* Adds to the gradient of a layer; computes that of its inputs. */
static ALWAYS_INLINE void back_layer(const float *weight, float *gradient, const float *in,
                                     int inputs, const float *by_out, int outputs, float *by_in) {
    for (int i = 0; i < inputs; i++) {
        Lanes sum = lanes_of(0);
        for (int j = 0; j < outputs; j += LANES) {
            const Lanes by = *lanes_in(by_out + j);
            *lanes_at(gradient + i * outputs + j) += lanes_of(in[i]) * by;
            sum += *lanes_in(weight + i * outputs + j) * by;
        }
        by_in[i] = lanes_sum(sum);
    }
}

static ALWAYS_INLINE void back_out(const float *whole, const Pass *pass, const float *by_out,
                                   float *gradient, float by_top[TOP]) {
    const float *weight = part_in(whole, OUT_WEIGHTS);
    for (int j = 0; j < OUTPUTS; j++) part_of(gradient, OUT_BIAS)[j] += by_out[j];
    for (int i = 0; i < TOP; i++) {
        by_top[i] = 0;
        for (int j = 0; j < OUTPUTS; j++) {
            part_of(gradient, OUT_WEIGHTS)[i * OUTPUTS + j] += pass->top[i] * by_out[j];
            by_top[i] += weight[i * OUTPUTS + j] * by_out[j];
        }
    }
}

/* The bounded relu passes a gradient between its bounds. */
static inline void back_cut(const float *value, float *by, int count) {
    for (int i = 0; i < count; i++)
        if (value[i] <= 0 || value[i] >= INPUT_BOUND) by[i] = 0;
}

static inline void back_layers(const float *whole, const Pass *pass, const float *by_out,
                               float *gradient, float by_in[INPUTS]) {
    float by_top[TOP], by_hidden[HIDDEN];
    back_out(whole, pass, by_out, gradient, by_top);
    back_cut(pass->top, by_top, TOP);
    if (SECOND) {
        add_numbers(part_of(gradient, SECOND_BIAS), by_top, TOP);
        back_layer(part_in(whole, SECOND_WEIGHTS), part_of(gradient, SECOND_WEIGHTS), pass->hidden,
                   HIDDEN, by_top, TOP, by_hidden);
        back_cut(pass->hidden, by_hidden, HIDDEN);
    } else
        memcpy(by_hidden, by_top, sizeof by_hidden);
    add_numbers(part_of(gradient, HIDDEN_BIAS), by_hidden, HIDDEN);
    back_layer(part_in(whole, HIDDEN_WEIGHTS), part_of(gradient, HIDDEN_WEIGHTS), pass->in, INPUTS,
               by_hidden, HIDDEN, by_in);
    back_cut(pass->in, by_in, SUMS);
}

static ALWAYS_INLINE void take_sums(const float *by_in, Lanes *sum, int parts, int first) {
    for (int view = 0; view < 2; view++)
        for (int i = 0; i < parts; i++)
            sum[view * parts + i] =
                lanes_in(by_in + view * VIEW + first)[i] / lanes_of(1 << NET_SUM_SHIFT);
}

static inline void back_around(const Pass *pass, Gradients *by, float *gradient) {
    Lanes factor[NET_RINGS][AROUND_PARTS] = {{{0}}}, bias[AROUND_PARTS] = {{0}}, ring[NET_RINGS];
    for (int y = 0; y < pass->size; y++)
        for (int x = 0; x < pass->size; x++) {
            const int p = place(x, y);
            for (int i = 0; i < NEAR_PARTS; i++) {
                const LaneMask on = lanes_in(pass->around[p])[i] > lanes_of(0);
                const Lanes v = lanes_where(on, by->sum_around[i]);
                add_rings((const Near *)pass->near + p, i, ring);
                lanes_at(by->around[p])[i] = v;
                bias[i % AROUND_PARTS] += v;
                for (int r = 0; r < NET_RINGS; r++) factor[r][i % AROUND_PARTS] += v * ring[r];
            }
        }
    for (int i = 0; i < AROUND_PARTS; i++) {
        lanes_at(part_of(gradient, BIAS))[i] += bias[i];
        for (int r = 0; r < NET_RINGS; r++)
            lanes_at(part_of(gradient, FACTORS) + r * AROUND)[i] += factor[r][i];
    }
}

/* The gradient of a square's numbers: through its own sums, and through itself and its neighbours.
 */
static ALWAYS_INLINE void by_square(const float *whole, const Pass *pass, const Gradients *by,
                                    int p, Lanes v[ROW_PARTS]) {
    const Lanes *at = lanes_in(pass->at[p]), most = lanes_of(SQUARE_BOUND);
    Lanes ring[NET_RINGS];
    for (int i = 0; i < ROW_PARTS; i++)
        v[i] = lanes_where((at[i] > lanes_of(0)) & (at[i] < most), by->sum[i]);
    for (int view = 0; view < 2; view++)
        for (int i = 0; i < AROUND_PARTS; i++) {
            const int n = row_part(view, i), near = view * AROUND_PARTS + i;
            add_rings((const Near *)by->around + p, near, ring);
            v[n] += lanes_where((at[n] > -most) & (at[n] < most), weigh_rings(whole, near, ring));
        }
}

static ALWAYS_INLINE void back_square(const Square *q, const Lanes v[ROW_PARTS], float *gradient) {
    float *row = part_of(gradient, LINE_ROWS);
    float *own = part_of(gradient, OWN), *other_side = part_of(gradient, OTHER);
    const u16 code[2] = {q->code_us, q->code_them};
    for (int d = 0; HAS_LINES && d < DIRECTIONS; d++)
        for (int i = 0; i < VIEW_PARTS; i++) {
            lanes_at(row + (size_t)q->us[d] * WIDTH)[i] += v[i];
            lanes_at(row + (size_t)q->them[d] * WIDTH)[i] += v[VIEW_PARTS + i];
        }
    for (int view = 0; view < 2; view++)
        for (int i = 0; i < CODE_WIDTH / LANES; i++) {
            lanes_at(own + code[view] * CODE_WIDTH)[i] += v[row_part(view, i)];
            lanes_at(other_side + code[!view] * CODE_WIDTH)[i] += v[row_part(view, i)];
        }
}

/* Adds to the gradient of the network's numbers; that of shapes follows from it (step.h). */
static inline void backward(const float *whole, const Sample *s, const Pass *pass,
                            const float by_out[OUTPUTS], Gradients *by, float *gradient) {
    float by_in[INPUTS];
    const Square *q = s->square;
    Lanes v[ROW_PARTS];
    if (by->size != s->size) memset(by, 0, sizeof *by);
    by->size = s->size;
    back_layers(whole, pass, by_out, gradient, by_in);
    take_sums(by_in, by->sum, VIEW_PARTS, 0);
    take_sums(by_in, by->sum_around, AROUND_PARTS, WIDTH);
    back_around(pass, by, gradient);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++, q++) {
            by_square(whole, pass, by, place(x, y), v);
            back_square(q, v, gradient);
        }
}

#endif
