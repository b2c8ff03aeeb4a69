#include "position/fives.h"

/* --- a five ------------------------------------------------------------------------------ */

/* Enough for most fives, and without making them: the other side has no capture anywhere, nor is
 * given one. What c itself takes may open a square to capture from. */
static bool surely_holds(const Position *p, Color color, Cell c) {
    const Color them = other(color);
    const int captures = position_capture_count(p, them) - bb_has(position_captures(p, them), c);
    return !captures && !takes_lines(&p->takes, color, c, TAKE) &&
           !takes_lines(&p->takes, color, c, DANGER);
}

/* Puts the stone on c and takes off what it captures, or undoes that, where position_can_break
 * looks; the shapes, which take most of a move's time, stay as they are. */
static void lay(Position *p, Color color, Cell c, const Cell *taken, int count) {
    pattern_toggle(&p->pattern, c, color);
    bb_flip(&p->board.stones[color], c);
    for (int i = 0; i < count; i++) pattern_toggle(&p->pattern, taken[i], other(color));
    takes_update(&p->takes, &p->pattern, c);
    for (int i = 0; i < count; i++) takes_update(&p->takes, &p->pattern, taken[i]);
}

/* Whether the five on c stands up to every capture, or takes the fifth pair. */
static bool holds(Position *p, Color color, Cell c) {
    Cell taken[MAX_CAPTURED];
    const int count = takes_stones(&p->pattern, color, c, taken);
    if (p->board.pairs[color] + count / 2 >= WIN_PAIRS) return true;
    lay(p, color, c, taken, count);
    const bool broken = position_can_break(p, other(color));
    lay(p, color, c, taken, count);
    return !broken;
}

/* Slow, for what fives_win says: as the moves themselves are judged. */
static bool wins_when_made(Position *p, Color color, Cell c) {
    const bool pass = color != position_to_move(p);
    if (pass) position_pass(p);
    position_make(p, c);
    const bool wins = p->state == STATE_MOVER_WON;
    position_unmake(p);
    if (pass) position_unpass(p);
    return wins;
}

/* A five does not excuse a double three; and one that the other side has made before stands. */
bool fives_win(Position *p, Color color, Cell c) {
    ASSERT(p->rule == RULE_NINUKI && p->state == STATE_ONGOING);
    if (pattern_class(&p->pattern, color, c) != SQUARE_FIVE) return false;
    if (position_barred_for(p, color, c)) return false;
    if (p->five[other(color)]) return wins_when_made(p, color, c);
    const bool wins = surely_holds(p, color, c) || holds(p, color, c);
    ASSERT(wins == wins_when_made(p, color, c));
    return wins;
}

/* --- the fifth pair ---------------------------------------------------------------------- */

Bitboard fives_by_capture(const Position *p, Color color) {
    const int missing = WIN_PAIRS - p->board.pairs[color];
    Bitboard set = {{0}};
    if (missing > MAX_CAPTURED / 2 || !position_capture_count(p, color)) return set;
    set = *position_captures(p, color);
    if (missing <= 1) return set;
    BB_FOR_EACH(c, position_captures(p, color)) {
        Cell taken[MAX_CAPTURED];
        if (takes_stones(&p->pattern, color, c, taken) < 2 * missing) bb_flip(&set, c);
    }
    return set;
}
