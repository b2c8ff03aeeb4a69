/* step.h - one step of Adam, with weight decay on own parts. */
#ifndef TRAINER_STEP_H
#define TRAINER_STEP_H

#include "architecture.h"
#include "options.h"

/* The state of a fit. average: the exponential mean of v, which is the resulting network. */
typedef struct {
    float *v, *mean, *spread, *average;
    u64 steps;   /* steps done */
    double loss; /* summed over the steps of the epoch */
} Fit;

static inline void fit_init(Fit *f) {
    *f = (Fit){new_vector(), new_vector(), new_vector(), new_vector(), 0, 0};
    random_state = 88172645463325252u ^ (u64)options.fit.seed << 20;
    fill_random(part_of(f->v, LINE_SHAPES), part[LINE_SHAPES].count, 0.1f);
    fill_random(part_of(f->v, OWN_SHAPES), part[OWN_SHAPES].count, 0.1f);
    fill_random(part_of(f->v, OTHER_SHAPES), part[OTHER_SHAPES].count, 0.1f);
    fill_random(part_of(f->v, FACTORS), part[FACTORS].count, 0.3f);
    for (int i = 0; i < AROUND; i++) part_of(f->v, FACTORS)[i] = 1;
    fill_random(part_of(f->v, HIDDEN_WEIGHTS), part[HIDDEN_WEIGHTS].count, 1 / sqrtf(INPUTS));
    fill_random(part_of(f->v, SECOND_WEIGHTS), part[SECOND_WEIGHTS].count, 1 / sqrtf(HIDDEN));
    if (SECOND) fill_random(part_of(f->v, OUT_WEIGHTS), part[OUT_WEIGHTS].count, 0.05f);
    if (OUTPUTS == 3) part_of(f->v, OUT_BIAS)[1] = -3; /* few draws */
    memcpy(f->average, f->v, parameters * sizeof *f->v);
}

static inline void fit_free(Fit *f) {
    free(f->v);
    free(f->mean);
    free(f->spread);
    free(f->average);
}

/* A number at its bound only moves back. sums: neither bounded nor rounded. */
static inline void stop_at_bounds(const float *sums, float *gradient, Part p) {
    const float *at = part_in(sums, p);
    float *g = part_of(gradient, p);
    for (size_t i = 0; i < part[p].count; i++)
        if ((at[i] >= part[p].bound && g[i] < 0) || (at[i] <= -part[p].bound && g[i] > 0)) g[i] = 0;
}

static inline void gradient_of_codes(float *gradient, Part codes, Part shapes) {
    for (int code = 0; code < CODES; code++) {
        const u8 *members = members_of(code);
        const float *from = part_of(gradient, codes) + code * CODE_WIDTH;
        for (int d = 0; members && d < DIRECTIONS; d++) {
            const int shape = code / NET_CODES * SHAPES + members[d];
            add_numbers(part_of(gradient, shapes) + shape * CODE_WIDTH, from, CODE_WIDTH);
        }
    }
}

/* The gradient of the shapes, from that of rows and codes. */
static inline void gradient_of_shapes(float *gradient) {
    for (int row = 0; HAS_LINES && row < line_rows(); row++)
        add_numbers(part_of(gradient, LINE_SHAPES) + shapes_of_row(row),
                    part_of(gradient, LINE_ROWS) + (size_t)row * WIDTH, WIDTH);
    gradient_of_codes(gradient, OWN, OWN_SHAPES);
    gradient_of_codes(gradient, OTHER, OTHER_SHAPES);
}

static inline void adam(Fit *f, const float *gradient, Part p, float rate, float by) {
    const bool own = p == LINE_ROWS || p == OWN || p == OTHER;
    const float kept = own ? 1 - rate * options.fit.decay : 1;
    for (size_t i = part[p].at; i < part[p].at + part[p].count; i++) {
        const float g = gradient[i];
        f->mean[i] = 0.9f * f->mean[i] + 0.1f * g;
        f->spread[i] = 0.999f * f->spread[i] + 0.001f * g * g;
        f->v[i] = f->v[i] * kept - by * f->mean[i] / (sqrtf(f->spread[i]) + 1e-8f);
    }
    /* own parts are bounded together with their shapes */
    for (size_t i = 0; !own && part[p].bound > 0 && i < part[p].count; i++)
        part_of(f->v, p)[i] = bounded(part_of(f->v, p)[i], bound_of(p, i));
}

/* The mean is over a thousand steps, or over a twentieth of a short fit. */
static inline void add_to_average(Fit *f, u64 steps) {
    const u64 most = steps / 20 < 1000 ? steps / 20 + 1 : 1000;
    const float share = 1 / (float)(f->steps < most ? f->steps : most);
    for (size_t i = 0; i < parameters; i++) f->average[i] += share * (f->v[i] - f->average[i]);
}

/* sums: memory for a vector. steps: of the whole fit. */
static inline void fit_step(Fit *f, float *gradient, float *sums, u64 steps) {
    f->steps++;
    const float rate = rate_of((int)f->steps, (int)steps, options.fit.rate);
    const float by = adam_rate((int)f->steps, rate);
    fill_sums(sums, f->v);
    stop_at_bounds(sums, gradient, LINE_ROWS);
    stop_at_bounds(sums, gradient, OWN);
    stop_at_bounds(sums, gradient, OTHER);
    gradient_of_shapes(gradient);
    for (int p = 0; p < PARTS; p++) adam(f, gradient, (Part)p, rate, by);
    add_to_average(f, steps);
}

#endif
