#include "rules/traits.h"

#define BOTH(value) {value, value}

static const RuleTraits FREESTYLE = {
    .closed_five_wins = true,
    .overline = BOTH(OVERLINE_WINS),
};

static const RuleTraits STANDARD = {
    .closed_five_wins = true,
    .overline = BOTH(OVERLINE_DEAD),
};

static const RuleTraits RENJU = {
    .closed_five_wins = true,
    .overline = {[BLACK] = OVERLINE_FORBIDDEN, [WHITE] = OVERLINE_WINS},
    .forbids = {[BLACK] = FORBIDS_RENJU},
};

static const RuleTraits CARO = {
    .overline = BOTH(OVERLINE_WINS),
};

static const RuleTraits CARO_STANDARD = {
    .overline = BOTH(OVERLINE_DEAD),
};

static const RuleTraits NINUKI = {
    .captures = true,
    .five_must_stand = true,
    .closed_five_wins = true,
    .overline = BOTH(OVERLINE_WINS),
    .forbids = BOTH(FORBIDS_DOUBLE_THREES),
};

static const RuleTraits PENTE = {
    .captures = true,
    .closed_five_wins = true,
    .overline = BOTH(OVERLINE_WINS),
};

static const RuleTraits KERYO = {
    .captures = true,
    .triples = true,
    .counts_stones = true,
    .closed_five_wins = true,
    .overline = BOTH(OVERLINE_WINS),
};

const RuleTraits *rules_traits(Rule rule) {
    switch (rule) {
#define CASE(name)                                                                                 \
    case RULE_##name:                                                                              \
        return &name;
        FOR_EACH_RULE(CASE)
#undef CASE
    }
    ASSERT(false); /* no such rule */
    return NULL;
}
