#include "rules/line.h"
#include "rules/rules.h"
#include "rules/traits.h"

/* The number of stones of the opponent between c and the next stone of colour, without a gap; 0 if
 * there is none. `way` is 1 or -1 along the direction. The edge and neutral stones do not bracket,
 * because they are not `colour`.
 */
static int bracketed(const Board *b, Cell c, Color colour, int direction, int way) {
    int n = 0;
    while (line_stone(b, c, direction, (n + 1) * way) == other(colour)) n++;
    return line_stone(b, c, direction, (n + 1) * way) == colour ? n : 0;
}

static bool is_captured(const RuleTraits *traits, int row) {
    return row == 2 || (row == 3 && traits->triples);
}

static void sort_rising(Cell *cells, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && cells[j - 1] > cells[j]; j--) {
            const Cell higher = cells[j - 1];
            cells[j - 1] = cells[j];
            cells[j] = higher;
        }
}

int rules_captures(const Board *b, Rule rule, Cell c, Color colour, Cell out[MAX_CAPTURED]) {
    ASSERT(line_on_board(b, c) && b->stone[c] == EMPTY);
    const RuleTraits *traits = rules_traits(rule);
    int count = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int way = -1; way <= 1; way += 2) {
            const int row = bracketed(b, c, colour, d, way);
            if (!is_captured(traits, row)) continue;
            for (int i = 1; i <= row; i++) out[count++] = line_cell(b, c, d, i * way);
        }
    ASSERT(count <= MAX_CAPTURED);
    sort_rising(out, count);
    return count;
}

/* True if a move on c captures and leaves the other side without a five. The stone is not placed:
 * it is on an empty square, so it neither makes nor ends a line of the other side. */
static bool breaks(const Board *b, Rule rule, Cell c, Color colour) {
    Cell captured[MAX_CAPTURED];
    const int count = rules_captures(b, rule, c, colour, captured);
    if (count == 0) return false;
    Board after = *b;
    for (int i = 0; i < count; i++) board_remove(&after, captured[i]);
    return !rules_any_five(&after, other(colour));
}

/* A capturing move may make a double three, so every capturing move is legal. */
bool rules_can_break(const Board *b, Rule rule, Color colour) {
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++)
            if (board_stone(b, x, y) == EMPTY && breaks(b, rule, cell_at(x, y), colour))
                return true;
    return false;
}
