/* network.c - fits the network of one rule (csrc/eval/nn/value_net.h) to games (selfplay.c).
 *
 *   network EPOCHS OUT.json WEIGHTS.tgw [START.json] [OPTION...] < games.txt
 *   network EPOCHS OUT.json WEIGHTS.tgw [START.json] --games LIST [OPTION...]
 *
 *   --games LIST      files of games (games.h), a path each line; all have to be of one rule, and a
 *                     damaged one ends the program before it has learned anything
 *   --positions N     take no further game after so many positions
 *   --lines DECAY     learn lines, too (accumulator.h): their own numbers are pulled to those of
 *                     their shapes by so many rates a step (try 2). START with lines: always, by 1
 *   --threads N       1 or 2 (2); the result is the same
 *   --result-share S  how much of a label is the result of the game, 0 to 1 (0.7); the rest is the
 *                     search's score
 *
 * It corrects the score of the tables of a weights file, of the games' rule. What is to be foretold
 * is a mixture of the game's result and the score of the search; positions in which the mover can
 * make a five or, but under ninuki, an open four, or the other side a five, are left to the search.
 * START.json: another rule's network, to begin with in place of chance. Adam on
 * batches of positions in random order, the rate falling to nothing along a cosine. A code's
 * numbers are those of its four shapes and its own, the latter under weight decay: so codes
 * that hardly occur stay sensible, or as START has them. Each twentieth game serves for validation;
 * its loss is printed after every epoch, against that of the weights alone. OUT.json: the network
 * in whole numbers, as the library has it. The same games give the same network on the same
 * machine; sums of floats may differ elsewhere. Positions are not kept: each is made anew from its
 * game when its turn comes, so that 30 million of them take some 400 MB.
 */
#include <string.h>

#include "line_shapes.h"
#include "positions.h"

enum { BATCH = 1024, CODES = LAWS * NET_CODES, WIDTH = NET_WIDTH };
enum { SUMS = 2 * NET_SUMS };
static const float RATE = 2e-3f;
static const float WEIGHT_DECAY = 2; /* of a code's own part: so many rates a step */
static const char USAGE[] =
    "usage: network EPOCHS OUT.json WEIGHTS.tgw [START.json] [--result-share S]\n"
    "       [--lines DECAY] [--threads N] [--positions N] [--games LIST | < games.txt]\n";

/* --- the network in floats --------------------------------------------------------------- */

/* By what stands on a square: the shapes of a line for its viewer and for the other side. */
enum { SHAPE_PAIRS = NET_STANDS * 256 };

typedef struct {
    float own[CODES][WIDTH], other[CODES][WIDTH]; /* what a code has beside its shapes */
    float own_shape[LAWS][SHAPES][WIDTH], other_shape[LAWS][SHAPES][WIDTH];
    float factor[NET_RINGS][WIDTH], bias[WIDTH];
    float hidden[NET_INPUTS][NET_HIDDEN], hidden_bias[NET_HIDDEN];
    float out[NET_HIDDEN], out_bias;
    /* from here on with lines only; the first law's first */
    float line_hidden[NET_MORE_INPUTS][NET_HIDDEN];
    float line_shape[LAWS][SHAPE_PAIRS][NET_LINE_WIDTH]; /* what all lines of two shapes have */
    float line[LAWS][NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH]; /* and what each has beside it */
} Net;

enum {
    PARAMETERS = sizeof(Net) / sizeof(float),
    OF_CODES = 2 * CODES * WIDTH,
    BEFORE_LINES = offsetof(Net, line_hidden) / sizeof(float),
    BEFORE_ROWS = offsetof(Net, line) / sizeof(float)
};

/* Each batch is learned in SHARDS parts, whatever the number of threads: so the sums are the same.
 */
enum { SHARDS = 2 };
static Net net, gradients[SHARDS];
static _Thread_local Net *gradient;
static Moments moments[PARAMETERS];
static int laws = LAWS;

/* The numbers of codes and lines that the network began with. */
static struct {
    float own[CODES][WIDTH], other[CODES][WIDTH];
    float line[LAWS][NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH];
    bool has_lines;
} start;

/* A square's numbers: the mover's, then the other side's. */
enum { BOTH = 2 * WIDTH };
typedef float Row[BOTH];

/* What the library will have of the squares, in its whole numbers: the fit is of these. The same
 * for both views. */
static struct {
    float own[CODES][WIDTH], other[CODES][WIDTH];
    Row factor[NET_RINGS], bias;
    float line[LAWS][NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH];
} whole;

/* The shapes of each class of lines, the viewer's and the other side's << 4, under the rule. */
static u8 shapes_of_line[LAWS][LINE_CLASSES];

static const float WEIGHT_MAX = (float)NET_WEIGHT_MAX / NET_WEIGHT_ONE;

static void make_whole(float *at, size_t count, int one, int most) {
    for (size_t i = 0; i < count; i++)
        at[i] = bounded(rintf(at[i] * (float)one), (float)most) / (float)one;
}

static void add_row(float *to, const float *from) {
    for (int i = 0; i < WIDTH; i++) to[i] += from[i];
}

/* A code's members are the same under every rule; NULL for stones. */
static const u8 *members_of(int code) {
    code %= NET_CODES;
    return code < SQUARE_CODES ? shape_table(RULE_FREESTYLE)->members[code] : NULL;
}

static void add_shapes(int code) {
    const u8 *members = members_of(code);
    for (int d = 0; members && d < DIRECTIONS; d++) {
        const int law = code / NET_CODES, shape = members[d];
        add_row(whole.own[code], net.own_shape[law][shape]);
        add_row(whole.other[code], net.other_shape[law][shape]);
    }
}

/* law: the viewer's. */
static float *shape_row(Net *of, int law, int stands, int line) {
    return of->line_shape[law][stands << 8 | shapes_of_line[law][line]];
}

static void fill_lines(void) {
    for (int law = 0; law < laws; law++)
        for (int s = 0; s < NET_STANDS; s++)
            for (int i = 0; i < LINE_CLASSES; i++) {
                const float *shape = shape_row(&net, law, s, i), *own = net.line[law][s][i];
                const float *begun = start.line[law][s][i];
                float *to = whole.line[law][s][i];
                for (int k = 0; k < NET_LINE_WIDTH; k++) {
                    const float v = rintf((begun[k] + shape[k] + own[k]) * NET_SQUARE_ONE);
                    to[k] = bounded(v, NET_LINE_MAX) / NET_SQUARE_ONE;
                }
            }
}

static void gradient_of_lines(void) {
    for (int law = 0; law < laws; law++)
        for (int s = 0; s < NET_STANDS; s++)
            for (int i = 0; i < LINE_CLASSES; i++) {
                float *shape = shape_row(gradients, law, s, i);
                for (int k = 0; k < NET_LINE_WIDTH; k++)
                    shape[k] += gradients[0].line[law][s][i][k];
            }
}

static void fill_whole(void) {
    if (options.lines) fill_lines();
    memcpy(whole.own, start.own, sizeof start.own);
    memcpy(whole.other, start.other, sizeof start.other);
    for (int code = 0; code < CODES; code++) {
        add_shapes(code);
        add_row(whole.own[code], net.own[code]);
        add_row(whole.other[code], net.other[code]);
    }
    for (int code = 0; code < CODES; code++) {
        make_whole(whole.own[code], WIDTH, NET_SQUARE_ONE, NET_SQUARE_MAX);
        make_whole(whole.other[code], WIDTH, NET_SQUARE_ONE, NET_SQUARE_MAX);
    }
    for (int i = 0; i < BOTH; i++) {
        whole.bias[i] = net.bias[i % WIDTH];
        for (int r = 0; r < NET_RINGS; r++) whole.factor[r][i] = net.factor[r][i % WIDTH];
    }
    make_whole(whole.bias, BOTH, NET_AROUND_ONE, NET_BIAS_MAX);
    for (int r = 0; r < NET_RINGS; r++)
        make_whole(whole.factor[r], BOTH, NET_FACTOR_ONE, r ? NET_RING_MAX : NET_FACTOR_MAX);
}

/* The gradient by the shapes from that by the codes. */
static void gradient_of_shapes(void) {
    for (int code = 0; code < CODES; code++) {
        const u8 *members = members_of(code);
        for (int d = 0; members && d < DIRECTIONS; d++) {
            const int law = code / NET_CODES, shape = members[d];
            add_row(gradients[0].own_shape[law][shape], gradients[0].own[code]);
            add_row(gradients[0].other_shape[law][shape], gradients[0].other[code]);
        }
    }
}

/* --- there and back ---------------------------------------------------------------------- */

/* Squares lie in lines of LINE, so that each has eight neighbours. */
enum { LINE = MAX_SIZE + 2, GRID = LINE * LINE };

static int place(int x, int y) {
    return (y + 1) * LINE + x + 1;
}

/* What one position makes of it, for the way back. */
typedef struct {
    Row at[GRID], ring[GRID][NET_RINGS], around[GRID]; /* at: as it is passed on */
    Row more[GRID];
    bool free[GRID][BOTH]; /* within the bound */
    Row sum, sum_around, sum_more;
    float in[NET_INPUTS], more_in[NET_MORE_INPUTS], hidden[NET_HIDDEN], logit;
} Pass;

/* The row of a line for a viewer: the mover, or the other side, who sees the colours exchanged. */
static void line_of(const Square *q, int d, bool mover, int *stands, int *line) {
    *stands = mover || !q->stands ? q->stands : 3 - q->stands;
    *line = mover ? q->line[d] : line_table()->swapped[q->line[d]];
}

static int law_of(const Square *q, bool mover) {
    return (mover ? q->us : q->them) / NET_CODES;
}

static void put_lines(const Square *q, float *at, float *more) {
    for (int v = 0; v < 2; v++)
        for (int d = 0; d < DIRECTIONS; d++) {
            int stands, line;
            line_of(q, d, v == 0, &stands, &line);
            const float *row = whole.line[law_of(q, v == 0)][stands][line];
            add_row(at + v * WIDTH, row);
            add_row(more + v * WIDTH, row + WIDTH);
        }
}

static void put_bound(float *at, bool *is_free) {
    const float most = (float)NET_SQUARE_BOUND / NET_SQUARE_ONE;
    for (int i = 0; i < BOTH; i++) {
        is_free[i] = at[i] > -most && at[i] < most;
        at[i] = bounded(at[i], most);
    }
}

static void put_squares(const Sample *s, Pass *pass) {
    const Square *q = s->square;
    memset(pass->at, 0, sizeof pass->at);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++, q++) {
            float *at = pass->at[place(x, y)];
            for (int i = 0; i < WIDTH; i++) {
                at[i] = whole.own[q->us][i] + whole.other[q->them][i];
                at[WIDTH + i] = whole.own[q->them][i] + whole.other[q->us][i];
            }
            if (!options.lines) continue;
            float *more = pass->more[place(x, y)];
            memset(more, 0, sizeof(Row));
            put_lines(q, at, more);
            put_bound(at, pass->free[place(x, y)]);
        }
}

/* The sums over the rings around a place: itself, the four beside it, the four across its corners.
 */
static void add_rings(const Row *at, Row ring[NET_RINGS]) {
    memcpy(ring[0], at, sizeof ring[0]);
    for (int i = 0; i < BOTH; i++) {
        ring[1][i] = at[-1][i] + at[1][i] + at[-LINE][i] + at[LINE][i];
        ring[2][i] = at[-LINE - 1][i] + at[-LINE + 1][i] + at[LINE - 1][i] + at[LINE + 1][i];
    }
}

/* The rings by their factors. */
static void weigh_rings(const Row ring[NET_RINGS], float *sum) {
    for (int r = 0; r < NET_RINGS; r++)
        for (int i = 0; i < BOTH; i++) sum[i] += whole.factor[r][i] * ring[r][i];
}

static float relu(float v) {
    return v > 0 ? v : 0;
}

static void look_around(const Sample *s, Pass *pass) {
    memset(pass->sum, 0, sizeof pass->sum);
    memset(pass->sum_around, 0, sizeof pass->sum_around);
    memset(pass->sum_more, 0, sizeof pass->sum_more);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            const int p = place(x, y);
            float *around = pass->around[p];
            add_rings(pass->at + p, pass->ring[p]);
            memcpy(around, whole.bias, sizeof whole.bias);
            weigh_rings(pass->ring[p], around);
            for (int i = 0; i < BOTH; i++) {
                pass->sum[i] += relu(pass->at[p][i]);
                pass->sum_around[i] += relu(around[i]);
            }
            for (int i = 0; options.lines && i < BOTH; i++)
                pass->sum_more[i] += relu(pass->more[p][i]);
        }
}

/* The place of a row's number among the inputs: the mover's squares and what is around them, then
 * the other side's. */
static int input_of(int i, bool around) {
    return i / WIDTH * NET_SUMS + (around ? WIDTH : 0) + i % WIDTH;
}

static void forward(const Sample *s, Pass *pass) {
    float *in = pass->in;
    put_squares(s, pass);
    look_around(s, pass);
    for (int i = 0; i < BOTH; i++) {
        in[input_of(i, false)] = pass->sum[i] / (1 << NET_SUM_SHIFT);
        in[input_of(i, true)] = pass->sum_around[i] / (1 << NET_SUM_SHIFT);
    }
    for (int i = 0; i < NET_FEATURES; i++) in[SUMS + i] = (float)s->features[i] / NET_ONE;
    memcpy(pass->hidden, net.hidden_bias, sizeof pass->hidden);
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) pass->hidden[j] += in[i] * net.hidden[i][j];
    for (int i = 0; options.lines && i < NET_MORE_INPUTS; i++) {
        const float v = pass->more_in[i] = pass->sum_more[i] / (1 << NET_SUM_SHIFT);
        for (int j = 0; j < NET_HIDDEN; j++) pass->hidden[j] += v * net.line_hidden[i][j];
    }
    pass->logit = s->score + net.out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        pass->hidden[j] = relu(pass->hidden[j]);
        pass->logit += pass->hidden[j] * net.out[j];
    }
}

/* Gradients by the sums, by the factors and by what is around the squares. */
typedef struct {
    Row sum, sum_around, sum_more, factor[NET_RINGS], bias;
    Row around[GRID];
} Gradients;

static void back_around(const Sample *s, const Pass *pass, Gradients *by) {
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            const int p = place(x, y);
            for (int i = 0; i < BOTH; i++) {
                const float v = pass->around[p][i] > 0 ? by->sum_around[i] : 0;
                by->around[p][i] = v;
                by->bias[i] += v;
            }
            for (int r = 0; r < NET_RINGS; r++)
                for (int i = 0; i < BOTH; i++)
                    by->factor[r][i] += by->around[p][i] * pass->ring[p][r][i];
        }
    for (int i = 0; i < BOTH; i++) {
        gradient->bias[i % WIDTH] += by->bias[i];
        for (int r = 0; r < NET_RINGS; r++) gradient->factor[r][i % WIDTH] += by->factor[r][i];
    }
}

/* v: the gradients by a square's numbers; those beyond the bound change nothing. */
static void back_lines(const Pass *pass, const Square *q, int p, const Gradients *by, float *v) {
    Row more;
    for (int i = 0; i < BOTH; i++) {
        more[i] = pass->more[p][i] > 0 ? by->sum_more[i] : 0;
        v[i] = pass->free[p][i] ? v[i] : 0;
    }
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < DIRECTIONS; d++) {
            int stands, line;
            line_of(q, d, side == 0, &stands, &line);
            float *row = gradient->line[law_of(q, side == 0)][stands][line];
            add_row(row, v + side * WIDTH);
            add_row(row + WIDTH, more + side * WIDTH);
        }
}

/* Gradients by a square's codes: by its own sums, and through itself and its neighbours. */
static void back_square(const Pass *pass, const Square *q, int p, const Gradients *by) {
    Row ring[NET_RINGS], v;
    add_rings(by->around + p, ring);
    for (int i = 0; i < BOTH; i++) v[i] = pass->at[p][i] > 0 ? by->sum[i] : 0;
    weigh_rings(ring, v);
    if (options.lines) back_lines(pass, q, p, by, v);
    add_row(gradient->own[q->us], v);
    add_row(gradient->other[q->them], v);
    add_row(gradient->own[q->them], v + WIDTH);
    add_row(gradient->other[q->us], v + WIDTH);
}

static void back_squares(const Sample *s, const Pass *pass, const float *by_in,
                         const float *by_more) {
    static _Thread_local Gradients by;
    memset(&by, 0, sizeof by);
    for (int i = 0; i < BOTH; i++) by.sum_more[i] = by_more[i] / (1 << NET_SUM_SHIFT);
    for (int i = 0; i < BOTH; i++) {
        by.sum[i] = by_in[input_of(i, false)] / (1 << NET_SUM_SHIFT);
        by.sum_around[i] = by_in[input_of(i, true)] / (1 << NET_SUM_SHIFT);
    }
    back_around(s, pass, &by);
    const Square *q = s->square;
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++, q++) back_square(pass, q, place(x, y), &by);
}

/* Adds what the loss's gradient by the logit says of every parameter. */
static void backward(const Sample *s, const Pass *pass, float logit_gradient) {
    float by_hidden[NET_HIDDEN], by_in[SUMS], by_more[NET_MORE_INPUTS] = {0};
    gradient->out_bias += logit_gradient;
    for (int j = 0; j < NET_HIDDEN; j++) {
        gradient->out[j] += logit_gradient * pass->hidden[j];
        by_hidden[j] = pass->hidden[j] > 0 ? logit_gradient * net.out[j] : 0;
        gradient->hidden_bias[j] += by_hidden[j];
    }
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) gradient->hidden[i][j] += pass->in[i] * by_hidden[j];
    for (int i = 0; i < SUMS; i++) {
        by_in[i] = 0;
        for (int j = 0; j < NET_HIDDEN; j++) by_in[i] += net.hidden[i][j] * by_hidden[j];
    }
    for (int i = 0; options.lines && i < NET_MORE_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) {
            gradient->line_hidden[i][j] += pass->more_in[i] * by_hidden[j];
            by_more[i] += net.line_hidden[i][j] * by_hidden[j];
        }
    back_squares(s, pass, by_in, by_more);
}

/* The number of laws under the games' rule. */
static int laws_of_games(void) {
    return traits_laws(rules_traits((Rule)games.at[0].rule));
}

/* --- the fit ----------------------------------------------------------------------------- */

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

/* Returns the summed loss before each of the steps. */
static double run_epoch(const Samples *learned, int *number, int steps) {
    double sum = 0;
    for (size_t from = 0; from + BATCH <= learned->count; from += BATCH) {
        sum += learn_batch(&learned->at[from]);
        ++*number;
        step(*number, rate_of(*number, steps, RATE));
    }
    return sum;
}

/* A feature that no position has says nothing: not what it began with, either. */
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

/* Lines that are new begin as nothing, but for further numbers by shapes, so that they can differ.
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

/* --- in whole numbers -------------------------------------------------------------------- */

/* The next whole number of a file, whatever stands before it; stops the program without one. */
static float next_number(FILE *f, int one) {
    int number;
    while (fscanf(f, "%d", &number) != 1)
        if (getc(f) == EOF) {
            fprintf(stderr, "network: too few numbers to start from\n");
            exit(1);
        }
    return (float)number / (float)one;
}

static void read_row(FILE *f, float *at, int count, int stride, int one) {
    for (int i = 0; i < count; i++) at[i * stride] = next_number(f, one);
}

static void read_squares(FILE *f, int law) {
    for (int i = law * NET_CODES; i < (law + 1) * NET_CODES; i++) {
        read_row(f, start.own[i], WIDTH, 1, NET_SQUARE_ONE);
        read_row(f, start.other[i], WIDTH, 1, NET_SQUARE_ONE);
    }
}

/* Whether further rows follow, before the name of the next field. */
static bool has_more_rows(FILE *f) {
    int c;
    do c = getc(f);
    while (c != '[' && c != '"' && c != EOF);
    ungetc(c, f);
    return c == '[';
}

static void read_line_rows(FILE *f, int law) {
    for (int s = 0; s < NET_STANDS; s++)
        for (int i = 0; i < LINE_CLASSES; i++)
            read_row(f, start.line[law][s][i], NET_LINE_WIDTH, 1, NET_SQUARE_ONE);
}

/* Lines, if there are any. */
static void read_lines(FILE *f) {
    int c;
    do c = getc(f);
    while (c != '"' && c != EOF);
    if (c == EOF) return;
    read_line_rows(f, 0);
    memcpy(start.line[1], start.line[0], sizeof start.line[0]);
    if (has_more_rows(f)) read_line_rows(f, 1);
    for (int j = 0; j < NET_HIDDEN; j++)
        read_row(f, &net.line_hidden[0][j], NET_MORE_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    start.has_lines = options.lines = true;
}

/* A network as write_network leaves it; one of a single law counts for both. */
static bool read_network(const char *path) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    FILE *f = fopen(path, "r");
    if (!f) return false;
    read_squares(f, 0);
    memcpy(start.own[NET_CODES], start.own, sizeof start.own / LAWS);
    memcpy(start.other[NET_CODES], start.other, sizeof start.other / LAWS);
    if (has_more_rows(f)) read_squares(f, 1);
    for (int i = 0; i < NET_RINGS; i++) read_row(f, net.factor[i], WIDTH, 1, NET_FACTOR_ONE);
    read_row(f, net.bias, WIDTH, 1, NET_AROUND_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        read_row(f, &net.hidden[0][j], NET_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    read_row(f, net.hidden_bias, NET_HIDDEN, 1, product);
    read_row(f, net.out, NET_HIDDEN, 1, NET_WEIGHT_ONE);
    net.out_bias = next_number(f, product);
    read_lines(f);
    fclose(f);
    return true;
}

static void write_squares(FILE *f, int codes) {
    fprintf(f, "{\"square\": [");
    for (int i = 0; i < codes; i++) {
        write_row(f, i ? ",\n[" : "[", whole.own[i], WIDTH, 1, NET_SQUARE_ONE);
        write_row(f, ",", whole.other[i], WIDTH, 1, NET_SQUARE_ONE);
        fprintf(f, "]");
    }
    fprintf(f, "],\n");
}

static void write_around(FILE *f) {
    for (int i = 0; i < NET_RINGS; i++)
        write_row(f, i ? "," : "\"factor\": [", whole.factor[i], WIDTH, 1, NET_FACTOR_ONE);
    write_row(f, "],\n\"bias\": ", whole.bias, WIDTH, 1, NET_AROUND_ONE);
    fprintf(f, ",\n");
}

static void write_layers(FILE *f) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    for (int j = 0; j < NET_HIDDEN; j++)
        write_row(f, j ? ",\n" : "\"hidden\": [", &net.hidden[0][j], NET_INPUTS, NET_HIDDEN,
                  NET_WEIGHT_ONE);
    write_row(f, "],\n\"hidden_bias\": ", net.hidden_bias, NET_HIDDEN, 1, product);
    write_row(f, ",\n\"out\": ", net.out, NET_HIDDEN, 1, NET_WEIGHT_ONE);
    fprintf(f, ",\n\"out_bias\": %ld", lrintf(net.out_bias * (float)product));
}

static void write_lines(FILE *f) {
    for (int i = 0; i < laws * NET_STANDS * LINE_CLASSES; i++)
        write_row(f, i ? ",\n" : ",\n\"lines\": [", (&whole.line[0][0][0])[i], NET_LINE_WIDTH, 1,
                  NET_SQUARE_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        write_row(f, j ? ",\n" : "],\n\"line_hidden\": [", &net.line_hidden[0][j], NET_MORE_INPUTS,
                  NET_HIDDEN, NET_WEIGHT_ONE);
    fprintf(f, "]");
}

static bool write_network(const char *path, int law_count) {
    FILE *f = fopen(path, "w");
    if (!f) return false;
    write_squares(f, law_count * NET_CODES);
    write_around(f);
    write_layers(f);
    if (options.lines) write_lines(f);
    fprintf(f, "}\n");
    return fclose(f) == 0;
}

static int usage(void) {
    fprintf(stderr, "%s", USAGE);
    return 2;
}

static bool read_option(const char *name, const char *value) {
    char *end;
    if (!value) return false;
    if (strcmp(name, "--games") == 0) {
        options.games = value;
        return true;
    }
    if (strcmp(name, "--positions") == 0) {
        options.positions = strtoull(value, &end, 10);
        return *end == 0 && options.positions > 0;
    }
    if (strcmp(name, "--lines") == 0) {
        options.lines = true;
        options.line_decay = strtof(value, &end);
        return end != value && *end == 0 && options.line_decay >= 0;
    }
    if (strcmp(name, "--threads") == 0) {
        options.threads = atoi(value);
        return options.threads >= 1;
    }
    if (strcmp(name, "--result-share") != 0) return false;
    options.result_share = strtof(value, &end);
    return end != value && *end == 0 && options.result_share >= 0 && options.result_share <= 1;
}

static bool read_arguments(int argc, char **argv) {
    int at = 4;
    if (argc < 4) return false;
    options.epochs = atoi(argv[1]);
    options.out = argv[2];
    options.weights = argv[3];
    if (at < argc && argv[at][0] != '-') options.start = argv[at++];
    for (; at < argc; at += 2)
        if (!read_option(argv[at], argv[at + 1])) return false;
    return options.epochs >= 1;
}

int main(int argc, char **argv) {
    if (!read_arguments(argc, argv)) return usage();
    table = table_of_file(options.weights);
    if (!options.start)
        start_by_chance();
    else if (!read_network(options.start)) {
        fprintf(stderr, "network: %s cannot be read\n", options.start);
        return 1;
    }
    Samples learned = {0}, validation = {0};
    read_games(&learned, &validation);
    if (learned.count < BATCH) {
        fprintf(stderr, "network: %zu positions, not even the %d of one step\n", learned.count,
                BATCH);
        return 1;
    }
    fit(&learned, &validation, options.epochs);
    if (write_network(options.out, laws_of_games())) return 0;
    fprintf(stderr, "network: %s cannot be written\n", options.out);
    return 1;
}
