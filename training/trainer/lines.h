/* lines.h - numbers for whole lines.
 *
 * A line is seen from a square as two sides. Each side is one of the joint classes of shape.h, and
 * a line reads the same from both ends: so it is an unordered pair of classes. A line has a row for
 * an empty square, for an own stone and for a foreign stone on the square. In a row's number the
 * viewer is always "Black": the other view has the number of the line with exchanged colours.
 */
#ifndef TRAINER_LINES_H
#define TRAINER_LINES_H

#include "position/position.h"

enum { PAIRS_MAX = MAX_SIDES * (MAX_SIDES + 1) / 2, LINE_KINDS = 3, SHAPE_PAIRS = 256 };

static struct {
    const ShapeTable *shapes;
    int pairs, laws;        /* lines; laws: 2 where the colours have different ones */
    u16 swapped[PAIRS_MAX]; /* the line with exchanged colours */
    u8 shape[2][PAIRS_MAX]; /* by law: the viewer's shape | the other side's << 4 */
} lines;

static inline int pair_of(int a, int b) {
    const int high = a > b ? a : b, low = a > b ? b : a;
    return high * (high + 1) / 2 + low;
}

static inline int line_rows(void) {
    return LINE_KINDS * lines.pairs * lines.laws;
}

/* The first row of a kind: 0 empty, 1 own stone, 2 foreign stone. */
static inline int line_kind(int law, int kind) {
    return (law * LINE_KINDS + kind) * lines.pairs;
}

static inline u32 swapped_key(u32 key, int reach) {
    u32 swapped = 0;
    for (int i = 0; i < reach; i++) {
        const u32 s = key >> 2 * i & 3;
        swapped |= (s == 1 ? 2 : s == 2 ? 1 : s) << 2 * i;
    }
    return swapped;
}

/* Classes of reach 5 under every rule, so that all rules share their numbers; caro has its own. */
static inline void lines_init(Rule rule) {
    const ShapeTable *t = shape_table(rule);
    int swapped[MAX_SIDES] = {0}, most = 0;
    if (t->reach < MAX_REACH) t = shape_table(RULE_STANDARD);
    for (u32 key = 0; key < 1u << 2 * t->reach; key++) {
        swapped[t->ahead[key]] = t->ahead[swapped_key(key, t->reach)];
        if (t->ahead[key] > most) most = t->ahead[key];
    }
    lines.shapes = t;
    lines.pairs = (most + 1) * (most + 2) / 2;
    lines.laws = rule == RULE_RENJU ? 2 : 1;
    for (int a = 0; a <= most; a++)
        for (int b = 0; b <= a; b++) {
            const int pair = pair_of(a, b), other = pair_of(swapped[a], swapped[b]);
            const u8 shape = t->shape[a * MAX_SIDES + b];
            lines.swapped[pair] = (u16)other;
            lines.shape[0][pair] = shape;
            lines.shape[1][other] = (u8)(shape >> 4 | shape << 4);
        }
}

/* The line of a square, Black's view. */
static inline int line_at(const Position *p, Cell c, int direction) {
    const ShapeTable *t = lines.shapes;
    const u64 word = p->pattern.line[line_index(c, direction)];
    const int at = line_position(c, direction);
    return pair_of(t->behind[line_key_behind(word, at, t->reach)],
                   t->ahead[line_key_ahead(word, at, t->reach)]);
}

#endif
