/* Black's forbidden moves. Every function examines a black stone that is on the board. Functions
 * that try a further stone remove it again, so one copy of the board is enough.
 */
#include "rules/line.h"
#include "rules/rules.h"

static Forbidden forbidden_by_stone(Board *b, Cell c);

static bool makes_five(const Board *b, Cell c) {
    for (int d = 0; d < DIRECTIONS; d++)
        if (rules_run(b, c, d) == FIVE) return true;
    return false;
}

static bool makes_overline(const Board *b, Cell c) {
    for (int d = 0; d < DIRECTIONS; d++)
        if (rules_run(b, c, d) > FIVE) return true;
    return false;
}

/* The four in the five squares from step `first` on, as a set of steps (bit 0: step -4). 0 without
 * a four: it needs four stones, one empty square, and no sixth stone at either end. */
static u32 four_in_window(const Board *b, Cell c, int direction, int first) {
    u32 stones = 0;
    int count = 0;
    for (int i = first; i < first + FIVE; i++) {
        const Stone s = line_stone(b, c, direction, i);
        if (s != BLACK && s != EMPTY) return 0;
        if (s == BLACK) {
            stones |= 1u << (i + FIVE - 1);
            count++;
        }
    }
    const bool exact = line_stone(b, c, direction, first - 1) != BLACK &&
                       line_stone(b, c, direction, first + FIVE) != BLACK;
    return exact && count == FOUR ? stones : 0;
}

/* The fours along a direction, by their stones: `.XXXX.` is one four, although two squares complete
 * it. Such a pair of equal sets is always in two neighbouring windows. */
static int count_fours(const Board *b, Cell c, int direction) {
    int fours = 0;
    u32 previous = 0;
    for (int first = 1 - FIVE; first <= 0; first++) {
        const u32 stones = four_in_window(b, c, direction, first);
        if (stones != 0 && stones != previous) fours++;
        previous = stones;
    }
    return fours;
}

static bool makes_double_four(const Board *b, Cell c) {
    int fours = 0;
    for (int d = 0; d < DIRECTIONS; d++) fours += count_fours(b, c, d);
    return fours >= 2;
}

/* True if c and the black stone `added` steps from it are in one straight four: four adjacent
 * stones that either end completes to exactly five. */
static bool in_straight_four(const Board *b, Cell c, int direction, int added) {
    const Run run = line_run(b, c, direction);
    if (run.back + 1 + run.ahead != FOUR) return false;
    if (added < -run.back || added > run.ahead) return false;
    return line_stone(b, c, direction, run.ahead + 1) == EMPTY &&
           line_stone(b, c, direction, run.ahead + 2) != BLACK &&
           line_stone(b, c, direction, -(run.back + 1)) == EMPTY &&
           line_stone(b, c, direction, -(run.back + 2)) != BLACK;
}

/* True if a stone `step` steps from c makes a straight four with it, without being a five or a
 * forbidden move. c stays on the board during the test, as the rule demands. */
static bool straight_four_at(Board *b, Cell c, int direction, int step) {
    if (line_stone(b, c, direction, step) != EMPTY) return false;
    const Cell added = line_cell(b, c, direction, step);
    board_put(b, added, BLACK);
    const bool counts = in_straight_four(b, c, direction, step) && !makes_five(b, added) &&
                        forbidden_by_stone(b, added) == FORBIDDEN_NONE;
    board_remove(b, added);
    return counts;
}

/* A line holds at most one three with c. Two straight fours with c would have the same three
 * stones, or a stone of one would be on a square that the other needs empty. */
static bool makes_three(Board *b, Cell c, int direction) {
    for (int step = 1 - FOUR; step < FOUR; step++)
        if (step != 0 && straight_four_at(b, c, direction, step)) return true;
    return false;
}

static bool makes_double_three(Board *b, Cell c) {
    int threes = 0;
    for (int d = 0; d < DIRECTIONS && threes < 2; d++) threes += makes_three(b, c, d);
    return threes >= 2;
}

/* Why the black stone on c, as the last move, is forbidden. The recursion ends: every
 * level has one more stone on the board. */
static Forbidden forbidden_by_stone(Board *b, Cell c) {
    if (makes_five(b, c)) return FORBIDDEN_NONE;
    if (makes_overline(b, c)) return FORBIDDEN_OVERLINE;
    if (makes_double_four(b, c)) return FORBIDDEN_DOUBLE_FOUR;
    if (makes_double_three(b, c)) return FORBIDDEN_DOUBLE_THREE;
    return FORBIDDEN_NONE;
}

Forbidden rules_renju_forbidden(const Board *b, Cell c) {
    ASSERT(line_on_board(b, c) && b->stone[c] == EMPTY);
    Board t = *b;
    board_put(&t, c, BLACK);
    return forbidden_by_stone(&t, c);
}
