/* network.c - fits the network of one rule (csrc/eval/nn/value_net.h) to games (selfplay.c).
 *
 *   network EPOCHS OUT.json WEIGHTS.tgw [START.json] [OPTION...] < games.txt
 *   network EPOCHS OUT.json WEIGHTS.tgw [START.json] --games LIST [OPTION...]
 *
 *   --games LIST      files of games (games.h), a path each line; all have to be of one rule, and a
 *                     damaged one ends the program before it has learned anything
 *   --positions N     take no further game after so many positions
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

#include "positions.h"

enum { BATCH = 1024, CODES = LAWS * NET_CODES, WIDTH = NET_WIDTH };
enum { SUMS = 2 * NET_SUMS };
static const float RATE = 2e-3f;
static const float WEIGHT_DECAY = 2; /* of a code's own part: so many rates a step */
static const char USAGE[] =
    "usage: network EPOCHS OUT.json WEIGHTS.tgw [START.json] [--result-share S]\n"
    "       [--positions N] [--games LIST | < games.txt]\n";

/* --- the network in floats --------------------------------------------------------------- */

typedef struct {
    float own[CODES][WIDTH], other[CODES][WIDTH]; /* what a code has beside its shapes */
    float own_shape[LAWS][SHAPES][WIDTH], other_shape[LAWS][SHAPES][WIDTH];
    float factor[NET_RINGS][WIDTH], bias[WIDTH];
    float hidden[NET_INPUTS][NET_HIDDEN], hidden_bias[NET_HIDDEN];
    float out[NET_HIDDEN], out_bias;
} Net;

enum { PARAMETERS = sizeof(Net) / sizeof(float), OF_CODES = 2 * CODES * WIDTH };

static Net net, gradient;
static Moments moments[PARAMETERS];

/* The numbers of the codes that the network began with. */
static struct {
    float own[CODES][WIDTH], other[CODES][WIDTH];
} start;

/* A square's numbers: the mover's, then the other side's. */
enum { BOTH = 2 * WIDTH };
typedef float Row[BOTH];

/* What the library will have of the squares, in its whole numbers: the fit is of these. The same
 * for both views. */
static struct {
    float own[CODES][WIDTH], other[CODES][WIDTH];
    Row factor[NET_RINGS], bias;
} whole;

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

static void fill_whole(void) {
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
            add_row(gradient.own_shape[law][shape], gradient.own[code]);
            add_row(gradient.other_shape[law][shape], gradient.other[code]);
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
    Row at[GRID], ring[GRID][NET_RINGS], around[GRID];
    Row sum, sum_around;
    float in[NET_INPUTS], hidden[NET_HIDDEN], logit;
} Pass;

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
    pass->logit = s->score + net.out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        pass->hidden[j] = relu(pass->hidden[j]);
        pass->logit += pass->hidden[j] * net.out[j];
    }
}

/* Gradients by the sums, by the factors and by what is around the squares. */
typedef struct {
    Row sum, sum_around, factor[NET_RINGS], bias;
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
        gradient.bias[i % WIDTH] += by->bias[i];
        for (int r = 0; r < NET_RINGS; r++) gradient.factor[r][i % WIDTH] += by->factor[r][i];
    }
}

/* Gradients by a square's codes: by its own sums, and through itself and its neighbours. */
static void back_square(const Pass *pass, const Square *q, int p, const Gradients *by) {
    Row ring[NET_RINGS], v;
    add_rings(by->around + p, ring);
    for (int i = 0; i < BOTH; i++) v[i] = pass->at[p][i] > 0 ? by->sum[i] : 0;
    weigh_rings(ring, v);
    add_row(gradient.own[q->us], v);
    add_row(gradient.other[q->them], v);
    add_row(gradient.own[q->them], v + WIDTH);
    add_row(gradient.other[q->us], v + WIDTH);
}

static void back_squares(const Sample *s, const Pass *pass, const float *by_in) {
    static Gradients by;
    memset(&by, 0, sizeof by);
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
    float by_hidden[NET_HIDDEN], by_in[SUMS];
    gradient.out_bias += logit_gradient;
    for (int j = 0; j < NET_HIDDEN; j++) {
        gradient.out[j] += logit_gradient * pass->hidden[j];
        by_hidden[j] = pass->hidden[j] > 0 ? logit_gradient * net.out[j] : 0;
        gradient.hidden_bias[j] += by_hidden[j];
    }
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) gradient.hidden[i][j] += pass->in[i] * by_hidden[j];
    for (int i = 0; i < SUMS; i++) {
        by_in[i] = 0;
        for (int j = 0; j < NET_HIDDEN; j++) by_in[i] += net.hidden[i][j] * by_hidden[j];
    }
    back_squares(s, pass, by_in);
}

/* --- the fit ----------------------------------------------------------------------------- */

static void step(int number, float rate) {
    float *w = (float *)&net, *g = (float *)&gradient;
    const float by = adam_rate(number, rate);
    gradient_of_shapes();
    for (int i = 0; i < PARAMETERS; i++) {
        const float decay = i < OF_CODES ? rate * WEIGHT_DECAY * w[i] : 0;
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

/* Returns the summed loss before each of the steps. */
static double run_epoch(const Samples *learned, int *number, int steps) {
    double sum = 0;
    for (size_t from = 0; from + BATCH <= learned->count; from += BATCH) {
        for (size_t i = from; i < from + BATCH; i++) {
            static Sample s;
            static Pass pass;
            load(&learned->at[i], &s);
            forward(&s, &pass);
            sum += loss_of(pass.logit, s.label);
            backward(&s, &pass, (chance(pass.logit) - s.label) / BATCH);
        }
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

static void fit(Samples *learned, const Samples *validation, int epochs) {
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

/* Whether further squares follow, before the name of the next field. */
static bool has_more_squares(FILE *f) {
    int c;
    do c = getc(f);
    while (c != '[' && c != '"' && c != EOF);
    ungetc(c, f);
    return c == '[';
}

/* A network as write_network leaves it; one of a single law counts for both. */
static bool read_network(const char *path) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    FILE *f = fopen(path, "r");
    if (!f) return false;
    read_squares(f, 0);
    memcpy(start.own[NET_CODES], start.own, sizeof start.own / LAWS);
    memcpy(start.other[NET_CODES], start.other, sizeof start.other / LAWS);
    if (has_more_squares(f)) read_squares(f, 1);
    for (int i = 0; i < NET_RINGS; i++) read_row(f, net.factor[i], WIDTH, 1, NET_FACTOR_ONE);
    read_row(f, net.bias, WIDTH, 1, NET_AROUND_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        read_row(f, &net.hidden[0][j], NET_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    read_row(f, net.hidden_bias, NET_HIDDEN, 1, product);
    read_row(f, net.out, NET_HIDDEN, 1, NET_WEIGHT_ONE);
    net.out_bias = next_number(f, product);
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
    fprintf(f, ",\n\"out_bias\": %ld}\n", lrintf(net.out_bias * (float)product));
}

static bool write_network(const char *path, bool two_laws) {
    FILE *f = fopen(path, "w");
    if (!f) return false;
    write_squares(f, two_laws ? CODES : NET_CODES);
    write_around(f);
    write_layers(f);
    return fclose(f) == 0;
}

static bool has_two_laws(void) {
    return games.at[0].rule == RULE_RENJU;
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
    if (write_network(options.out, has_two_laws())) return 0;
    fprintf(stderr, "network: %s cannot be written\n", options.out);
    return 1;
}
