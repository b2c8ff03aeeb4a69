#include "shape/line_class.h"

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
