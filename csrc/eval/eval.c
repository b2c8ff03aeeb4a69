#include "eval/eval.h"

#include "base/platform.h"

/* Ninuki: pairs taken, nothing much at first and then steeply more; a pair that can be taken now
 * by either side, by the pairs the taker has already. (000 5.2 and 5.3, in our units) */
static const int16_t PAIRS_VALUE[WIN_PAIRS + 1] = {0, 60, 110, 280, 900, 3000};
static const int16_t TAKE_VALUE[WIN_PAIRS + 1] = {45, 45, 70, 130, 400, 0};

/* --- the tables -------------------------------------------------------------------------- */

static void fill_table(EvalTable *t, Rule rule, const EvalWeights *weights) {
    t->weights = weights;
    pattern_table_init(&t->pattern, shape_table(rule), weights->value);
}

#define DEFINE(name)                                                                               \
    static EvalTable table_##name;                                                                 \
    static Once once_##name = ONCE_INIT;                                                           \
    static void make_##name(void) {                                                                \
        fill_table(&table_##name, RULE_##name, WEIGHTS_##name);                                    \
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

static int pairs_score(const Position *p, Color us) {
    int score = 0;
    for (int i = 0; i < COLORS; i++) {
        const Color c = i ? other(us) : us;
        const int pairs = p->board.pairs[c] < WIN_PAIRS ? p->board.pairs[c] : WIN_PAIRS;
        const int side = PAIRS_VALUE[pairs] + TAKE_VALUE[pairs] * position_capture_count(p, c);
        score += i ? -side : side;
    }
    return score;
}

int eval_score(const EvalTable *t, const Position *p) {
    const EvalWeights *w = t->weights;
    const Color us = position_to_move(p), them = other(us);
    int score = pattern_value(&p->pattern, us) - pattern_value(&p->pattern, them);
    score += w->threat[eval_threats(p, them) << THREAT_BITS | eval_threats(p, us)];
    if (p->rule == RULE_NINUKI) score += pairs_score(p, us);
    return score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score;
}
