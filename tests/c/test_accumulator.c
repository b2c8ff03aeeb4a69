/* The sums of the network's first layer: kept from move to move, computed from nothing, and by
 * hand, they are the same.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "eval/evaluate.h"

static Position pos;
static AccumulatorStack stack;

/* Lines of random numbers, the largest ones included; those that are alike within the rule's reach;
 * the largest ones; and lines of zeroes. */
static NetLines lines[COLORS], near_lines[COLORS], largest_lines[COLORS], no_lines[COLORS];
static LineRows line_rows;

static void draw_lines(u32 seed) {
    int8_t *at = lines[0].row[0][0];
    for (size_t i = 0; i < sizeof lines; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (int8_t)((int)(seed >> 8) % (2 * NET_LINE_MAX + 1) - NET_LINE_MAX);
    }
}

static void draw_near_lines(int reach) {
    u16 within[LINE_CLASSES];
    line_classes_within(reach, within);
    for (int law = 0; law < COLORS; law++)
        for (int s = 0; s < NET_STANDS; s++)
            for (int i = 0; i < LINE_CLASSES; i++)
                memcpy(near_lines[law].row[s][i], lines[law].row[s][within[i]], NET_LINE_WIDTH);
}

/* Any weights serve this test: the built-in ones, those with lines, or the largest ones, with
 * random signs or without; renju's have two laws. */
typedef enum {
    BUILT_IN,
    WITH_LINES,
    WITH_NEAR_LINES,
    WITHOUT_ROWS,
    LARGEST,
    LARGEST_ABOVE_0,
    KINDS
} Kind;

static NetSquares largest[COLORS];
static int16_t largest_factor[NET_RINGS][NET_WIDTH], largest_bias[NET_WIDTH];

static void draw_signs(int8_t *at, size_t count, int8_t most, bool signs, u32 seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (int8_t)(signs && seed >> 31 ? -most : most);
    }
}

static void draw_largest(bool signs, u32 seed) {
    draw_signs(largest[0].code[0].own, sizeof largest, NET_SQUARE_MAX, signs, seed);
    draw_signs(largest_lines[0].row[0][0], sizeof largest_lines, NET_LINE_MAX, signs, seed + 1);
    for (int i = 0; i < NET_WIDTH; i++) {
        for (int ring = 0; ring < NET_RINGS; ring++) {
            const int most = ring == 0 ? NET_FACTOR_MAX : NET_RING_MAX;
            largest_factor[ring][i] = (int16_t)(signs && i % 3 == ring ? -most : most);
        }
        largest_bias[i] = signs && i % 2 ? -NET_BIAS_MAX : NET_BIAS_MAX;
    }
}

static FirstLayer first_layer(Rule rule, Kind kind) {
    const bool two_laws = rule == RULE_RENJU;
    const Weights *w = &eval_table(two_laws ? RULE_RENJU : RULE_FREESTYLE)->weights;
    const NetLines *const of_kind[KINDS] = {NULL,     lines,         near_lines,
                                            no_lines, largest_lines, largest_lines};
    FirstLayer of = {w->network->factor,
                     w->network->bias,
                     {w->squares[BLACK], w->squares[WHITE]},
                     {NULL, NULL},
                     shape_table(rule)};
    if (kind == WITH_NEAR_LINES) draw_near_lines(of.shapes->reach);
    if (kind != BUILT_IN) {
        of.lines[BLACK] = &of_kind[kind][0];
        of.lines[WHITE] = &of_kind[kind][two_laws];
    }
    if (kind == LARGEST || kind == LARGEST_ABOVE_0) {
        draw_largest(kind == LARGEST, 7);
        of.factor = largest_factor;
        of.bias = largest_bias;
        of.squares[BLACK] = &largest[0];
        of.squares[WHITE] = &largest[two_laws];
    }
    return of;
}

/* The line through a square in a colour's view, read from the board: each side up to five squares,
 * or to the first square that blocks both colours. Returns its class. */
static int class_by_hand(Cell c, int d, Color viewer) {
    u32 key[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < LINE_REACH; i++) {
            const int by = (side ? -1 : 1) * (i + 1);
            const int x = cell_x(c) + by * (d == 1 ? 0 : 1);
            const int y = cell_y(c) + by * (d == 0 ? 0 : d == 3 ? -1 : 1);
            const bool on = x >= 0 && y >= 0 && x < pos.board.size && y < pos.board.size;
            const Stone s = on ? (Stone)pos.board.stone[cell_at(x, y)] : OFF_BOARD;
            const u32 square = s == EMPTY ? 0 : s > EMPTY ? 3 : s == (Stone)viewer ? 1 : 2;
            key[side] |= square << (2 * i);
        }
    const int a = line_table()->ahead[key[0]], b = line_table()->ahead[key[1]];
    return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

/* A square's numbers for a viewer. */
typedef struct {
    int square[NET_WIDTH];
} Numbers;

static void numbers_by_hand(const FirstLayer *of, Cell c, Color viewer, Numbers *out) {
    const Stone s = (Stone)pos.board.stone[c];
    memset(out, 0, sizeof *out);
    if (s == NEUTRAL || s == OFF_BOARD) return;
    const Color them = other(viewer);
    const u32 own = s == EMPTY           ? pattern_code(&pos.pattern, viewer, c)
                    : s == (Stone)viewer ? NET_OWN_STONE
                                         : NET_FOREIGN_STONE;
    const u32 foreign = s == EMPTY         ? pattern_code(&pos.pattern, them, c)
                        : s == (Stone)them ? NET_OWN_STONE
                                           : NET_FOREIGN_STONE;
    const int stands = s == EMPTY ? 0 : s == (Stone)viewer ? 1 : 2;
    for (int i = 0; i < NET_WIDTH; i++)
        out->square[i] =
            of->squares[viewer]->code[own].own[i] + of->squares[them]->code[foreign].other[i];
    for (int d = 0; of->lines[BLACK] && d < DIRECTIONS; d++)
        for (int i = 0; i < NET_WIDTH; i++)
            out->square[i] += of->lines[viewer]->row[stands][class_by_hand(c, d, viewer)][i];
}

static int at_least_0(int v) {
    return v > 0 ? v : 0;
}

/* The sums of the first layer by the description in accumulator.h. */
static void sums_by_hand(const FirstLayer *of, AccumulatorSums *out) {
    static Numbers number[CELLS][COLORS];
    memset(out, 0, sizeof *out);
    for (Cell c = 0; c < CELLS; c++)
        for (Color v = BLACK; v <= WHITE; v++) numbers_by_hand(of, c, v, &number[c][v]);
    for (Cell c = 0; c < CELLS; c++) {
        if (pos.board.stone[c] == OFF_BOARD) continue;
        for (int lane = 0; lane < NET_LANES; lane++) {
            const int v = lane / NET_WIDTH, i = lane % NET_WIDTH;
            int around = of->bias[i];
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    const int x = cell_x(c) + dx, y = cell_y(c) + dy;
                    if (x < 0 || y < 0 || x >= pos.board.size || y >= pos.board.size) continue;
                    around += number[cell_at(x, y)][v].square[i] * of->factor[abs(dx) + abs(dy)][i];
                }
            out->square[lane] += at_least_0(number[c][v].square[i]);
            out->around[lane] += at_least_0(around);
        }
    }
}

/* A network gives the same for incremental sums, also after moves without a query, and for sums
 * from nothing. */
static void follow(const AccumulatorTable *t, u32 *seed, const char *when) {
    *seed = *seed * 1664525u + 1013904223u;
    if (*seed >> 30 == 0) return;
    static Accumulator fresh;
    accumulator_refresh(t, &pos, &fresh);
    const AccumulatorSums *followed = accumulator_update(t, &pos, &stack);
    check(memcmp(&fresh.sums, followed, sizeof fresh.sums) == 0, "rule %d, %s, %d plies: sums",
          pos.rule, when, pos.plies);
    check(memcmp(fresh.at, stack.top.at, sizeof fresh.at) == 0, "rule %d, %s, %d plies: squares",
          pos.rule, when, pos.plies);
    check(!t->lines || memcmp(fresh.lines.at, stack.top.lines.at, sizeof fresh.lines.at) == 0,
          "rule %d, %s, %d plies: lines", pos.rule, when, pos.plies);
    for (Cell c = 0; c < CELLS; c++)
        check(pos.board.stone[c] == OFF_BOARD ||
                  memcmp(&fresh.around[NET_BEYOND + c], &stack.top.around[NET_BEYOND + c],
                         sizeof *fresh.around) == 0,
              "rule %d, %s, %d plies: around %d,%d", pos.rule, when, pos.plies, cell_x(c),
              cell_y(c));
}

/* The side to move passes, as in the search, and the other side replies. */
static void follow_pass(const AccumulatorTable *t, u32 *seed, Cell c) {
    position_pass(&pos);
    follow(t, seed, "after passing");
    if (!position_forbidden(&pos, c)) {
        position_make(&pos, c);
        follow(t, seed, "after a move after passing");
        position_unmake(&pos);
    }
    position_unpass(&pos);
    follow(t, seed, "after passing was taken back");
}

static int play_random(const AccumulatorTable *t, u32 *seed, int size, int moves) {
    int captured = 0;
    for (int i = 0; i < moves && pos.state == STATE_ONGOING; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        const Cell c = cell_at((int)(*seed >> 8) % size, (int)(*seed >> 20) % size);
        if (pos.board.stone[c] != EMPTY || position_forbidden(&pos, c)) continue;
        if (*seed >> 29 == 1) follow_pass(t, seed, c);
        position_make(&pos, c);
        captured += pos.ply[pos.plies - 1].captured;
        follow(t, seed, "after a move");
    }
    return captured;
}

/* Games with moves taken back, on one stack, with two squares closed; returns the captured stones.
 */
static int follow_games(Rule rule, u32 seed, int size, Kind kind) {
    static AccumulatorTable table;
    const FirstLayer of = first_layer(rule, kind);
    accumulator_table_init(&table, &of, &line_rows);
    memset(&stack, 0, sizeof stack);
    position_init(&pos, rule, &eval_table(rule)->pattern, size);
    position_put(&pos, cell_at(size / 2, 0), NEUTRAL);
    position_put(&pos, cell_at(1, size / 2), NEUTRAL);
    position_ready(&pos, (const int[COLORS]){0, 0}, BLACK);
    int captured = 0;
    for (int round = 0; round < 20; round++) {
        captured += play_random(&table, &seed, size, 25);
        AccumulatorSums expected;
        sums_by_hand(&of, &expected);
        const AccumulatorSums *sums = accumulator_update(&table, &pos, &stack);
        check(memcmp(sums, &expected, sizeof expected) == 0, "rule %d, %d plies: sums by hand",
              pos.rule, pos.plies);
        for (int back = (int)(seed >> 8) % 30; back > 0 && pos.plies; back--) {
            position_unmake(&pos);
            follow(&table, &seed, "after taking back");
        }
    }
    return captured;
}

/* The five squares of a side's key give one class in both directions. Exchanging the colours twice
 * gives the same class. */
static void check_line_classes(void) {
    const LineTable *t = line_table();
    int classes = 0;
    for (int i = 0; i < LINE_CLASSES; i++) {
        check(t->swapped[t->swapped[i]] == i, "line %d: the colours exchanged twice", i);
        classes += t->swapped[i] == i;
    }
    check(classes > 0 && classes < LINE_CLASSES, "%d lines are alike for both colours", classes);
}

/* Two contents of a line with the same slot, one before and one after an update. */
static void share_a_slot(void) {
    static AccumulatorTable table;
    static Accumulator fresh;
    const FirstLayer of = first_layer(RULE_FREESTYLE, WITH_LINES);
    const Cell first[] = {cell_at(6, 7), cell_at(0, 0), cell_at(11, 7), cell_at(2, 14)};
    const Cell second[] = {cell_at(13, 7), cell_at(0, 0)};
    accumulator_table_init(&table, &of, &line_rows);
    memset(&stack, 0, sizeof stack);
    position_init(&pos, RULE_FREESTYLE, &eval_table(RULE_FREESTYLE)->pattern, 15);
    accumulator_update(&table, &pos, &stack);
    for (int i = 0; i < 4; i++) position_make(&pos, first[i]);
    accumulator_update(&table, &pos, &stack);
    for (int i = 0; i < 4; i++) position_unmake(&pos);
    for (int i = 0; i < 2; i++) position_make(&pos, second[i]);
    accumulator_refresh(&table, &pos, &fresh);
    const AccumulatorSums *sums = accumulator_update(&table, &pos, &stack);
    check(memcmp(&fresh.sums, sums, sizeof fresh.sums) == 0, "two lines with one slot");
}

/* A stack that is used with another network, as after an engine has read another weights file. */
static void exchange_the_table(void) {
    static AccumulatorTable table;
    static Accumulator fresh;
    memset(&stack, 0, sizeof stack);
    for (int round = 0; round < 8; round++) {
        const Kind kind = (Kind[]){WITH_LINES, BUILT_IN, WITHOUT_ROWS, LARGEST}[round % 4];
        const FirstLayer of = first_layer(RULE_FREESTYLE, kind);
        accumulator_table_init(&table, &of, &line_rows);
        position_init(&pos, RULE_FREESTYLE, &eval_table(RULE_FREESTYLE)->pattern, 15);
        for (int i = 0; i < 8; i++) {
            position_make(&pos, cell_at(3 + i, 4 + (i * 5) % 7));
            accumulator_refresh(&table, &pos, &fresh);
            const AccumulatorSums *sums = accumulator_update(&table, &pos, &stack);
            check(memcmp(&fresh.sums, sums, sizeof fresh.sums) == 0, "round %d, %d plies: %s",
                  round, i + 1, "another table");
        }
    }
}

int main(void) {
    int captured = 0;
    check_line_classes();
    draw_lines(1);
    share_a_slot();
    exchange_the_table();
    for (u32 seed = 1; seed <= (ASSERTS ? 2 : 10); seed++)
        for (Kind kind = BUILT_IN; kind < KINDS; kind++) {
            follow_games(RULE_FREESTYLE, seed, 15, kind);
            follow_games(RULE_RENJU, seed, 9, kind);
            follow_games(RULE_STANDARD, seed, 5, kind);
            follow_games(RULE_CARO, seed, 22, kind);
            captured += follow_games(RULE_NINUKI, seed, 13, kind);
            captured += follow_games(RULE_PENTE, seed, 13, kind);
            captured += follow_games(RULE_KERYO, seed, 13, kind);
        }
    check(captured >= 100, "%d stones were captured only", captured);
    return checks_done();
}
