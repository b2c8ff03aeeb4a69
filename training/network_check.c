/* network_check.c - checks the network of the fit (network.c): lines and their shapes, symmetry,
 * bounds, and the gradient against differences of the loss. Prints each failure; status 1: there
 * was one.
 */
#define PROGRAM "network_check"

#include <stdarg.h>
#include <stdatomic.h>

#include "fitting/numbers.h"

static atomic_int blocks; /* taken from the heap */

static void *counted(void *block, size_t size) {
    blocks += !block;
    return grown(block, size);
}
#define grown counted
#include "network/fit.h"

enum { POSITIONS = 24, PLIES = 18, SIZE = 9, VIEWS = 8 };

static Position position;
static Sample sample[POSITIONS];
static Pass pass;
static int checks_passed, checks_failed;

#define RULE_OF(name) RULE_##name,
static const Rule RULES[] = {FOR_EACH_RULE(RULE_OF)};
#undef RULE_OF
enum { RULES_ALL = sizeof RULES / sizeof *RULES };

__attribute__((format(printf, 2, 3))) static void check(bool good, const char *format, ...) {
    va_list arguments;
    checks_passed += good;
    if (good) return;
    checks_failed++;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

static void use_rule(Rule rule) {
    table = eval_table(rule);
    laws = traits_laws(rules_traits(rule));
    know_lines(rule);
}

/* Adds a game of random moves, which leads to the position. view: one of the symmetries of the
 * board. Returns the place of the position. */
static Place make_game(int number, int length, int view) {
    const Game game = {
        .rule = (int)table->weights.rule, .size = SIZE, .result = number % 3 - 1, .opening = 0};
    u32 random = (u32)number * 2654435761u + 1;
    add_game(game);
    set_up(&position, &game);
    for (u32 done = 0;; done++) {
        int x, y;
        do {
            random = random * 1664525u + 1013904223u;
            x = (int)(random >> 20) % SIZE;
            y = (int)(random >> 8 & 0xfff) % SIZE;
            if (view & 1) x = SIZE - 1 - x;
            if (view & 2) y = SIZE - 1 - y;
        } while (position.board.stone[view & 4 ? cell_at(y, x) : cell_at(x, y)] != EMPTY);
        const Cell c = view & 4 ? cell_at(y, x) : cell_at(x, y);
        add_ply((u16)c, (int)(random >> 16 & 511) - 256);
        if ((int)done == length || position.state != STATE_ONGOING)
            return (Place){(u32)games.count - 1, done};
        position_make(&position, c);
    }
}

static void check_shapes(Cell c, const Square *q) {
    const Color us = position_to_move(&position), them = other(us);
    const int law = traits_law(&position.traits, us);
    for (int d = 0; d < DIRECTIONS; d++) {
        const u8 shape = shapes_of_line.pair[law][q->line[d]];
        check((shape & 15) == (int)pattern_shape(&position.pattern, us, c, d) &&
                  shape >> 4 == (int)pattern_shape(&position.pattern, them, c, d),
              "rule %d: the shapes of line %d are not the pattern's", position.rule, q->line[d]);
    }
}

/* Left out: rules of reach 4, which get the shapes of standard, and rules without closed fives.
 * Their shapes tell an edge from a stone at the far end of a row, which the classes of lines do
 * not. */
static void check_lines_have_the_shapes_of_the_pattern(void) {
    for (int r = 0; r < RULES_ALL; r++) {
        if (shape_table(RULES[r])->reach < LINE_REACH) continue;
        if (!rules_traits(RULES[r])->closed_five_wins) continue;
        use_rule(RULES[r]);
        for (int n = 0; n < 20; n++) {
            make_game(n, PLIES + n % 2, 0);
            BB_FOR_EACH(c, &position.board.empty) {
                Square q;
                put_lines_of(&position, position_to_move(&position), c, &q);
                check_shapes(c, &q);
            }
        }
    }
}

/* Numbers of the size of a fitted network, so that most inputs are within their bounds. */
static void fill_net(void) {
    fill_random((float *)&net, PARAMETERS, 0.03f);
    start_by_chance();
    fill_random(net.hidden_bias, NET_HIDDEN, 0.1f);
    fill_random(net.out, NET_HIDDEN, 0.3f);
    fill_random(&net.line_shape[0][0][0], sizeof net.line_shape / sizeof(float), 0.1f);
    fill_random(&net.recent_hidden[0][0], NET_RECENT_INPUTS * NET_HIDDEN, 0.1f);
    fill_whole();
}

static double logit_at(Place place) {
    load(&place, &sample[0]);
    forward(&sample[0], &pass);
    return (double)pass.logit;
}

static void check_symmetric_positions_have_one_value(void) {
    for (int n = 0; n < 8; n++) {
        const double value = logit_at(make_game(n, PLIES, 0));
        for (int view = 1; view < VIEWS; view++) {
            const double seen = logit_at(make_game(n, PLIES, view));
            check(fabs(seen - value) < 1e-3, "position %d, view %d: %f and %f", n, view, seen,
                  value);
        }
    }
}

/* The fit leaves fractions of the inputs and of the hidden numbers that the engine drops: with
 * these random weights up to 8 points. */
static void check_the_engine_has_the_same_score(void) {
    enum { MOST = 10 };
    fill_whole();
    const EvalTable *t = table_of_network();
    for (int n = 0; n < POSITIONS; n++) {
        const double fitted = logit_at(make_game(n, n, 0)) * NET_SCALE;
        const int score = eval_score(t, &position, NULL);
        check(fabs(fitted - score) < MOST,
              "rule %d, position %d: %.1f in the fit, %d in the engine", (int)table->weights.rule,
              n, fitted, score);
    }
}

/* Half of the samples have both last stones, a quarter one, a quarter none. */
static void make_samples(void) {
    for (int n = 0; n < POSITIONS; n++) {
        const Place place = make_game(n, PLIES + n % 3, 0);
        load(&place, &sample[n]);
        sample[n].score = bounded(sample[n].score, 1);
        if (n % 4 < 2) sample[n].recent[1].absent = true;
        if (n % 4 == 0) sample[n].recent[0].absent = true;
    }
}

static double loss_of_samples(bool with_gradient) {
    double loss = 0;
    fill_whole();
    for (int n = 0; n < POSITIONS; n++) {
        forward(&sample[n], &pass);
        loss += loss_of(pass.logit, sample[n].label);
        if (with_gradient) backward(&sample[n], &pass, chance(pass.logit) - sample[n].label);
    }
    return loss;
}

typedef struct {
    const char *name;
    size_t at, count;
} Part;
#define PART(field) {#field, offsetof(Net, field) / sizeof(float), sizeof net.field / sizeof(float)}
static const Part PARTS[] = {
    PART(own),          PART(other),    PART(own_shape),     PART(other_shape),
    PART(factor),       PART(bias),     PART(hidden),        PART(hidden_bias),
    PART(out),          PART(out_bias), PART(recent_hidden), PART(recent_absent),
    PART(recent_shape), PART(recent),   PART(line_shape),    PART(line)};
#undef PART

/* Moves a little along a part's gradient and back: the loss changes by its squared length. */
static void check_part(const Part *part) {
    static const double STEP = 0.001;
    static Net kept;
    const float *g = (const float *)&gradients[0] + part->at;
    float *v = (float *)&net + part->at;
    double squares = 0, loss[2];
    for (size_t i = 0; i < part->count; i++) squares += (double)g[i] * (double)g[i];
    const double length = sqrt(squares);
    kept = net;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < part->count; i++)
            v[i] += (float)((side ? -STEP : STEP) * (double)g[i] / length);
        loss[side] = loss_of_samples(false);
        net = kept;
    }
    const double found = (loss[0] - loss[1]) / (2 * STEP);
    check(length > 1e-3, "rule %d: %s has no gradient", (int)table->weights.rule, part->name);
    check(fabs(found - length) < 0.015 * length,
          "rule %d: %s: %f by differences, %f by the gradient", (int)table->weights.rule,
          part->name, found, length);
}

static void check_gradient(Rule rule) {
    use_rule(rule);
    rounds = false;
    fill_net();
    make_samples();
    memset(&gradients[0], 0, sizeof gradients[0]);
    gradient = &gradients[0];
    loss_of_samples(true);
    gradient_of_shapes();
    gradient_of_lines();
    gradient_of_recent();
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) check_part(&PARTS[i]);
    check_symmetric_positions_have_one_value();
    rounds = true;
    check_the_engine_has_the_same_score();
}

/* The fit uses the numbers that the library has: whole and bounded. */
static void check_whole_numbers(void) {
    net.own[0][0] = 100;
    net.own[0][1] = -100;
    net.line[0][0][0][0] = 100;
    net.recent[0][0][0][0] = -100;
    fill_whole();
    check(whole.own[0][0] == (float)NET_SQUARE_MAX / NET_SQUARE_ONE, "the upper bound of a square");
    check(whole.own[0][1] == -(float)NET_SQUARE_MAX / NET_SQUARE_ONE, "its lower bound");
    check(whole.line[0][0][0][0] == (float)NET_LINE_MAX / NET_SQUARE_ONE, "the bound of a line");
    check(whole.recent[0][0][0][0] == -(float)NET_RECENT_MAX / NET_RECENT_ONE,
          "the bound of a last stone");
    for (int i = 0; i < WIDTH; i++) {
        const float v = whole.own[1][i] * NET_SQUARE_ONE;
        check(v == rintf(v), "a number that is not whole");
    }
}

/* After the fit the mean win rate of games is the mean of their labels; nodes do not count. */
static void check_bias_by_games(void) {
    static Sample s;
    double rate = 0, labels = 0;
    use_rule(RULE_FREESTYLE);
    Samples all = {0};
    for (int i = 0; i < POSITIONS; i++) {
        add_place(&all, make_game(POSITIONS + i, PLIES, 0));
        games.at[games.count - 1].is_node = i % 2;
    }
    set_bias_by_games(&all);
    for (size_t i = 0; i < all.count; i += 2) {
        load(&all.at[i], &s);
        forward(&s, &pass);
        rate += chance(pass.logit);
        labels += s.label;
    }
    check(fabs(rate - labels) < 1e-3, "the mean win rate of games: %f, labels %f", rate, labels);
}

/* Each batch has a new thread. */
static void check_a_batch_keeps_no_memory(void) {
    static Place batch[BATCH];
    for (int i = 0; i < BATCH; i++)
        batch[i] = i < POSITIONS ? make_game(i, PLIES, 0) : batch[i - POSITIONS];
    const int before = blocks;
    learn_batch(batch);
    check(blocks == before, "%d blocks of memory after a batch", blocks - before);
}

int main(void) {
    options.lines = options.recent = true;
    options.result_share = 0.5f;
    check_lines_have_the_shapes_of_the_pattern();
    check_gradient(RULE_FREESTYLE);
    check_gradient(RULE_RENJU);
    check_whole_numbers();
    check_bias_by_games();
    check_a_batch_keeps_no_memory();
    printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed != 0;
}
