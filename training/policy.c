/* policy.c - fits the policy network of one rule (csrc/eval/nn/policy_net.h) to games (selfplay.c).
 *
 *     policy EPOCHS OUT.json WEIGHTS.tgw < games.txt
 *
 * The network is added to the tables and the value network of a weights file, which is of the
 * games' rule. The label of a position is the move that the search chose among the candidates:
 * softmax over their scores, in hundredths. The fit leaves out the positions that the search
 * decides (ordered.h), and those with a proven end. The method is Adam on batches of positions in
 * random order. Each twentieth game or search is for validation. After each epoch the program
 * prints its loss, beside that of the tables alone, and the share of its positions in which the
 * chosen move is first. OUT.json has the network in whole numbers, as the library has it.
 */
#include "arguments.h"
#include "fitting/newfile.h"
#include "policy/samples.h"

enum { BATCH = 128, LAWS = 2, HIDDEN = POLICY_HIDDEN, EPOCHS_MAX = 10000 };
static const float RATE = 2e-3f;
static const float NO_MATTER = 1e-5f; /* a gradient too small for the backward pass */
/* The largest hidden number in the library. */
static const float HIDDEN_MOST = (float)NET_INPUT_MAX / POLICY_ONE;

/* --- the network in floats --------------------------------------------------------------- */

typedef struct {
    float made[LAWS][SHAPES][HIDDEN], denied[LAWS][SHAPES][HIDDEN], near[NEAR_CLASSES][HIDDEN];
    float around[NET_LANES][HIDDEN], position[NET_INPUTS][HIDDEN], bias[HIDDEN];
    float out[HIDDEN], scale;
} Net;

enum { PARAMETERS = sizeof(Net) / sizeof(float) };

static Net net, gradient;
static Moments moments[PARAMETERS];

/* The values of one position that the backward pass needs. */
typedef struct {
    float in[NET_INPUTS], bias[HIDDEN];
    float hidden[MAX_SQUARES][HIDDEN], score[MAX_SQUARES], chance[MAX_SQUARES];
} Pass;

static float input_of(const Candidate *c, int i) {
    return (float)c->in[i] / POLICY_ONE;
}

static void add_row(float *to, const float *from) {
    for (int j = 0; j < HIDDEN; j++) to[j] += from[j];
}

static const u8 *members_of(u16 code) {
    return shape_table(RULE_FREESTYLE)->members[code];
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
    gradient.scale += score_gradient * (float)c->score / MOVE_SCALE;
    for (int j = 0; j < HIDDEN; j++) {
        gradient.out[j] += score_gradient * hidden[j];
        by[j] = hidden[j] > 0 && hidden[j] < HIDDEN_MOST ? score_gradient * net.out[j] : 0;
    }
    add_row(gradient.near[c->near], by);
    for (int d = 0; d < DIRECTIONS; d++) {
        add_row(gradient.made[s->made][members_of(c->made)[d]], by);
        add_row(gradient.denied[s->denied][members_of(c->denied)[d]], by);
    }
    for (int i = 0; i < NET_LANES; i++) {
        const float v = input_of(c, i);
        for (int j = 0; j < HIDDEN; j++) gradient.around[i][j] += v * by[j];
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
    for (int j = 0; j < HIDDEN; j++) gradient.bias[j] += by_bias[j];
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < HIDDEN; j++) gradient.position[i][j] += pass->in[i] * by_bias[j];
}

/* --- the fit ----------------------------------------------------------------------------- */

/* Rounds and bounds to the whole numbers of the library, of which `one` stand for 1. */
static void bound(float *at, size_t count, int most, int one) {
    for (size_t i = 0; i < count; i++) at[i] = bounded(at[i], (float)most / (float)one);
}

static void bound_all(void) {
    enum { ROWS = (2 * LAWS * SHAPES + NEAR_CLASSES) * HIDDEN };
    bound(net.made[0][0], ROWS, NET_WEIGHT_MAX, POLICY_ROW_ONE);
    bound(net.around[0], NET_LANES * HIDDEN, NET_WEIGHT_MAX, POLICY_ONE);
    bound(net.position[0], NET_INPUTS * HIDDEN, NET_WEIGHT_MAX, POLICY_ONE);
    bound(net.bias, HIDDEN, 1 << 29, POLICY_ONE << POLICY_HIDDEN_SHIFT);
    bound(net.out, HIDDEN, NET_WEIGHT_MAX, MOVE_SCALE * POLICY_OUT_ONE);
    bound(&net.scale, 1, POLICY_SCALE_MAX, POLICY_SCALE_ONE);
}

static void step(int number, float rate) {
    float *w = (float *)&net, *g = (float *)&gradient;
    const float by = adam_rate(number, rate);
    for (int i = 0; i < PARAMETERS; i++) w[i] -= adam_move(&moments[i], &g[i], by);
    bound_all();
}

static void shuffle(Sample *samples, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t j = random_below(i);
        const Sample other = samples[i - 1];
        samples[i - 1] = samples[j];
        samples[j] = other;
    }
}

static double run_epoch(const Samples *learned, int *number, int steps) {
    static Pass pass;
    double sum = 0;
    bool first;
    for (size_t from = 0; from + BATCH <= learned->count; from += BATCH) {
        for (size_t i = from; i < from + BATCH; i++) {
            sum += forward(&learned->sample[i], &pass, &first);
            backward(&learned->sample[i], &pass);
        }
        ++*number;
        step(*number, rate_of(*number, steps, RATE));
    }
    return sum;
}

static void print_validation(const Samples *validation) {
    static Pass pass;
    double sum = 0;
    int right = 0;
    for (size_t i = 0; i < validation->count; i++) {
        bool first;
        sum += forward(&validation->sample[i], &pass, &first);
        right += first;
    }
    const double count = validation->count ? (double)validation->count : 1;
    printf("validation %.4f, first in %.3f\n", sum / count, right / count);
    fflush(stdout);
}

/* Random start for the shapes of candidates. Other rows are never learned and stay 0. */
static void start_rows(const Samples *learned) {
    static bool made[LAWS][SHAPES], denied[LAWS][SHAPES];
    for (size_t i = 0; i < learned->count; i++) {
        const Sample *s = &learned->sample[i];
        for (const Candidate *c = &candidates.at[s->first], *end = c + s->count; c < end; c++)
            for (int d = 0; d < DIRECTIONS; d++) {
                made[s->made][members_of(c->made)[d]] = true;
                denied[s->denied][members_of(c->denied)[d]] = true;
            }
    }
    fill_random(net.made[0][0], 2 * LAWS * SHAPES * HIDDEN, 0.2f);
    for (int law = 0; law < LAWS; law++)
        for (int k = 0; k < SHAPES; k++) {
            if (!made[law][k]) memset(net.made[law][k], 0, sizeof net.made[law][k]);
            if (!denied[law][k]) memset(net.denied[law][k], 0, sizeof net.denied[law][k]);
        }
}

static void fit(Samples *learned, const Samples *validation, int epochs) {
    const size_t batches = learned->count / BATCH;
    int number = 0;
    net.scale = 1;
    printf("policy: %zu positions, %zu for validation; without it ", learned->count,
           validation->count);
    print_validation(validation);
    start_rows(learned);
    fill_random(net.around[0], NET_LANES * HIDDEN, 2 / sqrtf(2 * NET_LANES));
    fill_random(net.out, HIDDEN, 0.2f);
    for (int epoch = 1; epoch <= epochs; epoch++) {
        shuffle(learned->sample, learned->count);
        const double sum = run_epoch(learned, &number, (int)batches * epochs);
        printf("  epoch %d: loss %.4f, ", epoch, sum / (double)(batches * BATCH));
        print_validation(validation);
    }
}

/* --- in whole numbers -------------------------------------------------------------------- */

static void write_rows(FILE *f, const char *name, const float *at, int rows, int one) {
    fprintf(f, "%s[", name);
    for (int i = 0; i < rows; i++) write_row(f, i ? ",\n" : "", &at[i * HIDDEN], HIDDEN, 1, one);
    fprintf(f, "]");
}

static void write_shapes(FILE *f, int laws) {
    for (int k = 0; k < laws; k++) {
        fprintf(f, k ? ",\n" : "{\"shapes\": [");
        write_rows(f, "{\"made\": ", net.made[k][0], SHAPES, POLICY_ROW_ONE);
        write_rows(f, ",\n\"denied\": ", net.denied[k][0], SHAPES, POLICY_ROW_ONE);
        fprintf(f, "}");
    }
}

static bool write_policy(const char *path, int laws) {
    static NewFile new;
    if (!newfile_open(&new, path)) return false;
    FILE *f = new.file;
    write_shapes(f, laws);
    write_rows(f, "],\n\"near\": ", net.near[0], NEAR_CLASSES, POLICY_ROW_ONE);
    write_rows(f, ",\n\"around\": ", net.around[0], NET_LANES, POLICY_ONE);
    write_rows(f, ",\n\"position\": ", net.position[0], NET_INPUTS, POLICY_ONE);
    write_row(f, ",\n\"bias\": ", net.bias, HIDDEN, 1, POLICY_ONE << POLICY_HIDDEN_SHIFT);
    write_row(f, ",\n\"out\": ", net.out, HIDDEN, 1, MOVE_SCALE * POLICY_OUT_ONE);
    fprintf(f, ",\n\"scale\": %ld}\n", lrintf(net.scale * POLICY_SCALE_ONE));
    return newfile_close(&new, fflush(f) == 0 && !ferror(f));
}

static int laws_of(const Samples *learned) {
    for (size_t i = 0; i < learned->count; i++)
        if (learned->sample[i].made) return LAWS;
    return 1;
}

int main(int argc, char **argv) {
    int epochs;
    if (argc != 4 || !read_int(argv[1], 1, EPOCHS_MAX, &epochs)) {
        fprintf(stderr, "usage: policy EPOCHS OUT.json WEIGHTS.tgw < games.txt\n");
        return 2;
    }
    if (!newfile_can_replace(argv[2])) {
        fprintf(stderr, "policy: %s cannot be written: %s\n", argv[2], strerror(errno));
        return 1;
    }
    Samples learned = {0}, validation = {0};
    const EvalTable *table = table_of_file(argv[3]);
    if (!table->has_network) give_up(argv[3], "it has no network, which a policy stands on");
    read_games(&learned, &validation, table);
    if (learned.count < BATCH) {
        fprintf(stderr, "policy: %zu positions, not even the %d of one step\n", learned.count,
                BATCH);
        return 1;
    }
    fit(&learned, &validation, epochs);
    if (write_policy(argv[2], laws_of(&learned))) return 0;
    fprintf(stderr, "policy: %s cannot be written: %s\n", argv[2], strerror(errno));
    return 1;
}
