/* fit.h - the fit: Adam on batches of positions, with weight decay and a cosine rate. */
#ifndef NETWORK_FIT_H
#define NETWORK_FIT_H

#include "pass.h"

static const float RATE = 2e-3f;
static const float WEIGHT_DECAY = 2; /* of a code's own part, in rates a step */

/* The number of laws under the games' rule. */
static int laws_of_games(void) {
    return traits_laws(rules_traits((Rule)games.at[0].rule));
}

static int parameters(void) {
    const int rows = NET_STANDS * LINE_CLASSES * NET_LINE_WIDTH;
    return options.lines ? BEFORE_ROWS + laws * rows : BEFORE_LINES;
}

static float decay_of(int i) {
    return i < OF_CODES ? WEIGHT_DECAY : i >= BEFORE_ROWS ? options.line_decay : 0;
}

static void add_shards(void) {
    float *sum = (float *)&gradients[0];
    for (int shard = 1; shard < SHARDS; shard++) {
        float *g = (float *)&gradients[shard];
        for (int i = 0; i < parameters(); i++) {
            sum[i] += g[i];
            g[i] = 0;
        }
    }
}

static void step(int number, float rate) {
    float *w = (float *)&net, *g = (float *)&gradients[0];
    const float by = adam_rate(number, rate);
    add_shards();
    gradient_of_shapes();
    if (options.lines) gradient_of_lines();
    for (int i = 0; i < parameters(); i++) {
        const float decay = rate * decay_of(i) * w[i];
        w[i] = bounded(w[i] - adam_move(&moments[i], &g[i], by) - decay, WEIGHT_MAX);
    }
    fill_whole();
}

static double loss_of(float logit, float label) {
    return log1p(exp(-fabs(logit))) + (logit > 0 ? logit : 0) - label * logit;
}

static double mean_loss(const Samples *of, bool with_network) {
    double sum = 0;
    for (size_t i = 0; i < of->count; i++) {
        static Sample s;
        static Pass pass;
        load(&of->at[i], &s);
        pass.logit = s.score;
        if (with_network) forward(&s, &pass);
        sum += loss_of(pass.logit, s.label);
    }
    return of->count ? sum / (double)of->count : 0;
}

static void shuffle(Place *places, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t j = random_below(i);
        const Place other = places[i - 1];
        places[i - 1] = places[j];
        places[j] = other;
    }
}

/* A part of a batch, and the sum of its losses. */
typedef struct {
    const Place *at;
    Net *gradient;
    double loss;
} Shard;

static void *learn(void *shard) {
    static _Thread_local Sample s;
    static _Thread_local Pass pass;
    Shard *of = shard;
    gradient = of->gradient;
    of->loss = 0;
    for (int i = 0; i < BATCH / SHARDS; i++) {
        load(&of->at[i], &s);
        forward(&s, &pass);
        of->loss += loss_of(pass.logit, s.label);
        backward(&s, &pass, (chance(pass.logit) - s.label) / BATCH);
    }
    return NULL;
}

/* Returns the sum of the losses. */
static double learn_batch(const Place *at) {
    enum { STACK = 1 << 20 };
    Shard shard[SHARDS];
    Thread thread[SHARDS];
    bool is_apart[SHARDS];
    double sum = 0;
    for (int i = 0; i < SHARDS; i++) {
        shard[i] = (Shard){at + i * (BATCH / SHARDS), &gradients[i], 0};
        is_apart[i] = i + 1 < SHARDS && i + 1 < options.threads &&
                      platform_thread_start(&thread[i], STACK, learn, &shard[i]);
    }
    for (int i = 0; i < SHARDS; i++)
        if (!is_apart[i]) learn(&shard[i]);
    for (int i = 0; i < SHARDS; i++) {
        if (is_apart[i]) platform_thread_join(thread[i]);
        sum += shard[i].loss;
    }
    return sum;
}

/* Returns the sum of the losses, each before its step. */
static double run_epoch(const Samples *learned, int *number, int steps) {
    double sum = 0;
    for (size_t from = 0; from + BATCH <= learned->count; from += BATCH) {
        sum += learn_batch(&learned->at[from]);
        ++*number;
        step(*number, rate_of(*number, steps, RATE));
    }
    return sum;
}

/* A feature that no position has is cleared, also its start value. */
static void forget_unseen(void) {
    for (int f = 0; f < NET_FEATURES; f++)
        if (!games.seen[f]) memset(net.hidden[SUMS + f], 0, sizeof net.hidden[SUMS + f]);
}

static void start_by_chance(void) {
    fill_random(&net.own_shape[0][0][0], 2 * LAWS * SHAPES * WIDTH, 0.1f);
    fill_random(&net.factor[0][0], NET_RINGS * WIDTH, 0.3f);
    for (int i = 0; i < WIDTH; i++) net.factor[0][i] = 1;
    fill_random(&net.hidden[0][0], NET_INPUTS * NET_HIDDEN, 1 / sqrtf(NET_INPUTS));
}

/* New lines start at 0. Their further numbers start at random by shapes, so that they can differ.
 */
static void start_lines(void) {
    const float most = 0.1f;
    if (start.has_lines) return;
    for (int law = 0; law < LAWS; law++)
        for (int i = 0; i < SHAPE_PAIRS; i++) {
            float *row = net.line_shape[law][i];
            fill_random(options.start ? row + WIDTH : row,
                        (size_t)(options.start ? WIDTH : NET_LINE_WIDTH), most);
        }
    memcpy(net.line_shape[WHITE], net.line_shape[BLACK], sizeof net.line_shape[BLACK]);
    fill_random(&net.line_hidden[0][0], NET_MORE_INPUTS * NET_HIDDEN, most);
}

static void fit(Samples *learned, const Samples *validation, int epochs) {
    laws = laws_of_games();
    if (options.lines) {
        fill_line_shapes(shape_table((Rule)games.at[0].rule), shapes_of_line);
        start_lines();
    }
    forget_unseen();
    fill_whole();
    const size_t batches = learned->count / BATCH;
    printf("network: %zu positions, %zu for validation, loss %.4f without it\n", learned->count,
           validation->count, mean_loss(validation, false));
    int number = 0;
    for (int epoch = 1; epoch <= epochs; epoch++) {
        shuffle(learned->at, learned->count);
        const double sum = run_epoch(learned, &number, (int)batches * epochs);
        printf("  epoch %d: loss %.4f, validation %.4f\n", epoch, sum / (double)(batches * BATCH),
               mean_loss(validation, true));
        fflush(stdout);
    }
}

#endif
