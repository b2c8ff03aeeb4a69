#include "shape/line_class.h"

#include <string.h>

#include "base/platform.h"

static LineTable table;
static Once once = ONCE_INIT;

static u32 square_of(u32 key, int distance) {
    return key >> (2 * distance) & 3;
}

static u32 swapped_key(u32 key) {
    u32 swapped = 0;
    for (int i = 0; i < LINE_REACH; i++) {
        const u32 s = square_of(key, i);
        swapped |= (s == 1 ? 2u : s == 2 ? 1u : s) << (2 * i);
    }
    return swapped;
}

static u32 reversed_key(u32 key) {
    u32 reversed = 0;
    for (int i = 0; i < LINE_REACH; i++)
        reversed |= square_of(key, i) << (2 * (LINE_REACH - 1 - i));
    return reversed;
}

static int pair_of(int a, int b) {
    return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

/* In the table of this rule an edge counts as a stone, and the reach is LINE_REACH. */
static void make_table(void) {
    const ShapeTable *sides = shape_table(RULE_STANDARD);
    u8 swapped[LINE_SIDES] = {0};
    ASSERT(sides->reach == LINE_REACH);
    for (u32 key = 0; key < MAX_KEYS; key++) {
        const u32 mirror = reversed_key(key);
        ASSERT(sides->ahead[key] < LINE_SIDES);
        table.ahead[key] = table.behind[mirror] = sides->ahead[key];
        swapped[sides->ahead[key]] = sides->ahead[swapped_key(key)];
    }
    for (int a = 0; a < LINE_SIDES; a++)
        for (int b = 0; b <= a; b++)
            table.swapped[pair_of(a, b)] = (u16)pair_of(swapped[a], swapped[b]);
}

const LineTable *line_table(void) {
    platform_once(&once, make_table);
    return &table;
}

/* A key of each class of sides, as the rule's shapes see it from either end, and whether all keys
 * of the class are the same to the rule. */
typedef struct {
    u32 ahead[LINE_SIDES], behind[LINE_SIDES];
    bool seen[LINE_SIDES], varies[LINE_SIDES];
} SideKeys;

static void find_keys(const ShapeTable *shapes, SideKeys *out) {
    memset(out, 0, sizeof *out);
    for (u32 key = 0; key < MAX_KEYS; key++) {
        const int a = table.ahead[key], b = table.behind[key];
        const u32 near = key & ((1u << (2 * shapes->reach)) - 1);
        if (out->seen[a] && shapes->ahead[out->ahead[a]] != shapes->ahead[near])
            out->varies[a] = true;
        out->seen[a] = true;
        out->ahead[a] = near;
        out->behind[b] = key >> (2 * (LINE_REACH - shapes->reach));
    }
}

void line_shapes(const ShapeTable *shapes, LineShapes *out) {
    const LineTable *t = line_table();
    SideKeys keys;
    find_keys(shapes, &keys);
    for (int a = 0; a < LINE_SIDES; a++)
        for (int b = 0; b <= a; b++) {
            const int behind = shapes->behind[keys.behind[b]], i = pair_of(a, b);
            const u8 pair = shapes->shape[behind * MAX_SIDES + shapes->ahead[keys.ahead[a]]];
            out->pair[BLACK][i] = pair;
            out->pair[WHITE][t->swapped[i]] = (u8)(pair >> 4 | pair << 4);
            out->varies[i] = keys.varies[a] || keys.varies[b];
        }
}

void line_classes_within(int reach, u16 out[LINE_CLASSES]) {
    const LineTable *t = line_table();
    u8 side[LINE_SIDES];
    for (u32 key = 0; key < MAX_KEYS; key++) {
        u32 ended = key;
        for (int i = reach; i < LINE_REACH; i++) ended |= 3u << (2 * i);
        side[t->ahead[key]] = t->ahead[ended];
    }
    for (int a = 0; a < LINE_SIDES; a++)
        for (int b = 0; b <= a; b++) out[pair_of(a, b)] = (u16)pair_of(side[a], side[b]);
}
