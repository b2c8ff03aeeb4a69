#include "eval/eval.h"

#include "base/platform.h"

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

int eval_score(const EvalTable *t, const Position *p) {
    const EvalWeights *w = t->weights;
    const Color us = position_to_move(p), them = other(us);
    int score = pattern_value(&p->pattern, us) - pattern_value(&p->pattern, them);
    const u32 ours = eval_threats(p, us), theirs = eval_threats(p, them);
    score += w->threat[theirs << THREAT_BITS | ours];
    if (p->rule == RULE_NINUKI) score += captures_score(p, ours, theirs);
    return score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score;
}
