#include "rules/line.h"
#include "rules/rules.h"
#include "rules/traits.h"

int rules_run(const Board *b, Cell c, int direction) {
    ASSERT(line_on_board(b, c) && direction >= 0 && direction < DIRECTIONS);
    const Run run = line_run(b, c, direction);
    return run.back + 1 + run.ahead;
}

/* True if an opponent stone stands at both ends of the run. The edge and neutral stones do not
 * close it. */
static bool closed_both_ends(const Board *b, Cell c, int direction) {
    const Run run = line_run(b, c, direction);
    const Stone opponent = other((Color)b->stone[c]);
    return line_stone(b, c, direction, run.ahead + 1) == opponent &&
           line_stone(b, c, direction, -(run.back + 1)) == opponent;
}

static bool wins_along(const Board *b, const RuleTraits *traits, Cell c, int direction) {
    const int length = rules_run(b, c, direction);
    if (length > FIVE) return traits->overline[b->stone[c]] == OVERLINE_WINS;
    return length == FIVE && (traits->closed_five_wins || !closed_both_ends(b, c, direction));
}

bool rules_is_win(const Board *b, Rule rule, Cell last) {
    ASSERT(line_on_board(b, last));
    const RuleTraits *traits = rules_traits(rule);
    for (int d = 0; d < DIRECTIONS; d++)
        if (wins_along(b, traits, last, d)) return true;
    return false;
}

bool rules_any_five(const Board *b, Color colour) {
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++) {
            if (board_stone(b, x, y) != colour) continue;
            for (int d = 0; d < DIRECTIONS; d++)
                if (rules_run(b, cell_at(x, y), d) >= FIVE) return true;
        }
    return false;
}
