#include "eval/eval.h"

#include "base/platform.h"

/* --- the weights ------------------------------------------------------------------------- */

/* Steps of roughly ten between shapes that differ by one stone, seen over the squares of a line:
 * an open three is two squares of an open four and two of a four. Set by hand; a tuner writes
 * here. */
static const u16 SHAPE_VALUE[SHAPES] = {
    [SHAPE_DEAD] = 0,          [SHAPE_ONE_CLOSED] = 1,    [SHAPE_ONE] = 5,
    [SHAPE_TWO_CLOSED] = 7,    [SHAPE_TWO_WEAK] = 16,     [SHAPE_TWO] = 22,
    [SHAPE_THREE_CLOSED] = 27, [SHAPE_THREE_WEAK] = 60,   [SHAPE_THREE] = 76,
    [SHAPE_FOUR] = 95,         [SHAPE_OPEN_FOUR] = 300,   [SHAPE_DOUBLE_FOUR] = 40,
    [SHAPE_FIVE] = 400,        [SHAPE_OVERLINE] = 0,
};

static const u16 CLASS_VALUE[SQUARE_CLASSES] = {
    [SQUARE_THREES] = 90, [SQUARE_FOUR_THREE] = 220, [SQUARE_FOURS] = 280,
};

/* A square that the law takes from its colour is worth this in all, whatever its shapes. */
enum { BARRED_VALUE = 0, SUSPECT_VALUE = 30 };

static const int16_t SHAPE_ATTACK[SHAPES] = {
    [SHAPE_DEAD] = 0,          [SHAPE_ONE_CLOSED] = 2,  [SHAPE_ONE] = 10,
    [SHAPE_TWO_CLOSED] = 16,   [SHAPE_TWO_WEAK] = 34,   [SHAPE_TWO] = 42,
    [SHAPE_THREE_CLOSED] = 40, [SHAPE_THREE_WEAK] = 90, [SHAPE_THREE] = 105,
    [SHAPE_FOUR] = 90,         [SHAPE_OPEN_FOUR] = 600, [SHAPE_DOUBLE_FOUR] = 0,
    [SHAPE_FIVE] = 2000,       [SHAPE_OVERLINE] = 0,
};

static const int16_t SHAPE_DEFENCE[SHAPES] = {
    [SHAPE_DEAD] = 0,          [SHAPE_ONE_CLOSED] = 1,  [SHAPE_ONE] = 7,
    [SHAPE_TWO_CLOSED] = 8,    [SHAPE_TWO_WEAK] = 24,   [SHAPE_TWO] = 30,
    [SHAPE_THREE_CLOSED] = 20, [SHAPE_THREE_WEAK] = 60, [SHAPE_THREE] = 75,
    [SHAPE_FOUR] = 50,         [SHAPE_OPEN_FOUR] = 400, [SHAPE_DOUBLE_FOUR] = 0,
    [SHAPE_FIVE] = 1500,       [SHAPE_OVERLINE] = 0,
};

static const int16_t CLASS_ATTACK[SQUARE_CLASSES] = {
    [SQUARE_THREES] = 200,
    [SQUARE_FOUR_THREE] = 450,
    [SQUARE_FOURS] = 550,
};

/* What the side to move makes of its best threat, and what the other side's best one costs. */
static const int16_t THREAT_US[SQUARE_CLASSES] = {
    [SQUARE_THREE] = 40,       [SQUARE_THREES] = 250,  [SQUARE_FOUR] = 50,
    [SQUARE_FOUR_THREE] = 600, [SQUARE_FOURS] = 1200,  [SQUARE_OPEN_FOUR] = 1200,
    [SQUARE_FIVE] = 3000,
};

static const int16_t THREAT_THEM[SQUARE_CLASSES] = {
    [SQUARE_THREE] = 0,        [SQUARE_THREES] = 60,  [SQUARE_FOUR] = 10,
    [SQUARE_FOUR_THREE] = 150, [SQUARE_FOURS] = 250,  [SQUARE_OPEN_FOUR] = 200,
    [SQUARE_FIVE] = 300,
};

/* Ninuki: pairs taken, nothing much at first and then steeply more; a pair that can be taken now
 * by either side, by the pairs the taker has already. (000 5.2 and 5.3, in our units) */
static const int16_t PAIRS_VALUE[WIN_PAIRS + 1] = {0, 60, 110, 280, 900, 3000};
static const int16_t TAKE_VALUE[WIN_PAIRS + 1] = {45, 45, 70, 130, 400, 0};

/* --- the tables -------------------------------------------------------------------------- */

static void fill_code(EvalTable *t, SquareWeights *w, const ShapeTable *s, int color, int code) {
    const SquareClass k = (SquareClass)s->class[color][code];
    int value = CLASS_VALUE[k], attack = CLASS_ATTACK[k], defence = CLASS_ATTACK[k] / 2;
    for (int d = 0; d < DIRECTIONS; d++) {
        const u8 shape = s->members[code][d];
        value += SHAPE_VALUE[shape];
        attack += SHAPE_ATTACK[shape];
        defence += SHAPE_DEFENCE[shape];
    }
    if (k == SQUARE_BARRED) {
        value = BARRED_VALUE;
        attack = defence = 0;
    } else if (s->suspect[color][code] && value > SUSPECT_VALUE && k == SQUARE_THREES) {
        value = SUSPECT_VALUE;
    }
    w->value[color][code] = (u16)value;
    t->attack[color][code] = (int16_t)attack;
    t->defence[color][code] = (int16_t)defence;
}

static void fill_table(EvalTable *t, Rule rule) {
    const ShapeTable *shapes = shape_table(rule);
    SquareWeights weights;
    for (int color = 0; color < COLORS; color++)
        for (int code = 0; code < SQUARE_CODES; code++) fill_code(t, &weights, shapes, color, code);
    pattern_table_init(&t->pattern, shapes, &weights);
}

#define DEFINE(name)                                                                               \
    static EvalTable table_##name;                                                                 \
    static Once once_##name = ONCE_INIT;                                                           \
    static void make_##name(void) {                                                                \
        fill_table(&table_##name, RULE_##name);                                                    \
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

static bool bars_threes(const Position *p, Color c) {
    return p->rule == RULE_NINUKI || (p->rule == RULE_RENJU && c == BLACK);
}

static int best_threat(const Position *p, Color c, const int16_t worth[SQUARE_CLASSES]) {
    int best = 0;
    for (int k = SQUARE_THREE; k <= SQUARE_FIVE; k++) {
        if (k == SQUARE_THREES && bars_threes(p, c)) continue;
        if (position_count(p, c, (SquareClass)k) && worth[k] > best) best = worth[k];
    }
    return best;
}

static int pairs_score(const Position *p, Color us) {
    int score = 0;
    for (int i = 0; i < COLORS; i++) {
        const Color c = i ? other(us) : us;
        const int pairs = p->board.pairs[c] < WIN_PAIRS ? p->board.pairs[c] : WIN_PAIRS;
        const Bitboard takes = position_captures(p, c);
        const int side = PAIRS_VALUE[pairs] + TAKE_VALUE[pairs] * bb_count(&takes);
        score += i ? -side : side;
    }
    return score;
}

int eval_score(const Position *p) {
    const Color us = position_to_move(p), them = other(us);
    int score = pattern_value(&p->pattern, us) - pattern_value(&p->pattern, them);
    score += best_threat(p, us, THREAT_US) - best_threat(p, them, THREAT_THEM);
    if (p->rule == RULE_NINUKI) score += pairs_score(p, us);
    return score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score;
}
