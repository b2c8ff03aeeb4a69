/* engine_options.c - implements the part of tengen.h that sets and lists options. */
#include <string.h>

#include "api/engine.h"
#include "search/level.h"

/* The options that are the same for every rule; those of base/params.h follow them. */
enum { OPTION_THREADS, OPTION_LEVEL, OWN_COUNT };

static const TgOption OWN[OWN_COUNT] = {
    [OPTION_THREADS] = {"threads", 1, 1, MAX_THREADS, 1, 0},
    [OPTION_LEVEL] = {"level", LEVEL_FULL, LEVEL_LOWEST, LEVEL_FULL, LEVEL_FULL, 0},
};

int engine_rule_index(Rule rule) {
    int index = 0;
#define FIND(name)                                                                                 \
    if (rule == RULE_##name) return index;                                                         \
    index++;
    FOR_EACH_RULE(FIND)
#undef FIND
    ASSERT(false); /* no such rule */
    return 0;
}

static bool is_own(const char *name, int option) {
    return strcmp(name, OWN[option].name) == 0;
}

static bool own_takes(int option, int64_t value) {
    return value >= OWN[option].low && value <= OWN[option].high;
}

TgStatus tg_set_rule_option(TgEngine *e, int32_t rule, const char *name, int64_t value) {
    if (!e || !name) return TG_ERR_ARGUMENT;
    if (!is_rule(rule)) return TG_ERR_RULE;
    if (is_own(name, OPTION_THREADS)) {
        if (!own_takes(OPTION_THREADS, value)) return TG_ERR_OPTION;
        smp_resize(&e->crew, (int)value);
        return TG_OK;
    }
    if (is_own(name, OPTION_LEVEL)) {
        if (!own_takes(OPTION_LEVEL, value)) return TG_ERR_OPTION;
        e->level = (int)value;
        return TG_OK;
    }
    Params *params = &e->params[engine_rule_index((Rule)rule)];
    return params_set(params, name, value) ? TG_OK : TG_ERR_OPTION;
}

TgStatus tg_set_option(TgEngine *e, const char *name, int64_t value) {
    if (!e) return TG_ERR_ARGUMENT;
    return tg_set_rule_option(e, (int32_t)e->pos.rule, name, value);
}

TgStatus tg_option(const TgEngine *e, int32_t rule, int32_t index, TgOption *out) {
    if (!e || !out || index < 0) return TG_ERR_ARGUMENT;
    if (!is_rule(rule)) return TG_ERR_RULE;
    if (index < OWN_COUNT) {
        *out = OWN[index];
        out->value = index == OPTION_THREADS ? e->crew.wanted : e->level;
        return TG_OK;
    }
    ParamInfo info;
    if (!params_info(index - OWN_COUNT, (Rule)rule, &info)) return TG_ERR_ARGUMENT;
    const Params *params = &e->params[engine_rule_index((Rule)rule)];
    const int32_t value = params_get(params, index - OWN_COUNT);
    *out = (TgOption){info.name, info.standard, info.low, info.high, value, 1};
    return TG_OK;
}

TgStatus tg_option_alias(int32_t index, TgOptionAlias *out) {
    ParamAlias alias;
    if (!out || !params_alias(index, &alias)) return TG_ERR_ARGUMENT;
    *out = (TgOptionAlias){alias.old, alias.name};
    return TG_OK;
}
