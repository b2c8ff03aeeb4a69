/* trainer_check.c - checks the network of the trainer (trainer.c): lines and their shapes,
 * symmetry, and the gradient against differences of the loss. Prints each failure; status 1: there
 * was one.
 */
enum {
    HAS_LINES = 1,
    WIDTH = 16,
    AROUND = 8,
    CODE_WIDTH = 8,
    HIDDEN = 64,
    SECOND = 32,
    OUTPUTS = 3
};

#include <stdarg.h>

#include "trainer/backward.h"
#include "trainer/step.h"

enum { POSITIONS = 24, PLIES = 18, SIZE = 9, VIEWS = 8 };

static Position position;
static Sample sample[POSITIONS];
static Pass pass;
static Gradients by;
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

/* Random moves on some squares; view: one of the symmetries of the board. */
static void make_position(Rule rule, int number, int plies, int view) {
    u32 chance = (u32)number * 2654435761u + 1;
    position_init(&position, rule, &eval_table(rule)->pattern, SIZE);
    for (int done = 0; done < plies && position.state == STATE_ONGOING;) {
        chance = chance * 1664525u + 1013904223u;
        int x = (int)(chance >> 20) % SIZE, y = (int)(chance >> 8 & 0xfff) % SIZE;
        if (view & 1) x = SIZE - 1 - x;
        if (view & 2) y = SIZE - 1 - y;
        const Cell c = view & 4 ? cell_at(y, x) : cell_at(x, y);
        if (position.board.stone[c] != EMPTY) continue;
        position_make(&position, c);
        done++;
    }
}

static void check_shapes(Cell c, const Square *q) {
    const Color us = position_to_move(&position), them = other(us);
    const int law = law_of(&position, us);
    for (int d = 0; d < DIRECTIONS; d++) {
        const u8 shape = lines.shape[law][q->us[d] - line_kind(law, 0)];
        check((shape & 15) == (int)pattern_shape(&position.pattern, us, c, d) &&
                  shape >> 4 == (int)pattern_shape(&position.pattern, them, c, d),
              "rule %d: the shapes of line %d are not the pattern's", position.rule, q->us[d]);
    }
}

/* Left out: rules of reach 4, which get the shapes of standard, and rules without closed fives.
 * Their shapes tell an edge from a stone at the far end of a row, which the classes of lines do
 * not. */
static void check_lines_have_the_shapes_of_the_pattern(void) {
    for (int r = 0; r < RULES_ALL; r++) {
        lines_init(RULES[r]);
        if (shape_table(RULES[r])->reach < LINE_REACH) continue;
        if (!rules_traits(RULES[r])->closed_five_wins) continue;
        for (int n = 0; n < 20; n++) {
            make_position(RULES[r], n, PLIES + n % 2, 0);
            BB_FOR_EACH(c, &position.board.empty) {
                Square q;
                put_lines(&position, c, &q);
                check_shapes(c, &q);
            }
        }
    }
}

static void check_exchanged_colours_are_exchanged_back(void) {
    for (int r = 0; r < RULES_ALL; r++) {
        lines_init(RULES[r]);
        check(line_rows() <= 1 << 16, "rule %d: rows fit 16 bits", RULES[r]);
        for (int i = 0; i < LINE_CLASSES; i++)
            check(lines.classes->swapped[lines.classes->swapped[i]] == i, "rule %d: line %d",
                  RULES[r], i);
    }
}

static void check_symmetric_positions_have_one_value(const float *whole) {
    double value[VIEWS];
    for (int n = 0; n < 8; n++)
        for (int view = 0; view < VIEWS; view++) {
            make_position(RULE_FREESTYLE, n, PLIES, view);
            sample_init(&sample[0], eval_table(RULE_FREESTYLE), &position);
            forward(whole, &sample[0], &pass);
            value[view] = value_logit(&pass, sample[0].score);
            check(fabs(value[view] - value[0]) < 1e-3, "position %d, view %d: %f and %f", n, view,
                  value[view], value[0]);
        }
}

static void make_samples(void) {
    for (int n = 0; n < POSITIONS; n++) {
        Sample *s = &sample[n];
        make_position(RULE_FREESTYLE, n, PLIES + n % 3, 0);
        sample_init(s, eval_table(RULE_FREESTYLE), &position);
        s->score = bounded(s->score, 1);
        s->outcome[0] = (float)(n % 4) / 4;
        s->outcome[1] = 0.25f;
        s->outcome[2] = 1 - s->outcome[0] - s->outcome[1];
    }
}

static double loss_at(const float *v, float *whole, float *gradient) {
    float by_out[OUTPUTS];
    double loss = 0;
    fill_sums(whole, v);
    for (int n = 0; n < POSITIONS; n++) {
        forward(whole, &sample[n], &pass);
        loss += loss_of(&pass, &sample[n], by_out);
        if (gradient) backward(whole, &sample[n], &pass, by_out, &by, gradient);
    }
    return loss;
}

/* Moves a little along a part's gradient and back: the loss changes by its squared length. */
static void check_part(float *v, float *whole, const float *gradient, Part p) {
    float *moved = new_vector();
    double squares = 0, loss[2];
    for (size_t i = part[p].at; i < part[p].at + part[p].count; i++)
        squares += (double)gradient[i] * (double)gradient[i];
    const double length = sqrt(squares), step = 0.001;
    for (int side = 0; side < 2; side++) {
        memcpy(moved, v, parameters * sizeof *v);
        for (size_t i = part[p].at; i < part[p].at + part[p].count; i++)
            moved[i] += (float)((side ? -step : step) * (double)gradient[i] / length);
        loss[side] = loss_at(moved, whole, NULL);
    }
    const double found = (loss[0] - loss[1]) / (2 * step);
    check(length > 1e-3, "part %d has a gradient", p);
    check(fabs(found - length) < 0.015 * length, "part %d: %f by differences, %f by the gradient",
          p, found, length);
    free(moved);
}

static void check_gradient(void) {
    Fit f;
    fit_init(&f);
    float *whole = new_vector(), *gradient = new_vector();
    fill_random(part_of(f.v, LINE_ROWS), part[LINE_ROWS].count, 0.1f);
    make_samples();
    loss_at(f.v, whole, gradient);
    gradient_of_shapes(gradient);
    for (int p = 0; p < PARTS; p++) check_part(f.v, whole, gradient, (Part)p);
    fill_whole(whole, f.v);
    check_symmetric_positions_have_one_value(whole);
    free(whole);
    free(gradient);
    fit_free(&f);
}

/* A number beyond its bound only moves back. */
static void check_bounds(void) {
    float *sums = new_vector(), *gradient = new_vector(), *whole = new_vector();
    part_of(sums, OWN)[0] = part_of(sums, OWN)[1] = 2;
    part_of(sums, OWN)[2] = part_of(sums, OWN)[3] = -2;
    for (int i = 0; i < 4; i++) part_of(gradient, OWN)[i] = i % 2 ? 1 : -1;
    stop_at_bounds(sums, gradient, OWN);
    const float *g = part_in(gradient, OWN);
    check(g[0] == 0 && g[1] == 1 && g[2] == -1 && g[3] == 0, "gradients at bounds");
    fill_whole(whole, sums);
    check(part_in(whole, OWN)[0] == (float)NET_SQUARE_MAX / NET_SQUARE_ONE, "a bounded number");
    free(sums);
    free(gradient);
    free(whole);
}

int main(void) {
    check_lines_have_the_shapes_of_the_pattern();
    check_exchanged_colours_are_exchanged_back();
    architecture_init(RULE_FREESTYLE);
    check_gradient();
    check_bounds();
    printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed != 0;
}
