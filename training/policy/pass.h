/* pass.h - the scores of a position's moves (forward) and the gradients (backward). */
#ifndef POLICY_PASS_H
#define POLICY_PASS_H

#include "net.h"

static const float NO_MATTER = 1e-5f; /* a gradient too small for the backward pass */

/* The values of one position that the backward pass needs. */
typedef struct {
    float in[NET_INPUTS], bias[HIDDEN];
    float hidden[MAX_SQUARES][HIDDEN], score[MAX_SQUARES], chance[MAX_SQUARES];
} Pass;

static float input_of(const Candidate *c, int i) {
    return (float)c->in[i] / POLICY_ONE;
}

static void score_candidate(const Sample *s, const Candidate *c, const float *bias, float *hidden,
                            float *score) {
    memcpy(hidden, bias, HIDDEN * sizeof *hidden);
    add_row(hidden, net.near[c->near]);
    for (int d = 0; d < DIRECTIONS; d++) {
        add_row(hidden, net.made[s->made][members_of(c->made)[d]]);
        add_row(hidden, net.denied[s->denied][members_of(c->denied)[d]]);
    }
    for (int i = 0; i < NET_LANES; i++) {
        const float v = input_of(c, i);
        for (int j = 0; j < HIDDEN; j++) hidden[j] += v * net.around[i][j];
    }
    *score = net.scale * (float)c->score / MOVE_SCALE;
    for (int j = 0; j < HIDDEN; j++) {
        hidden[j] = fminf(fmaxf(hidden[j], 0), HIDDEN_MOST);
        *score += hidden[j] * net.out[j];
    }
}

/* Returns the loss; *first: no other candidate has a better score than the chosen one. */
static double loss_of(const Sample *s, Pass *pass, bool *first) {
    float most = pass->score[0];
    double sum = 0;
    for (int i = 1; i < s->count; i++)
        if (pass->score[i] > most) most = pass->score[i];
    for (int i = 0; i < s->count; i++) sum += exp(pass->score[i] - most);
    for (int i = 0; i < s->count; i++) pass->chance[i] = (float)(exp(pass->score[i] - most) / sum);
    *first = pass->score[s->chosen] >= most;
    return log(sum) + most - pass->score[s->chosen];
}

static double forward(const Sample *s, Pass *pass, bool *first) {
    memcpy(pass->bias, net.bias, sizeof pass->bias);
    for (int i = 0; i < NET_INPUTS; i++) {
        pass->in[i] = (float)s->in[i] / NET_ONE;
        for (int j = 0; j < HIDDEN; j++) pass->bias[j] += pass->in[i] * net.position[i][j];
    }
    for (int i = 0; i < s->count; i++)
        score_candidate(s, &candidates.at[s->first + (size_t)i], pass->bias, pass->hidden[i],
                        &pass->score[i]);
    return loss_of(s, pass, first);
}

/* Adds the gradient of every parameter, from the gradient of one candidate's score. */
static void backward_candidate(const Sample *s, const Candidate *c, const float *hidden,
                               float score_gradient, float *by) {
    gradient->scale += score_gradient * (float)c->score / MOVE_SCALE;
    for (int j = 0; j < HIDDEN; j++) {
        gradient->out[j] += score_gradient * hidden[j];
        by[j] = hidden[j] > 0 && hidden[j] < HIDDEN_MOST ? score_gradient * net.out[j] : 0;
    }
    add_row(gradient->near[c->near], by);
    for (int d = 0; d < DIRECTIONS; d++) {
        add_row(gradient->made[s->made][members_of(c->made)[d]], by);
        add_row(gradient->denied[s->denied][members_of(c->denied)[d]], by);
    }
    for (int i = 0; i < NET_LANES; i++) {
        const float v = input_of(c, i);
        for (int j = 0; j < HIDDEN; j++) gradient->around[i][j] += v * by[j];
    }
}

static void backward(const Sample *s, const Pass *pass) {
    float by_bias[HIDDEN] = {0}, by[HIDDEN];
    for (int i = 0; i < s->count; i++) {
        const float score_gradient = (pass->chance[i] - (i == s->chosen ? 1 : 0)) / BATCH;
        if (fabsf(score_gradient) < NO_MATTER / BATCH) continue;
        backward_candidate(s, &candidates.at[s->first + (size_t)i], pass->hidden[i], score_gradient,
                           by);
        for (int j = 0; j < HIDDEN; j++) by_bias[j] += by[j];
    }
    for (int j = 0; j < HIDDEN; j++) gradient->bias[j] += by_bias[j];
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < HIDDEN; j++) gradient->position[i][j] += pass->in[i] * by_bias[j];
}

#endif
