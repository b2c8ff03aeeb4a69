#include "base/params.h"

#include <string.h>

typedef struct {
    const char *name;
    size_t offset;
    int32_t value, low, high;
} Row;

static const Row ROWS[] = {
#define ROW(field, name, value, low, high) {name, offsetof(Params, field), value, low, high},
    PARAMS(ROW)
#undef ROW
};

enum { COUNT = sizeof ROWS / sizeof *ROWS };

static int32_t *field_of(Params *p, const Row *row) {
    return (int32_t *)(void *)((char *)p + row->offset);
}

void params_default(Params *p, Rule rule) {
    for (int i = 0; i < COUNT; i++) *field_of(p, &ROWS[i]) = ROWS[i].value;
    if (rule != RULE_NINUKI) return;
#define OTHERWISE(field, value) p->field = value;
    NINUKI_PARAMS(OTHERWISE)
#undef OTHERWISE
}

bool params_set(Params *p, const char *name, int64_t value) {
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(ROWS[i].name, name) != 0) continue;
        if (value < ROWS[i].low || value > ROWS[i].high) return false;
        *field_of(p, &ROWS[i]) = (int32_t)value;
        return true;
    }
    return false;
}

const char *params_name(int index) {
    return index >= 0 && index < COUNT ? ROWS[index].name : NULL;
}
