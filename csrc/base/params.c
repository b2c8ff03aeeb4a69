#include "base/params.h"

#include <string.h>

typedef struct {
    const char *name;
    size_t offset;
    int32_t value, low, high;
} Row;

static const Row ROWS[] = {
#define SWITCH(field, value) {"prune." #field, offsetof(Params, field), value, 0, 1},
#define NUMBER(field, value, low, high) {#field, offsetof(Params, field), value, low, high},
    SWITCHES(SWITCH) NUMBERS(NUMBER)
#undef SWITCH
#undef NUMBER
};

static const ParamAlias ALIAS[] = {
#define ROW(old, name) {old, name},
    PARAM_ALIASES(ROW)
#undef ROW
};

enum { COUNT = sizeof ROWS / sizeof *ROWS, ALIASES = sizeof ALIAS / sizeof *ALIAS };

static int32_t *field_of(Params *p, const Row *row) {
    return (int32_t *)(void *)((char *)p + row->offset);
}

static bool has_row(int index) {
    return index >= 0 && index < COUNT;
}

void params_default(Params *p, Rule rule) {
    for (int i = 0; i < COUNT; i++) *field_of(p, &ROWS[i]) = ROWS[i].value;
#define OF_RULE(name, field, value)                                                                \
    if (rule == RULE_##name) p->field = value;
    RULE_PARAMS(OF_RULE)
#undef OF_RULE
}

bool params_alias(int index, ParamAlias *out) {
    if (index < 0 || index >= ALIASES) return false;
    *out = ALIAS[index];
    return true;
}

/* The present name of a row. */
static const char *present_name(const char *name) {
    for (int i = 0; i < ALIASES; i++)
        if (strcmp(ALIAS[i].old, name) == 0) return ALIAS[i].name;
    return name;
}

bool params_set(Params *p, const char *name, int64_t value) {
    name = present_name(name);
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(ROWS[i].name, name) != 0) continue;
        if (value < ROWS[i].low || value > ROWS[i].high) return false;
        *field_of(p, &ROWS[i]) = (int32_t)value;
        return true;
    }
    return false;
}

int32_t params_get(const Params *p, int index) {
    ASSERT(has_row(index));
    return *(const int32_t *)(const void *)((const char *)p + ROWS[index].offset);
}

bool params_info(int index, Rule rule, ParamInfo *out) {
    if (!has_row(index)) return false;
    const Row *row = &ROWS[index];
    Params standard;
    params_default(&standard, rule);
    *out = (ParamInfo){row->name, params_get(&standard, index), row->low, row->high};
    return true;
}
