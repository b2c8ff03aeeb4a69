/* fit.h - the fit: Adam on batches of positions, with weight decay and a cosine rate. */
#ifndef NETWORK_FIT_H
#define NETWORK_FIT_H

#include "../fitting/epochs.h"
#include "form.h"
#include "measure.h"
#include "pass.h"

static const float WEIGHT_DECAY = 2; /* of a code's own part, in rates a step */

/* The number of laws under the games' rule. */
static int laws_of_games(void) {
    return traits_laws(rules_traits((Rule)games.at[0].rule));
}

/* Parameters that lie side by side, and their weight decay. */
typedef struct {
    int from, to;
    float decay;
} Range;
enum { RANGES = 7 };

/* Fills in the parameters that are learned; returns the number of ranges. */
static int ranges_of(Range out[RANGES]) {
    const int line_rows = NET_STANDS * LINE_CLASSES * NET_LINE_WIDTH;
    const int recent_rows = NET_RECENT_STONES * LINE_CLASSES * NET_RECENT_WIDTH;
    int n = 0;
    if (!options.keeps_squares) {
        out[n++] = (Range){0, OF_CODES, WEIGHT_DECAY};
        out[n++] = (Range){OF_CODES, BEFORE_LAYERS, 0};
    }
    out[n++] = (Range){BEFORE_LAYERS, BEFORE_RECENT, 0};
    if (options.recent) {
        out[n++] = (Range){BEFORE_RECENT, BEFORE_RECENT_ROWS, 0};
        out[n++] = (Range){BEFORE_RECENT_ROWS, BEFORE_RECENT_ROWS + laws * recent_rows,
                           options.recent_decay};
    }
    if (options.lines && !options.keeps_squares) {
        out[n++] = (Range){BEFORE_LINES, BEFORE_ROWS, 0};
        out[n++] = (Range){BEFORE_ROWS, BEFORE_ROWS + laws * line_rows, options.line_decay};
    }
    return n;
}

static void add_gradients(const Range *of) {
    float *at[SHARDS];
    for (int i = 0; i < SHARDS; i++) at[i] = (float *)&gradients[i] + of->from;
    add_shards(at, of->to - of->from);
}

static void step_range(const Range *of, float rate, float by) {
    float *w = (float *)&net, *g = (float *)&gradients[0];
    const float decay = rate * of->decay;
    for (int i = of->from; i < of->to; i++)
        w[i] = bounded(w[i] - adam_move(&moments[i], &g[i], by) - decay * w[i], WEIGHT_MAX);
}

static void step(int number, float rate) {
    Range range[RANGES];
    const int ranges = ranges_of(range);
    const float by = adam_rate(number, rate);
    for (int i = 0; i < ranges; i++) add_gradients(&range[i]);
    if (!options.keeps_squares) gradient_of_shapes();
    if (options.lines) gradient_of_lines();
    if (options.recent) gradient_of_recent();
    for (int i = 0; i < ranges; i++) step_range(&range[i], rate, by);
    fill_whole();
}

static double loss_of(float logit, float label) {
    return log1p(exp(-fabs(logit))) + (logit > 0 ? logit : 0) - label * logit;
}

typedef enum { TABLES_ALONE, WITHOUT_RECENT, WHOLE_NETWORK } LossOf;

/* The mean loss of the positions of games, or of nodes of searches; 0: there are none. */
static double mean_loss(const Samples *of, LossOf what, bool nodes) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (games.at[of->at[i].game].is_node != nodes) continue;
        count++;
        static Sample s;
        static Pass pass;
        load(&of->at[i], &s);
        pass.logit = s.score;
        for (int k = 0; what == WITHOUT_RECENT && k < NET_RECENT_STONES; k++)
            s.recent[k].absent = true;
        if (what != TABLES_ALONE) forward(&s, &pass);
        sum += loss_of(pass.logit, s.label);
    }
    return count ? sum / (double)count : 0;
}

/* A part of a batch, and the sum of its losses. */
typedef struct {
    const Place *at;
    Net *gradient;
    double loss;
} Shard;

/* In one position of 32 both last stones are missing, in another one the mover's. So the network
 * learns positions that were set up, too. */
static void hide_recent(const Place *place, Sample *s) {
    const u32 draw = (place->game * 2654435761u + place->ply * 40503u) * 2246822519u >> 27;
    if (draw < 2) s->recent[1].absent = true;
    if (draw == 0) s->recent[0].absent = true;
}

static void *learn(void *shard) {
    static _Thread_local Sample s;
    static _Thread_local Pass pass;
    Shard *of = shard;
    gradient = of->gradient;
    of->loss = 0;
    for (int i = 0; i < BATCH / SHARDS; i++) {
        load(&of->at[i], &s);
        hide_recent(&of->at[i], &s);
        forward(&s, &pass);
        of->loss += loss_of(pass.logit, s.label);
        backward(&s, &pass, (chance(pass.logit) - s.label) / BATCH);
    }
    return NULL;
}

/* Returns the sum of the losses. */
static double learn_batch(const Place *at) {
    Shard shard[SHARDS];
    double sum = 0;
    for (int i = 0; i < SHARDS; i++)
        shard[i] = (Shard){at + i * (BATCH / SHARDS), &gradients[i], 0};
    run_shards(command.threads, learn, shard, sizeof *shard);
    for (int i = 0; i < SHARDS; i++) sum += shard[i].loss;
    return sum;
}

static double learn_step(const void *learned, u64 batch, int number, float rate) {
    const Samples *from = learned;
    const double loss = learn_batch(&from->at[batch * BATCH]);
    step(number, rate);
    return loss;
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

/* New rows start at random by shapes, so that they can differ. Their squares' weights start at 0.
 */
static void start_recent(void) {
    const float most_row = 0.03f, most_weight = 0.1f;
    float *lines = net.recent_hidden[NET_RECENT_STONES * NET_RECENT_SUMS];
    if (start.has_recent) return;
    fill_random(net.recent_shape[BLACK][0][0], sizeof net.recent_shape / sizeof(float) / LAWS,
                most_row);
    memcpy(net.recent_shape[WHITE], net.recent_shape[BLACK], sizeof net.recent_shape / LAWS);
    fill_random(lines, NET_RECENT_WIDTH * NET_HIDDEN, most_weight);
}

/* Ends the line of an epoch. */
static void print_nodes(const Samples *validation) {
    const double loss = mean_loss(validation, WHOLE_NETWORK, true);
    if (loss > 0) printf(", nodes of searches %.4f", loss);
    printf("\n");
}

/* An epoch that ended before the interruption is only shuffled. The last of them also prints its
 * figures again, because the fit may have been stopped before it printed them. */
static void fit_epoch(Samples *learned, const Samples *validation, int epoch) {
    const size_t batches = learned->count / BATCH;
    shuffle(learned->at, learned->count, sizeof *learned->at);
    if (is_epoch_over(batches, epoch)) return;
    const double speed = run_epoch(learned, batches, epoch, learn_step) * BATCH;
    printf("  epoch %d: loss %.4f, validation %.4f", epoch,
           progress.loss / (double)(batches * BATCH), mean_loss(validation, WHOLE_NETWORK, false));
    print_nodes(validation);
    if (command.yardstick) print_yardstick();
    if (speed > 0) printf("    %.0f positions/s\n", speed);
    fflush(stdout);
}

static bool has_nodes(const Samples *of) {
    for (size_t i = 0; i < of->count; i++)
        if (games.at[of->at[i].game].is_node) return true;
    return false;
}

/* Nodes of searches are better for the side to move than positions of games, because the last move
 * was poor. A search would add this to every score. So the output's bias is set by the games alone:
 * their mean win rate becomes the mean of their labels. Returns the change. */
static float set_bias_by_games(const Samples *validation) {
    enum { STEPS = 20 };
    static Sample s;
    static Pass pass;
    float *logit = grown(NULL, (validation->count + 1) * sizeof *logit), by = 0;
    double labels = 0;
    size_t count = 0;
    for (size_t i = 0; i < validation->count; i++) {
        if (games.at[validation->at[i].game].is_node) continue;
        load(&validation->at[i], &s);
        forward(&s, &pass);
        logit[count++] = pass.logit;
        labels += s.label;
    }
    for (int i = 0; i < STEPS; i++) {
        double rate = 0, slope = 1e-9;
        for (size_t k = 0; k < count; k++) {
            const double v = chance(logit[k] + by);
            rate += v;
            slope += v * (1 - v);
        }
        by += bounded((float)((labels - rate) / slope), 1);
    }
    free(logit);
    net.out_bias += by;
    return by;
}

/* New rows start at random by shapes. From zeroes the loss falls half as much (decision 0151). */
static void start_lines(void) {
    const float most = 0.1f;
    if (start.has_lines) return;
    fill_random(net.line_shape[BLACK][0], sizeof net.line_shape / sizeof(float) / LAWS, most);
    memcpy(net.line_shape[WHITE], net.line_shape[BLACK], sizeof net.line_shape / LAWS);
}

/* What the fit has to know about lines under the rule. */
static void know_lines(Rule rule) {
    const ShapeTable *shapes = shape_table(rule);
    line_shapes(shapes, &shapes_of_line);
    line_classes_within(shapes->reach, seen_line);
}

static inline void fit(Samples *learned, const Samples *validation) {
    laws = laws_of_games();
    if (options.lines || options.recent) know_lines((Rule)games.at[0].rule);
    if (options.lines) start_lines();
    if (options.recent) start_recent();
    forget_unseen();
    fill_whole();
    printf(PROGRAM ": %zu positions, %zu for validation, loss %.4f without it\n", learned->count,
           validation->count, mean_loss(validation, TABLES_ALONE, false));
    checksum.start = checksum_of_start();
    if (resume(learned->count / BATCH)) fill_whole();
    fflush(stdout);
    for (int epoch = 1; epoch <= command.epochs; epoch++) fit_epoch(learned, validation, epoch);
    if (has_nodes(learned) || has_nodes(validation)) {
        printf("  bias of the games: %+.4f", (double)set_bias_by_games(validation));
        printf(", validation %.4f", mean_loss(validation, WHOLE_NETWORK, false));
        print_nodes(validation);
        if (command.yardstick) print_yardstick();
    }
    if (options.recent)
        printf("  without the last stones: validation %.4f\n",
               mean_loss(validation, WITHOUT_RECENT, false));
}

#endif
