/* shape_definition.h - what shape a stone makes, by the definition of shapes, slowly.
 *
 * A line is read as text around the square asked about, which holds a stone:
 *
 *      x own   o the other side's   # nobody's, or off the board   . empty
 *
 * Only one thing is asked of the rules: which five of it win. All else follows: a four is what one
 * more stone makes a five, an open four what no single stone of the other side stops, and so on.
 */
#ifndef TESTS_SHAPE_DEFINITION_H
#define TESTS_SHAPE_DEFINITION_H

#include <string.h>

#include "shape/pattern.h"

enum { WING = 5, LENGTH = 2 * WING + 1, MEMO = 1 << (2 * (LENGTH - 1)) };

/* The colour and the rule. */
typedef struct {
    Rule rule;
    Color color;
} Side;

static inline bool exact(Side side) {
    return side.rule == RULE_STANDARD || side.rule == RULE_CARO_STANDARD ||
           (side.rule == RULE_RENJU && side.color == BLACK);
}

static inline bool closable(Side side) {
    return side.rule == RULE_CARO || side.rule == RULE_CARO_STANDARD;
}

/* Whether the five squares from `first` on win; text[-1] and text[LENGTH] are readable. */
static inline bool is_five(Side side, const char *text, int first) {
    for (int i = first; i < first + 5; i++)
        if (text[i] != 'x') return false;
    const char before = text[first - 1], after = text[first + 5];
    if (before == 'x' || after == 'x') return !exact(side); /* six or more */
    return !(closable(side) && before == 'o' && after == 'o');
}

/* The first square of a winning five through the middle, or -1. */
static inline int five_through_middle(Side side, const char *text) {
    for (int first = WING - 4; first <= WING; first++)
        if (is_five(side, text, first)) return first;
    return -1;
}

static inline bool is_overline(const char *text) {
    for (int first = 0; first <= WING; first++)
        if (memcmp(text + first, "xxxxxx", 6) == 0) return true;
    return false;
}

/* Whether one more stone makes a five; `fives` counts the squares. */
static inline bool is_four(Side side, char *text, int *fives) {
    *fives = 0;
    for (int i = 0; i < LENGTH; i++) {
        if (text[i] != '.') continue;
        text[i] = 'x';
        *fives += five_through_middle(side, text) >= 0;
        text[i] = '.';
    }
    return *fives > 0;
}

static inline bool can_be_stopped(Side side, char *text) {
    bool stopped = false;
    int fives;
    for (int i = 0; i < LENGTH && !stopped; i++) {
        if (text[i] != '.') continue;
        text[i] = 'o';
        stopped = !is_four(side, text, &fives);
        text[i] = '.';
    }
    return stopped;
}

/* The number of Black's fours under renju, which differ by their stones. */
static inline int renju_fours(Side side, char *text) {
    char seen[LENGTH][8] = {{0}};
    int count = 0;
    for (int i = 0; i < LENGTH; i++) {
        if (text[i] != '.') continue;
        text[i] = 'x';
        const int first = five_through_middle(side, text);
        text[i] = '.';
        if (first < 0) continue;
        char stones[8] = {0}; /* their places, as letters */
        for (int j = first, n = 0; j < first + 5; j++)
            if (j != i) stones[n++] = (char)('a' + j);
        bool known = false;
        for (int k = 0; k < count; k++) known = known || strcmp(seen[k], stones) == 0;
        if (!known) memcpy(seen[count++], stones, sizeof stones);
    }
    return count;
}

static inline Shape four_by_definition(Side side, char *text, int fives) {
    if (side.rule == RULE_RENJU && side.color == BLACK) {
        if (renju_fours(side, text) > 1) return SHAPE_DOUBLE_FOUR;
        return fives > 1 ? SHAPE_OPEN_FOUR : SHAPE_FOUR;
    }
    return can_be_stopped(side, text) ? SHAPE_FOUR : SHAPE_OPEN_FOUR;
}

static inline Shape by_definition(Side side, char *text, u8 *memo);

/* The best shape that one more stone can make, and so the shape itself. */
static inline Shape below_a_four(Side side, char *text, u8 *memo) {
    static const Shape STEPS[][2] = {
        {SHAPE_FOUR, SHAPE_THREE_CLOSED},
        {SHAPE_DOUBLE_FOUR, SHAPE_THREE_CLOSED},
        {SHAPE_THREE, SHAPE_TWO},
        {SHAPE_THREE_WEAK, SHAPE_TWO_WEAK},
        {SHAPE_THREE_CLOSED, SHAPE_TWO_CLOSED},
        {SHAPE_TWO, SHAPE_ONE},
        {SHAPE_TWO_WEAK, SHAPE_ONE},
        {SHAPE_TWO_CLOSED, SHAPE_ONE_CLOSED},
    };
    int makes[SHAPES] = {0};
    for (int i = 0; i < LENGTH; i++) {
        if (text[i] != '.') continue;
        text[i] = 'x';
        makes[by_definition(side, text, memo)]++;
        text[i] = '.';
    }
    if (makes[SHAPE_OPEN_FOUR] > 1) return SHAPE_THREE;
    if (makes[SHAPE_OPEN_FOUR] == 1) return SHAPE_THREE_WEAK;
    for (int i = 0; i < COUNT(STEPS); i++)
        if (makes[STEPS[i][0]]) return STEPS[i][1];
    return SHAPE_DEAD;
}

static inline u32 memo_index(const char *text) {
    u32 index = 0;
    for (int i = 0; i < LENGTH; i++) {
        if (i == WING) continue;
        index = index * 4 + (u32)(strchr("xo#.", text[i]) - "xo#.");
    }
    return index;
}

/* memo: one more than the shape of each text met so far, 0 for the others. */
static inline Shape by_definition(Side side, char *text, u8 *memo) {
    u8 *known = &memo[memo_index(text)];
    if (*known) return (Shape)(*known - 1);
    int fives;
    Shape shape;
    if (five_through_middle(side, text) >= 0)
        shape = SHAPE_FIVE;
    else if (exact(side) && is_overline(text))
        shape = side.rule == RULE_RENJU ? SHAPE_OVERLINE : SHAPE_DEAD;
    else if (is_four(side, text, &fives))
        shape = four_by_definition(side, text, fives);
    else
        shape = below_a_four(side, text, memo);
    *known = (u8)(shape + 1);
    return shape;
}

static inline SquareClass class_by_definition(Side side, const Shape shapes[DIRECTIONS]) {
    int n[SHAPES] = {0};
    for (int d = 0; d < DIRECTIONS; d++) n[shapes[d]]++;
    const int fours = n[SHAPE_FOUR] + n[SHAPE_OPEN_FOUR];
    const int threes = n[SHAPE_THREE] + n[SHAPE_THREE_WEAK];
    const bool forbids = side.rule == RULE_RENJU && side.color == BLACK;
    if (n[SHAPE_FIVE]) return SQUARE_FIVE;
    if (forbids && (n[SHAPE_OVERLINE] || n[SHAPE_DOUBLE_FOUR] || fours > 1))
        return SQUARE_FORBIDDEN;
    if (n[SHAPE_OPEN_FOUR]) return SQUARE_OPEN_FOUR;
    if (fours > 1) return SQUARE_FOURS;
    if (fours && threes) return SQUARE_FOUR_THREE;
    if (fours) return SQUARE_FOUR;
    return threes > 1 ? SQUARE_THREES : threes ? SQUARE_THREE : SQUARE_QUIET;
}

#endif
