#include "eval/evaluate.h"

#include "base/platform.h"

/* --- the tables -------------------------------------------------------------------------- */

/* With two ways of equal length both count as far. */
static void fill_near(EvalTable *t) {
    for (Cell c = 0; c < CELLS; c++) t->nowhere[c] = (u8)eval_near(NO_CELL, c);
    for (int dy = 1 - MAX_SIZE; dy < MAX_SIZE; dy++)
        for (int dx = 1 - MAX_SIZE; dx < MAX_SIZE; dx++) {
            const Cell from = cell_at(dx < 0 ? MAX_SIZE - 1 : 0, dy < 0 ? MAX_SIZE - 1 : 0);
            const Cell to = (Cell)(from + dy * STRIDE + dx);
            t->near[FARTHEST + to - from] = (u8)eval_near(from, to);
        }
}

void eval_table_init(EvalTable *t, const Weights *w) {
    const ShapeTable *shapes = shape_table(w->rule);
    t->weights = *w;
    fill_near(t);
    t->has_network = w->network != NULL;
    if (t->has_network)
        value_net_init(&t->network, &(ValueParts){w->network,
                                                  {w->squares[BLACK], w->squares[WHITE]},
                                                  {w->lines[BLACK], w->lines[WHITE]},
                                                  shapes,
                                                  {w->recent[BLACK], w->recent[WHITE]},
                                                  w->recent_layer});
    t->has_policy = w->policy != NULL;
    if (t->has_policy) policy_net_init(&t->policy, w->policy, w->shapes, shapes);
    const u16 *const value[COLORS] = {w->codes[BLACK]->value, w->codes[WHITE]->value};
    pattern_table_init(&t->pattern, shapes, value);
}

/* Leaves the table without weights if there are none, or if they are of another rule. */
static void make_builtin(EvalTable *t, Rule rule) {
    const WeightsBytes file = weights_builtin(rule);
    Weights weights;
    WeightsFault fault;
    if (file.at && weights_read(&weights, file, &fault) && weights.rule == rule)
        eval_table_init(t, &weights);
}

#define DEFINE(name)                                                                               \
    static EvalTable table_##name;                                                                 \
    static Once once_##name = ONCE_INIT;                                                           \
    static void make_##name(void) {                                                                \
        make_builtin(&table_##name, RULE_##name);                                                  \
    }
FOR_EACH_RULE(DEFINE)

const EvalTable *eval_table(Rule rule) {
    switch (rule) {
#define CASE(name)                                                                                 \
    case RULE_##name:                                                                              \
        platform_once(&once_##name, make_##name);                                                  \
        return table_##name.weights.scores ? &table_##name : NULL;
        FOR_EACH_RULE(CASE)
    }
    ASSERT(false);
    return NULL;
}

/* --- the score --------------------------------------------------------------------------- */

static int counts_score(const ScoreTables *w, const Position *p, Color us) {
    int score = 0;
    for (int k = 0; k < COUNT_CLASSES; k++)
        score += w->count[0][k][eval_count(p, us, k)] + w->count[1][k][eval_count(p, other(us), k)];
    return score;
}

/* Half of the difference before the last move, because the threat of the last stone will be
 * answered. */
static int standing(const Position *p, Color us) {
    const int twice = eval_difference(p->pattern.value) + eval_difference(position_value_before(p));
    return (us == BLACK ? twice : -twice) / 2;
}

static int bounded(int score) {
    return score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score;
}

static int sum_of_weights(const Weights *w, const Position *p) {
    const Color us = position_to_move(p), them = other(us);
    const u32 ours = eval_threats(p, us), theirs = eval_threats(p, them);
    int score = standing(p, us) + counts_score(w->scores, p, us);
    score += w->scores->threat[theirs << THREAT_BITS | ours];
    if (w->captures) score += captures_score(w->captures, p, ours, theirs);
    return score;
}

int eval_without_network(const EvalTable *t, const Position *p) {
    return bounded(sum_of_weights(&t->weights, p));
}

/* The score with the network's correction. a: of the position. */
static ALWAYS_INLINE int corrected(const EvalTable *t, const Position *p, int score,
                                   const Accumulator *a) {
    const ValueNet *net = &t->network;
    int16_t features[NET_FEATURES];
    RecentInputs recent;
    eval_features(p, score, features);
    if (net->recent_layer) recent_inputs(&net->recent, p, a, &recent);
    return bounded(score + value_net_correction(net, position_to_move(p), &a->sums, features,
                                                net->recent_layer ? &recent : NULL));
}

/* Uses 70 KB of the thread's stack. */
static int corrected_from_nothing(const EvalTable *t, const Position *p, int score) {
    Accumulator a;
    accumulator_refresh(&t->network.first, p, &a);
    return corrected(t, p, score, &a);
}

int eval_score(const EvalTable *t, const Position *p, AccumulatorStack *stack) {
    const int score = eval_without_network(t, p);
    if (!t->has_network) return score;
    if (!stack) return corrected_from_nothing(t, p, score);
    accumulator_update(&t->network.first, p, stack);
    return corrected(t, p, score, &stack->top);
}

/* --- the order of moves ------------------------------------------------------------------ */

void eval_policy(const EvalTable *t, const Position *p, AccumulatorStack *stack, PolicyNode *out) {
    const Color us = position_to_move(p);
    int16_t features[NET_FEATURES], inputs[NET_INPUTS];
    ASSERT(t->has_policy);
    eval_features(p, eval_without_network(t, p), features);
    value_net_inputs(us, accumulator_update(&t->network.first, p, stack), features, inputs);
    policy_node_init(out, &t->policy, &stack->top, us, inputs);
}

/* --- a beginner's view ------------------------------------------------------------------- */

/* The strongest shape of a square, without forbidden ones. */
static Shape strongest_line(const Position *p, Color color, Cell c) {
    Shape best = SHAPE_DEAD;
    for (int d = 0; d < DIRECTIONS; d++) {
        const Shape s = pattern_shape(&p->pattern, color, c, d);
        if (s > best && s != SHAPE_DOUBLE_FOUR && s != SHAPE_OVERLINE) best = s;
    }
    return best;
}

int eval_plain_move(const EvalTable *t, const Position *p, Cell c, const Bitboard *captures,
                    int eager) {
    enum { RANK = 1024 }; /* above any difference by distance */
    const Color us = position_to_move(p);
    int theirs = 2 * (int)strongest_line(p, other(us), c);
    if (theirs < 2 * SHAPE_FIVE) theirs -= 2 * eager;
    int ours = 2 * (int)strongest_line(p, us, c) + 1;
    if (bb_has(captures, c) && ours < 2 * SHAPE_THREE + 1) ours = 2 * SHAPE_THREE + 1;
    return (ours > theirs ? ours : theirs) * RANK +
           t->weights.scores->near[eval_near(position_last(p), c)];
}
