#include "position/ninuki_fives.h"

enum { FIVE = 5 };

/* --- rows -------------------------------------------------------------------------------- */

/* The run of own stones next to c, and the content of its end. */
typedef struct {
    int length;
    Stone end;
    Cell last; /* the square of the end */
} Arm;

static Arm arm_from(const Board *b, Color color, Cell c, int dx, int dy) {
    int x = cell_x(c) + dx, y = cell_y(c) + dy, n = 0;
    for (; board_stone(b, x, y) == (Stone)color; x += dx, y += dy) n++;
    const Stone end = board_stone(b, x, y);
    return (Arm){n, end, end == OFF_BOARD ? (Cell)NO_CELL : cell_at(x, y)};
}

/* A five that a stone makes: its direction, first stone and length. */
typedef struct {
    int direction, length;
    Cell first;
} FiveRow;

/* The fives that a stone on the empty square c makes; returns their number. */
static int five_rows(const Position *p, Color color, Cell c, FiveRow out[DIRECTIONS]) {
    int n = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        if (pattern_shape(&p->pattern, color, c, d) != SHAPE_FIVE) continue;
        const PatternRun run = pattern_run(&p->pattern, color, c, d);
        const Cell first = (Cell)(c - run.behind * (DIR_DX[d] + DIR_DY[d] * STRIDE));
        out[n++] = (FiveRow){d, run.behind + 1 + run.ahead, first};
    }
    return n;
}

/* --- a five ------------------------------------------------------------------------------ */

/* A sufficient test that makes no move: the opponent has no capture anywhere and is given none. The
 * stones that c captures may open squares to capture from. */
static bool surely_holds(const Position *p, Color color, Cell c) {
    const Color them = other(color);
    const int captures = position_capture_count(p, them) - bb_has(position_captures(p, them), c);
    return !captures && !capture_lines_count(&p->capture_lines, color, c, CAPTURE_NOW) &&
           !capture_lines_count(&p->capture_lines, color, c, CAPTURE_RISK);
}

/* The slow definition of ninuki_fives_win: makes the move. */
static bool wins_when_made(Position *p, Color color, Cell c) {
    const bool pass = color != position_to_move(p);
    if (pass) position_pass(p);
    position_make(p, c);
    const bool wins = p->state == STATE_MOVER_WON;
    position_unmake(p);
    if (pass) position_unpass(p);
    return wins;
}

/* Puts the stone on c and removes its captures, or undoes both, in the lines only. The shapes,
 * which take most of the time of a move, stay. */
static void lay(Position *p, Color color, Cell c, const Cell *taken, int count) {
    pattern_toggle(&p->pattern, c, color);
    for (int i = 0; i < count; i++) pattern_toggle(&p->pattern, taken[i], other(color));
}

static bool can_be_taken(const Position *p, Color color, Cell c, int direction) {
    for (int d = 0; d < DIRECTIONS; d++)
        if (d != direction && capture_lines_can_capture(&p->pattern, color, c, d)) return true;
    return false;
}

/* The stones of a row that can be captured across the row. Without an inner stone no five is left;
 * without an outer one a five is left. */
typedef struct {
    int inner, outer;
} Loose;

static void add_loose(const Position *p, Color color, const FiveRow *row, Loose *loose) {
    const int step = DIR_DX[row->direction] + DIR_DY[row->direction] * STRIDE;
    for (int i = 0; i < row->length; i++) {
        if (!can_be_taken(p, color, (Cell)(row->first + i * step), row->direction)) continue;
        const bool inner = i < FIVE && row->length - i <= FIVE;
        loose->inner += inner;
        loose->outer += !inner;
    }
}

/* Whether the five on c survives every capture, or captures the fifth pair. */
static bool holds(Position *p, Color color, Cell c) {
    Cell taken[MAX_CAPTURED];
    const int count = capture_lines_captured(&p->capture_lines, &p->pattern, color, c, taken);
    if (traits_count(&p->traits, count) >= position_captures_missing(p, color)) return true;
    FiveRow row[DIRECTIONS];
    const int rows = five_rows(p, color, c, row);
    Loose loose = {0, 0};
    lay(p, color, c, taken, count);
    for (int i = 0; i < rows; i++) add_loose(p, color, &row[i], &loose);
    lay(p, color, c, taken, count);
    if (!loose.inner && loose.outer <= 1) return true;
    if (rows == 1 && loose.inner && !p->five[color]) return false;
    return wins_when_made(p, color, c);
}

/* A five does not allow a double three, and an earlier five of the opponent stands. */
bool ninuki_fives_win(Position *p, Color color, Cell c) {
    ASSERT(p->traits.five_must_stand && p->state == STATE_ONGOING);
    if (pattern_class(&p->pattern, color, c) != SQUARE_FIVE) return false;
    if (position_forbidden_for(p, color, c)) return false;
    if (p->five[other(color)]) return wins_when_made(p, color, c);
    const bool wins = surely_holds(p, color, c) || holds(p, color, c);
    ASSERT(wins == wins_when_made(p, color, c));
    return wins;
}

Cell ninuki_fives_standing_win(Position *p) {
    const Color us = position_to_move(p);
    ASSERT(p->traits.five_must_stand && (p->five[us] || p->state == STATE_PENDING));
    Bitboard moves = p->state == STATE_PENDING ? position_breaks(p) : p->board.empty;
    if (!p->five[us]) bb_and(&moves, position_set(p, us, SQUARE_FIVE));
    BB_FOR_EACH(c, &moves)
    if (!position_forbidden(p, c) && wins_when_made(p, us, c)) return c;
    return NO_CELL;
}

/* --- an open four ------------------------------------------------------------------------ */

static bool may_bracket(Stone end, Color color) {
    return end == EMPTY || end == (Stone)other(color);
}

/* Whether the stone on c would be in a pair across the direction that could be captured without
 * another capture before. */
static bool has_loose_pair(const Board *b, Color color, Cell c, int direction) {
    for (int d = 0; d < DIRECTIONS; d++) {
        if (d == direction) continue;
        const Arm back = arm_from(b, color, c, -DIR_DX[d], -DIR_DY[d]);
        const Arm ahead = arm_from(b, color, c, DIR_DX[d], DIR_DY[d]);
        if (back.length + ahead.length == 1 && may_bracket(back.end, color) &&
            may_bracket(ahead.end, color))
            return true;
    }
    return false;
}

/* Whether c makes four in a row with both ends open whose fives are legal and unbreakable: neither
 * its stones nor its ends are in a pair that one more stone could prepare to capture. */
static bool stands_open(const Position *p, Color us, Cell c, int d) {
    const Board *b = &p->board;
    const Arm back = arm_from(b, us, c, -DIR_DX[d], -DIR_DY[d]);
    const Arm ahead = arm_from(b, us, c, DIR_DX[d], DIR_DY[d]);
    if (back.length + ahead.length != 3 || back.end != EMPTY || ahead.end != EMPTY) return false;
    if (pattern_suspect(&p->pattern, us, back.last) || pattern_suspect(&p->pattern, us, ahead.last))
        return false;
    const int step = DIR_DX[d] + DIR_DY[d] * STRIDE;
    for (Cell s = back.last;; s = (Cell)(s + step)) {
        if (has_loose_pair(b, us, s, d)) return false;
        if (s == ahead.last) return true;
    }
}

/* A five that must not stand wins with either end of the four: no end can be captured. */
static bool open_four_wins(const Position *p, Color us, Cell c, int d) {
    return pattern_shape(&p->pattern, us, c, d) == SHAPE_OPEN_FOUR &&
           (!p->traits.five_must_stand || stands_open(p, us, c, d));
}

bool ninuki_fives_after_open_four(const Position *p, Cell c) {
    const Color us = position_to_move(p), them = other(us);
    ASSERT(p->state == STATE_ONGOING && !position_count(p, them, SQUARE_FIVE));
    if (p->five[us] || position_capture_count(p, them) > bb_has(position_captures(p, them), c))
        return false;
    if (capture_lines_count(&p->capture_lines, us, c, CAPTURE_NOW) ||
        capture_lines_count(&p->capture_lines, us, c, CAPTURE_RISK) || position_forbidden(p, c))
        return false;
    for (int d = 0; d < DIRECTIONS; d++)
        if (open_four_wins(p, us, c, d)) return true;
    return false;
}

/* --- enough captures --------------------------------------------------------------------- */

/* The captures of one line at most, in the rule's count. */
static int most_along_line(const Position *p) {
    return 2 * traits_count(&p->traits, p->traits.triples ? 3 : 2);
}

Bitboard ninuki_fives_by_capture(const Position *p, Color color) {
    const int missing = position_captures_missing(p, color), line = most_along_line(p);
    Bitboard set = {{0}};
    if (missing > DIRECTIONS * line || !position_capture_count(p, color)) return set;
    set = *position_captures(p, color);
    if (missing <= traits_count(&p->traits, 2)) return set; /* any capture wins */
    BB_FOR_EACH(c, position_captures(p, color)) {
        Cell taken[MAX_CAPTURED];
        if (line * capture_lines_count(&p->capture_lines, color, c, CAPTURE_NOW) < missing ||
            traits_count(&p->traits, capture_lines_captured(&p->capture_lines, &p->pattern, color,
                                                            c, taken)) < missing)
            bb_flip(&set, c);
    }
    return set;
}
