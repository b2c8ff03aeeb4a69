/* Incremental shapes equal shapes computed from the stones by their definition.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"
#include "shape/pattern.h"
#include "shape_definition.h"

/* --- a board beside the patterns ----------------------------------------------------------- */

static Board board;
static Pattern pattern;
static PatternTable table;
static u16 weights[COLORS][SQUARE_CODES];
static u8 memos[COLORS][MEMO];
static long seen_shapes[RULE_COUNT][COLORS][SHAPES];

static char letter(int x, int y, Color own) {
    const Stone s = board_stone(&board, x, y);
    return s == EMPTY ? '.' : s == (Stone)own ? 'x' : s == (Stone)other(own) ? 'o' : '#';
}

/* The line through c in a direction, with a stone of `own` on c. */
static void read_line(Cell c, int direction, Color own, char text[LENGTH + 2]) {
    for (int i = -WING - 1; i <= WING + 1; i++)
        text[i + WING + 1] =
            letter(cell_x(c) + i * DIR_DX[direction], cell_y(c) + i * DIR_DY[direction], own);
    text[WING + 1] = 'x';
    text[0] = text[LENGTH + 1] = '#'; /* six squares away nothing matters */
}

static void fill_weights(void) {
    for (int color = 0; color < COLORS; color++)
        for (int i = 0; i < SQUARE_CODES; i++) weights[color][i] = (u16)random_below(4096);
}

static int by_size(const void *a, const void *b) {
    return *(const u8 *)a - *(const u8 *)b;
}

/* A square's code names the unordered set of its shapes. */
static bool code_names(u32 code, const Shape shapes[DIRECTIONS]) {
    u8 sorted[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) sorted[d] = (u8)shapes[d];
    qsort(sorted, DIRECTIONS, 1, by_size);
    return code < SQUARE_CODES && memcmp(table.shapes->members[code], sorted, sizeof sorted) == 0;
}

typedef struct {
    int count[SQUARE_CLASSES];
    Bitboard set[SQUARE_CLASSES];
    int value;
} Recount;

/* One empty square for one colour, four lines. */
static void check_square(int rule, Color color, Cell c, Recount *r) {
    const Side side = {RULES[rule], color};
    Shape shapes[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) {
        char text[LENGTH + 3] = {0};
        read_line(c, d, color, text);
        shapes[d] = by_definition(side, text + 1, memos[color]);
        seen_shapes[rule][color][shapes[d]]++;
        check(pattern_shape(&pattern, color, c, d) == shapes[d],
              "rule %d, colour %d, line %s: shape %d, by definition %d", side.rule, color, text,
              pattern_shape(&pattern, color, c, d), shapes[d]);
    }
    const SquareClass k = class_by_definition(side, shapes);
    check(pattern_class(&pattern, color, c) == k, "rule %d: class of %d", side.rule, c);
    const u32 code = pattern_code(&pattern, color, c);
    check(code_names(code, shapes), "rule %d: code of %d", side.rule, c);
    r->count[k]++;
    bb_add(&r->set[k], c);
    r->value += weights[color][code < SQUARE_CODES ? code : 0];
}

static void check_pattern(int rule) {
    for (int color = 0; color < COLORS; color++) {
        Recount r = {0};
        BB_FOR_EACH(c, &board.empty) check_square(rule, (Color)color, c, &r);
        for (int k = SQUARE_QUIET + 1; k < SQUARE_CLASSES; k++) {
            check(pattern.count[color][k] == r.count[k], "rule %d: count of class %d", RULES[rule],
                  k);
            check(memcmp(&pattern.set[color][k], &r.set[k], sizeof(Bitboard)) == 0,
                  "rule %d: set of class %d", RULES[rule], k);
        }
        check(pattern_value(&pattern, (Color)color) == r.value, "rule %d: sum %d, recounted %d",
              RULES[rule], pattern_value(&pattern, (Color)color), r.value);
    }
}

/* --- sequences ----------------------------------------------------------------------------- */

/* A whole pattern except its stack, whose contents above the top are undefined. */
typedef struct {
    unsigned char bytes[offsetof(Pattern, stack)];
} Snapshot;

static void take(Snapshot *s) {
    memcpy(s->bytes, &pattern, sizeof s->bytes);
}

static bool same(const Snapshot *s) {
    return memcmp(s->bytes, &pattern, sizeof s->bytes) == 0;
}

enum { MAX_STEPS = 160 };

static struct {
    Cell cell;
    Stone stone;
    bool put;
    PatternMark mark;
    Snapshot before;
} steps[MAX_STEPS];

static int step_count;

static void do_step(bool put, Cell c, Stone s) {
    take(&steps[step_count].before);
    steps[step_count].cell = c;
    steps[step_count].stone = s;
    steps[step_count].put = put;
    steps[step_count].mark = put ? pattern_put(&pattern, c, s) : pattern_remove(&pattern, c, s);
    if (put)
        board_put(&board, c, s);
    else
        board_remove(&board, c);
    step_count++;
}

static void undo_step(Rule rule) {
    step_count--;
    const Cell c = steps[step_count].cell;
    const Stone s = steps[step_count].stone;
    if (steps[step_count].put) {
        pattern_undo_put(&pattern, c, s, steps[step_count].mark);
        board_remove(&board, c);
    } else {
        pattern_undo_remove(&pattern, c, s, steps[step_count].mark);
        board_put(&board, c, s);
    }
    check(same(&steps[step_count].before), "rule %d: undoing a %s on %d", rule,
          steps[step_count].put ? "put" : "remove", c);
}

/* Prefers empty squares in line with a stone, so that long lines occur. */
static Cell inviting_cell(Stone s) {
    Cell best = random_cell(&board.empty);
    int most = -1;
    for (int tries = 0; tries < 6; tries++) {
        const Cell c = random_cell(&board.empty);
        int n = 0;
        for (int d = 0; d < DIRECTIONS; d++)
            for (int i = -2; i <= 2; i++)
                n += board_stone(&board, cell_x(c) + i * DIR_DX[d], cell_y(c) + i * DIR_DY[d]) == s;
        if (n > most) {
            most = n;
            best = c;
        }
    }
    return best;
}

static void random_step(void) {
    Bitboard stones = board.stones[BLACK];
    bb_or(&stones, &board.stones[WHITE]);
    const bool put = board.empty_count > 0 && (!bb_any(&stones) || random_below(8) > 0);
    if (put) {
        const Stone s = random_below(24) == 0 ? NEUTRAL : random_below(2) ? BLACK : WHITE;
        do_step(true, inviting_cell(s), s);
    } else if (bb_any(&stones)) {
        const Cell c = random_cell(&stones);
        do_step(false, c, (Stone)board.stone[c]);
    }
}

static void random_sequence(int rule, int size) {
    board_init(&board, size);
    pattern_init(&pattern, &table, size);
    step_count = 0;
    check_pattern(rule);
    const int length = size * size < MAX_STEPS ? size * size : MAX_STEPS;
    while (step_count < length) {
        random_step();
        if (random_below(6) == 0) undo_step(RULES[rule]);
        if (random_below(4) == 0) check_pattern(rule);
    }
    check_pattern(rule);
    while (step_count > 0) {
        undo_step(RULES[rule]);
        if (random_below(8) == 0) check_pattern(rule);
    }
    check_pattern(rule);
}

/* --- tests --------------------------------------------------------------------------------- */

static const u16 *const BY_COLOR[COLORS] = {weights[0], weights[1]};

static void test_sequences(void) {
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        memset(memos, 0, sizeof memos);
        fill_weights();
        pattern_table_init(&table, shape_table(RULES[rule]), BY_COLOR);
        for (int size = MIN_SIZE; size <= MAX_SIZE; size++) random_sequence(rule, size);
        for (int i = 0; i < 6; i++) random_sequence(rule, 7 + (int)random_below(5));
    }
}

/* Exactly the possible shapes of each side have occurred above. */
static void test_shapes_came_up(void) {
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int color = 0; color < COLORS; color++)
            for (int shape = 0; shape < SHAPES; shape++) {
                const bool special = shape == SHAPE_DOUBLE_FOUR || shape == SHAPE_OVERLINE;
                const bool possible = !special || (RULES[rule] == RULE_RENJU && color == BLACK);
                check((seen_shapes[rule][color][shape] > 0) == possible,
                      "rule %d, colour %d: shape %d came up %ld times", RULES[rule], color, shape,
                      seen_shapes[rule][color][shape]);
            }
}

/* Lines for which the shape of a stone on * is known by hand, for the side of the X stones. */
typedef struct {
    const char *row;
    Rule rule;
    Shape shape;
} Line;

static const Line LINES_BY_HAND[] = {
    {".XX*XX.", RULE_FREESTYLE, SHAPE_FIVE},
    {"XXX*XX", RULE_FREESTYLE, SHAPE_FIVE},
    {"XXX*XX", RULE_STANDARD, SHAPE_DEAD},
    {"XXX*XX", RULE_RENJU, SHAPE_OVERLINE},
    {"XXX*XX", RULE_CARO, SHAPE_FIVE},
    {"XXX*XX", RULE_CARO_STANDARD, SHAPE_DEAD},
    {"OXX*XXO", RULE_FREESTYLE, SHAPE_FIVE},
    {"OXX*XXO", RULE_CARO, SHAPE_DEAD},
    {"OXXX*XXO", RULE_CARO, SHAPE_FIVE},
    {"OXX*XX#", RULE_CARO, SHAPE_FIVE},
    {".X*XX.", RULE_FREESTYLE, SHAPE_OPEN_FOUR},
    {"OX*XX.", RULE_FREESTYLE, SHAPE_FOUR},
    {"X.X*X.X", RULE_FREESTYLE, SHAPE_OPEN_FOUR},
    {"X.X*X.X", RULE_RENJU, SHAPE_DOUBLE_FOUR},
    {"X.*XX.X", RULE_RENJU, SHAPE_DOUBLE_FOUR},
    {"X.*XXX.", RULE_RENJU, SHAPE_FOUR},
    {"X.*XXX.", RULE_STANDARD, SHAPE_FOUR},
    {".X*XX.X", RULE_FREESTYLE, SHAPE_OPEN_FOUR},
    {"O.X*XX.O", RULE_CARO, SHAPE_FOUR},
    {"O.X*XX..O", RULE_CARO, SHAPE_FOUR},
    {"O..X*XX..O", RULE_CARO, SHAPE_OPEN_FOUR},
    {"..X*X..", RULE_FREESTYLE, SHAPE_THREE},
    {"O.X*X.O", RULE_FREESTYLE, SHAPE_THREE_CLOSED},
    {"O.X*X..O", RULE_FREESTYLE, SHAPE_THREE_WEAK},
    {"O.X*X...O", RULE_FREESTYLE, SHAPE_THREE_WEAK},
    {"OX*X...", RULE_FREESTYLE, SHAPE_THREE_CLOSED},
    {"O.X*..O", RULE_FREESTYLE, SHAPE_TWO_CLOSED},
    {"O...*O", RULE_FREESTYLE, SHAPE_DEAD},
    {"O..*..O", RULE_FREESTYLE, SHAPE_ONE_CLOSED},
};

static void test_by_hand(void) {
    for (int i = 0; i < COUNT(LINES_BY_HAND); i++) {
        const Line *line = &LINES_BY_HAND[i];
        pattern_table_init(&table, shape_table(line->rule), BY_COLOR);
        for (int view = 0; view < VIEWS_PLAIN; view++) {
            const Scene s = draw_scene((Place)MID, line->row, view);
            pattern_init(&pattern, &table, s.board.size);
            for (Cell c = 0; c < CELLS; c++)
                if (s.board.stone[c] != EMPTY && s.board.stone[c] != OFF_BOARD)
                    pattern_put(&pattern, c, (Stone)s.board.stone[c]);
            bool found = false;
            for (int d = 0; d < DIRECTIONS; d++)
                found = found || pattern_shape(&pattern, BLACK, s.star, d) == line->shape;
            check(found, "rule %d, %s, view %d: shapes %x, not %d", line->rule, line->row, view,
                  pattern_shapes(&pattern, BLACK, s.star), line->shape);
        }
    }
}

/* Codes, pairs of codes and classes of the tables that the update uses. */
static void test_tables(void) {
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        const ShapeTable *t = shape_table(RULES[rule]);
        check(t == shape_table(RULES[rule]), "one table per rule");
        int code = 0;
        for (u32 a = 0; a < SHAPES; a++)
            for (u32 b = a; b < SHAPES; b++)
                for (u32 c = b; c < SHAPES; c++)
                    for (u32 d = c; d < SHAPES; d++, code++) {
                        const Shape shapes[DIRECTIONS] = {(Shape)a, (Shape)b, (Shape)c, (Shape)d};
                        const u32 up = shape_square_code(t, a | b << 4 | c << 8 | d << 12);
                        const u32 down = shape_square_code(t, d | c << 4 | b << 8 | a << 12);
                        const u32 mixed = shape_square_code(t, b | d << 4 | a << 8 | c << 12);
                        bool good = up == down && up == mixed && t->members[up][0] == a &&
                                    t->members[up][3] == d;
                        for (int color = 0; color < COLORS; color++) {
                            const Side side = {RULES[rule], (Color)color};
                            good = good && t->class[color][up] == class_by_definition(side, shapes);
                        }
                        check(good, "rule %d: code of %u %u %u %u", RULES[rule], a, b, c, d);
                    }
        check(code == SQUARE_CODES, "as many codes as sets of four shapes");
    }
}

int main(void) {
    test_tables();
    test_by_hand();
    test_sequences();
    test_shapes_came_up();
    return checks_done();
}
