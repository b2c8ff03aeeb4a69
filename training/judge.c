/* judge.c - judges the networks of the core by the yardstick (yardstick.h).
 *
 *     judge YARDSTICK [--weights FILE.tgw]... [--sum] [--first N] [--each]
 *
 * It prints a line for each rule and one for all positions:
 *
 *     value  the root mean square of the difference between the win rates of the static score and
 *            of the deep score, 1 / (1 + exp(-score / 220)), and its standard error
 *     scaled the same after multiplying the static score by its best factor: it tells a network
 *            that knows little from one that only exaggerates
 *     order  in the positions that the search does not answer by force: the log loss of the deep
 *            move, by a softmax over the candidates of a hundredth of their scores, and the
 *            share of positions in which the deep move is first
 *
 *     --weights FILE.tgw  judge this file instead of the built-in weights of its rule
 *     --sum      judge the sum of the weights, without the value network
 *     --first N  use the first N positions only
 *     --each     print a line for each position: rule, static score, deep score, and log loss
 *                or -1
 *
 * With -DJUDGE_VALUE_ONLY it needs the public interface only, and has no order, --sum and
 * --weights. It can then judge other versions of the core.
 */
#include "arguments.h"
#include "judged.h"
#include "output.h"
#include "yardstick.h"
#ifndef JUDGE_VALUE_ONLY
#include "ordered.h"
#include "table_file.h"
#endif

enum { ALL = MEASURE_RULES, RULES = ALL + 1, JUDGE_TABLE_KIB = 64 };
static const char *const RULE_NAME[RULES] = {"freestyle", "standard", "renju", "caro", "caro std",
                                             "ninuki",    "pente",    "keryo", "all"};

typedef struct {
    TgEngine *engine;
    bool sum;
#ifndef JUDGE_VALUE_ONLY
    Position *position;
    AccumulatorStack *stack;
    const EvalTable
        *own[RULES]; /* by rule, in the order of MEASURE_RULE; NULL: the built-in weights */
#endif
} Judge;

static bool play_all(TgEngine *e, const Measure *m) {
    TgOutcome outcome;
    if (tg_reset(e, m->size, m->rule) != TG_OK) return false;
    for (int i = 0; i < m->plies; i++)
        if (tg_play(e, m->move[i], &outcome) != TG_OK) return false;
    return true;
}

#ifdef JUDGE_VALUE_ONLY
static void judge_order(const Judge *j, const Measure *m, Judged *v) {
    (void)j;
    (void)m;
    v->loss = -1;
}

static int score_of(const Judge *j, const Measure *m) {
    int32_t score = 0;
    (void)m;
    if (tg_evaluate(j->engine, &score) != TG_OK) abort();
    return score;
}
#else
static int index_of(int rule) {
    for (int i = 0; i < ALL; i++)
        if (MEASURE_RULE[i] == rule) return i;
    abort();
}

static const EvalTable *table_of(const Judge *j, int rule) {
    const EvalTable *own = j->own[index_of(rule)];
    return own ? own : eval_table((Rule)rule);
}

static Position *position_of(const Judge *j, const Measure *m) {
    Position *p = j->position;
    position_init(p, (Rule)m->rule, &table_of(j, m->rule)->pattern, m->size);
    for (int i = 0; i < m->plies; i++) position_make(p, cell_at(m->move[i].x, m->move[i].y));
    j->stack->steps = 0;
    return p;
}

static void judge_order(const Judge *j, const Measure *m, Judged *v) {
    Position *p = position_of(j, m);
    judge_moves(table_of(j, m->rule), p, j->stack, cell_at(m->best.x, m->best.y), v);
}

static int score_of(const Judge *j, const Measure *m) {
    const Position *p = position_of(j, m);
    const EvalTable *t = table_of(j, m->rule);
    return j->sum ? eval_without_network(t, p) : eval_score(t, p, j->stack);
}
#endif

static Judged judge_one(const Judge *j, const Yardstick *y, int index) {
    const Measure *m = &y->at[index];
    if (!play_all(j->engine, m)) yardstick_fail(y, index, "a position that cannot be played");
    Judged v = {.rule = m->rule, .score = score_of(j, m), .deep = m->score, .loss = -1};
    judge_order(j, m, &v);
    return v;
}

static void print_rule(const char *name, const Judged *v, int count, int rule) {
    int n = 0;
    for (int i = 0; i < count; i++) n += judged_is_of(&v[i], rule);
    if (!n) return;
    printf("%-9s %5d  ", name, n);
    judged_print(v, count, rule);
    judged_print_order(v, count, rule);
    printf("\n");
}

static int usage(void) {
    fprintf(stderr,
            "usage: judge YARDSTICK [--weights FILE.tgw]... [--sum] [--first N] [--each]\n");
    return 2;
}

int main(int argc, char **argv) {
    static Judge judge;
    int most = -1;
    bool each = false;
    if (argc < 2) return usage();
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--each") == 0)
            each = true;
        else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc &&
                 read_int(argv[i + 1], 1, INT32_MAX, &most))
            i++;
#ifndef JUDGE_VALUE_ONLY
        else if (strcmp(argv[i], "--sum") == 0)
            judge.sum = true;
        else if (strcmp(argv[i], "--weights") == 0 && i + 1 < argc) {
            const EvalTable *t = table_of_file(argv[++i]);
            judge.own[index_of((int)t->weights.rule)] = t;
        }
#endif
        else
            return usage();
    }
    signal(SIGXFSZ, SIG_IGN); /* output_is_good reports it */
    const TgConfig config = {.size = 15, .threads = 1, .memory_kib = JUDGE_TABLE_KIB};
    if (tg_new(&config, &judge.engine) != TG_OK) return 1;
#ifndef JUDGE_VALUE_ONLY
    judge.position = malloc(sizeof *judge.position);
    judge.stack = platform_alloc(sizeof *judge.stack);
    if (!judge.position || !judge.stack) return 1;
#endif
    const Yardstick y = yardstick_read(argv[1], most);
    Judged *judged = calloc((size_t)y.count + 1, sizeof *judged);
    if (!judged) return 1;
    for (int i = 0; i < y.count; i++) {
        const Judged *v = &judged[i];
        judged[i] = judge_one(&judge, &y, i);
        if (each) printf("%d %d %d %.4f\n", v->rule, v->score, v->deep, v->loss);
    }
    for (int i = 0; i < RULES && !each; i++)
        print_rule(RULE_NAME[i], judged, y.count, i == ALL ? -1 : MEASURE_RULE[i]);
    return output_is_good("judge") ? 0 : 1;
}
