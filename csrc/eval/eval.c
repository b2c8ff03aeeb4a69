#include "eval/eval.h"

#include <string.h>

#include "base/platform.h"

/* --- the tables -------------------------------------------------------------------------- */

/* Two ways of the same length, where there are two, are far ones both. */
static void fill_near(EvalTable *t) {
    for (Cell c = 0; c < CELLS; c++) t->nowhere[c] = (u8)eval_near(NO_CELL, c);
    for (int dy = 1 - MAX_SIZE; dy < MAX_SIZE; dy++)
        for (int dx = 1 - MAX_SIZE; dx < MAX_SIZE; dx++) {
            const Cell from = cell_at(dx < 0 ? MAX_SIZE - 1 : 0, dy < 0 ? MAX_SIZE - 1 : 0);
            const Cell to = (Cell)(from + dy * STRIDE + dx);
            t->near[FARTHEST + to - from] = (u8)eval_near(from, to);
        }
}

static void fill_table(EvalTable *t, Rule rule, const EvalWeights *weights, const Network *network,
                       const Policy *policy) {
    t->weights = weights;
    fill_near(t);
    t->has_network = network != NULL;
    if (network) network_table_init(&t->network, network);
    t->has_policy = network && policy;
    if (t->has_policy) policy_table_init(&t->policy, policy, shape_table(rule));
    pattern_table_init(&t->pattern, shape_table(rule), weights->value);
}

#define DEFINE(name)                                                                               \
    static EvalTable table_##name;                                                                 \
    static Once once_##name = ONCE_INIT;                                                           \
    static void make_##name(void) {                                                                \
        fill_table(&table_##name, RULE_##name, WEIGHTS_##name, NETWORK_##name, POLICY_##name);     \
    }
FOR_EACH_RULE(DEFINE)

const EvalTable *eval_table(Rule rule) {
    switch (rule) {
#define CASE(name)                                                                                 \
    case RULE_##name:                                                                              \
        platform_once(&once_##name, make_##name);                                                  \
        return &table_##name;
        FOR_EACH_RULE(CASE)
    }
    ASSERT(false);
    return NULL;
}

/* --- the score --------------------------------------------------------------------------- */

u32 eval_threats(const Position *p, Color c) {
    u32 set = 0;
    for (int k = SQUARE_THREE; k <= SQUARE_FOUR_THREE; k++)
        set |= (u32)(position_count(p, c, (SquareClass)k) > 0) << (k - SQUARE_THREE);
    const bool open = position_count(p, c, SQUARE_FOURS) || position_count(p, c, SQUARE_OPEN_FOUR);
    return set | (u32)open << 4 | (u32)(position_count(p, c, SQUARE_FIVE) > 0) << 5;
}

int eval_count(const Position *p, Color c, int class) {
    const int n = position_count(p, c, (SquareClass)(SQUARE_THREE + class));
    return n < COUNTS ? n : COUNTS - 1;
}

static int counts_score(const EvalWeights *w, const Position *p, Color us) {
    int score = 0;
    for (int k = 0; k < COUNT_CLASSES; k++)
        score += w->count[0][k][eval_count(p, us, k)] + w->count[1][k][eval_count(p, other(us), k)];
    return score;
}

/* Black's sum less White's. */
static int difference(u64 value) {
    return (int32_t)(u32)value - (int32_t)(u32)(value >> 32);
}

/* Half of it as it stood before the last move: what a stone has just made will be answered. */
static int standing(const Position *p, Color us) {
    const int twice = difference(p->pattern.value) + difference(position_value_before(p));
    return (us == BLACK ? twice : -twice) / 2;
}

static int bounded(int score) {
    return score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score;
}

static int sum_of_weights(const EvalWeights *w, const Position *p) {
    const Color us = position_to_move(p), them = other(us);
    const u32 ours = eval_threats(p, us), theirs = eval_threats(p, them);
    int score = standing(p, us) + counts_score(w, p, us);
    score += w->threat[theirs << THREAT_BITS | ours];
    if (p->traits.captures) score += captures_score(p, ours, theirs);
    return score;
}

static int16_t feature(int value, int least, int most) {
    return (int16_t)(value < least ? least : value > most ? most : value);
}

static int16_t *put_counts(int16_t *at, const Position *p, Color c) {
    for (int k = 0; k < COUNT_CLASSES; k++) *at++ = (int16_t)(eval_count(p, c, k) * NET_ONE / 4);
    return at;
}

/* Squares on which c would capture and make a threat of its own as well. */
static int double_purposes(const Position *p, Color c) {
    int n = 0;
    BB_FOR_EACH(at, position_captures(p, c))
    n += pattern_class(&p->pattern, c, at) >= SQUARE_THREE;
    return n;
}

enum { CAPTURE_FEATURES = 6 };

static int16_t *put_captures(int16_t *at, const Position *p, Color c) {
    const u16 *lines = p->capture_lines.total[c];
    *at++ = (int16_t)(captures_taken(p, c) * NET_ONE / 4);
    *at++ = (int16_t)(captures_counted(p, c) * NET_ONE / 4);
    *at++ = (int16_t)(lines[CAPTURE_NOW] * NET_ONE / 4);
    *at++ = (int16_t)(lines[CAPTURE_THREAT] * NET_ONE / 16);
    *at++ = (int16_t)(lines[CAPTURE_RISK] * NET_ONE / 16);
    *at++ = (int16_t)(double_purposes(p, c) * NET_ONE / 2);
    return at;
}

void eval_features(const Position *p, int score, int16_t out[NET_FEATURES]) {
    const Color us = position_to_move(p), them = other(us);
    const int now = difference(p->pattern.value) * NET_ONE / NET_SCALE;
    const int stones = p->board.size * p->board.size - p->board.empty_count;
    score = score * NET_ONE / NET_SCALE;
    int16_t *at = put_counts(put_counts(out, p, us), p, them);
    *at++ = feature(score, -NET_INPUT_MAX, NET_INPUT_MAX);
    *at++ = feature(score / 2, -2 * NET_ONE, 2 * NET_ONE);
    *at++ = feature(us == BLACK ? now : -now, -8 * NET_ONE, 8 * NET_ONE);
    *at++ = (int16_t)(stones * NET_ONE / 64);
    *at++ = p->traits.forbids[us] == FORBIDS_RENJU ? NET_ONE : 0; /* Black has forbidden moves */
    *at++ = (int16_t)((p->board.size - 15) * NET_ONE / 4);
    ASSERT(at == out + NET_FEATURES - COLORS * CAPTURE_FEATURES);
    if (p->traits.captures)
        put_captures(put_captures(at, p, us), p, them);
    else
        memset(at, 0, COLORS * CAPTURE_FEATURES * sizeof *at);
}

int eval_without_network(const EvalTable *t, const Position *p) {
    return bounded(sum_of_weights(t->weights, p));
}

int eval_score(const EvalTable *t, const Position *p, NetTrail *trail) {
    const int score = eval_without_network(t, p);
    if (!t->has_network) return score;
    int16_t features[NET_FEATURES];
    eval_features(p, score, features);
    NetSums fresh;
    const NetSums *sums = &fresh;
    if (trail)
        sums = network_follow(&t->network, p, trail);
    else
        network_sums(&t->network, p, &fresh);
    return bounded(score + network_correction(&t->network, position_to_move(p), sums, features));
}

/* --- the order of moves ------------------------------------------------------------------ */

void eval_policy(const EvalTable *t, const Position *p, NetTrail *trail, PolicyNode *out) {
    const Color us = position_to_move(p);
    int16_t features[NET_FEATURES], inputs[NET_INPUTS];
    ASSERT(t->has_policy);
    eval_features(p, eval_without_network(t, p), features);
    network_inputs(us, network_follow(&t->network, p, trail), features, inputs);
    policy_node_init(out, &t->policy, &trail->map, us, inputs);
}

/* --- a beginner's view ------------------------------------------------------------------- */

/* The strongest shape of a square, forbidden ones left out. */
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
    enum { RANK = 1024 }; /* above any difference of nearness */
    const Color us = position_to_move(p);
    int theirs = 2 * (int)strongest_line(p, other(us), c);
    if (theirs < 2 * SHAPE_FIVE) theirs -= 2 * eager;
    int ours = 2 * (int)strongest_line(p, us, c) + 1;
    if (bb_has(captures, c) && ours < 2 * SHAPE_THREE + 1) ours = 2 * SHAPE_THREE + 1;
    return (ours > theirs ? ours : theirs) * RANK +
           t->weights->near[eval_near(position_last(p), c)];
}
