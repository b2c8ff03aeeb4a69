#include "rules/line.h"
#include "rules/rules.h"

/* The result of a walk from the new stone in one direction: own stones, and the distance of the
 * last. */
typedef struct {
    int stones, reach;
} Arm;

/* Walks over own stones and at most one single empty square, which an own stone must follow. */
static Arm walk(const Board *b, Cell c, Color colour, int direction, int way) {
    Arm arm = {0, 0};
    bool gap_left = true;
    for (int i = 1;; i++) {
        const Stone here = line_stone(b, c, direction, way * i);
        if (here == colour) {
            arm.stones++;
            arm.reach = i;
        } else if (here == EMPTY && gap_left &&
                   line_stone(b, c, direction, way * (i + 1)) == colour) {
            gap_left = false;
        } else {
            return arm;
        }
    }
}

bool rules_free_three(const Board *b, Cell c, Color colour, int direction) {
    ASSERT(line_on_board(b, c) && b->stone[c] == EMPTY);
    const Arm ahead = walk(b, c, colour, direction, 1);
    const Arm back = walk(b, c, colour, direction, -1);
    const int stones = back.stones + 1 + ahead.stones;
    const int span = back.reach + 1 + ahead.reach;
    /* Only the square next to each end must be empty. The squares beyond it do not matter. */
    return stones == 3 && span <= 4 && line_stone(b, c, direction, ahead.reach + 1) == EMPTY &&
           line_stone(b, c, direction, -(back.reach + 1)) == EMPTY;
}

bool rules_double_three(const Board *b, Cell c, Color colour) {
    int threes = 0;
    for (int d = 0; d < DIRECTIONS; d++) threes += rules_free_three(b, c, colour, d);
    return threes >= 2;
}
