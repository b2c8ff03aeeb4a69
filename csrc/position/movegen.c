#include "position/movegen.h"

#include "position/ninuki_fives.h"

/* Adds the squares at distance `step` at both ends of a direction. */
static void grow(Bitboard *b, const Bitboard *from, int step) {
    const Bitboard up = bb_up(from, step), down = bb_down(from, step);
    bb_or(b, &up);
    bb_or(b, &down);
}

/* Shifts along a row cannot reach the next row: a row has ten spare columns. */
static Bitboard near_stones(const Bitboard *stones) {
    Bitboard wide = *stones;
    grow(&wide, stones, 1);
    grow(&wide, stones, 2);
    Bitboard near = wide;
    grow(&near, &wide, STRIDE);
    grow(&near, &wide, 2 * STRIDE);
    grow(&near, stones, 3);
    grow(&near, stones, 3 * STRIDE);
    grow(&near, stones, 3 * (STRIDE + 1));
    grow(&near, stones, 3 * (STRIDE - 1));
    return near;
}

Bitboard movegen_candidates(const Position *p) {
    const Board *b = &p->board;
    Bitboard set = b->stones[BLACK];
    bb_or(&set, &b->stones[WHITE]);
    if (bb_any(&set))
        set = near_stones(&set);
    else
        bb_add(&set, cell_at(b->size / 2, b->size / 2));
    bb_and(&set, &b->empty);
    return bb_any(&set) ? set : b->empty;
}

void movegen_add_line(const Board *b, Cell c, int direction, int reach, Bitboard *set) {
    for (int side = -1; side <= 1; side += 2)
        for (int i = 1; i <= reach; i++) {
            const int x = cell_x(c) + side * i * DIR_DX[direction];
            const int y = cell_y(c) + side * i * DIR_DY[direction];
            const Stone s = board_stone(b, x, y);
            if (s == OFF_BOARD) break;
            if (s == EMPTY) bb_add(set, cell_at(x, y));
        }
}

bool movegen_wins_on(Position *p, Cell c) {
    const Color them = other(position_to_move(p));
    if (pattern_class(&p->pattern, them, c) != SQUARE_FIVE) return false;
    if (!p->traits.five_must_stand) return true;
    return p->state == STATE_ONGOING && ninuki_fives_win(p, them, c);
}

/* --- what may keep a five from standing -------------------------------------------------- */

/* Whether `them` hold (x, y) after a move on c. */
static bool will_hold(const Board *b, Color them, Cell c, int x, int y) {
    return board_inside(b, x, y) && (cell_at(x, y) == c || board_stone(b, x, y) == (Stone)them);
}

/* A future five: its colour, its square, and whether its stone captures. */
typedef struct {
    const Board *b;
    Color them;
    Cell c;
    bool captures;
} Coming;

/* A pair with one stone at (x, y) and the other one step on. Adds its two brackets, if one of our
 * stones there makes the pair capturable. The other end must be empty, or emptied by the stone of
 * the five. */
static void add_brackets(const Coming *f, int x, int y, int dx, int dy, Bitboard *set) {
    if (!will_hold(f->b, f->them, f->c, x + dx, y + dy)) return;
    if (will_hold(f->b, f->them, f->c, x - dx, y - dy)) return;
    if (will_hold(f->b, f->them, f->c, x + 2 * dx, y + 2 * dy)) return;
    const Stone near = board_stone(f->b, x - dx, y - dy);
    const Stone far = board_stone(f->b, x + 2 * dx, y + 2 * dy);
    const Stone ours =
        f->captures ? (Stone)other(f->them) : EMPTY; /* possible content of the far end */
    if (near == EMPTY && (far == EMPTY || far == ours)) bb_add(set, cell_at(x - dx, y - dy));
    if (far == EMPTY && (near == EMPTY || near == ours))
        bb_add(set, cell_at(x + 2 * dx, y + 2 * dy));
}

static void add_brackets_around(const Coming *f, int x, int y, Bitboard *set) {
    for (int d = 0; d < DIRECTIONS; d++) {
        add_brackets(f, x, y, DIR_DX[d], DIR_DY[d], set);
        add_brackets(f, x, y, -DIR_DX[d], -DIR_DY[d], set);
    }
}

/* Every stone of the lines that a five on c would be in. */
static void add_five_brackets(const Position *p, Color them, Cell c, Bitboard *set) {
    const Board *b = &p->board;
    const Coming f = {b, them, c, capture_lines_count(&p->capture_lines, them, c, CAPTURE_NOW) > 0};
    add_brackets_around(&f, cell_x(c), cell_y(c), set);
    for (int d = 0; d < DIRECTIONS; d++) {
        if (pattern_shape(&p->pattern, them, c, d) != SHAPE_FIVE) continue;
        for (int side = -1; side <= 1; side += 2) {
            int x = cell_x(c) + side * DIR_DX[d], y = cell_y(c) + side * DIR_DY[d];
            for (; board_stone(b, x, y) == (Stone)them;
                 x += side * DIR_DX[d], y += side * DIR_DY[d])
                add_brackets_around(&f, x, y, set);
        }
    }
}

/* The stone of the five may itself capture. A stone of ours next to an existing one then becomes
 * the captured pair, and we may capture in turn from the emptied squares. */
static void add_baits(const Board *b, Color them, Cell c, Bitboard *set) {
    for (int d = 0; d < DIRECTIONS; d++)
        for (int side = -1; side <= 1; side += 2) {
            const int dx = side * DIR_DX[d], dy = side * DIR_DY[d];
            const int x = cell_x(c), y = cell_y(c);
            if (board_stone(b, x + 3 * dx, y + 3 * dy) != (Stone)them) continue;
            const Stone near = board_stone(b, x + dx, y + dy);
            const Stone far = board_stone(b, x + 2 * dx, y + 2 * dy);
            if (near == EMPTY && far == (Stone)other(them)) bb_add(set, cell_at(x + dx, y + dy));
            if (far == EMPTY && near == (Stone)other(them))
                bb_add(set, cell_at(x + 2 * dx, y + 2 * dy));
        }
}

/* --- the sets ---------------------------------------------------------------------------- */

Bitboard movegen_answers(const Position *p, Cell c) {
    const Color us = position_to_move(p), them = other(us);
    Bitboard set = *position_set(p, us, SQUARE_FIVE);
    bb_add(&set, c);
    if (!p->traits.closed_five_wins) /* a stone at the open end closes the five before it is made */
        for (int d = 0; d < DIRECTIONS; d++)
            if (pattern_shape(&p->pattern, them, c, d) == SHAPE_FIVE)
                movegen_add_line(&p->board, c, d, MAX_REACH, &set);
    if (p->traits.captures) {
        bb_or(&set, position_captures(p, us));
    }
    if (p->traits.five_must_stand) {
        add_five_brackets(p, them, c, &set);
        add_baits(&p->board, them, c, &set);
    }
    return set;
}

Bitboard movegen_defences(const Position *p, Cell c) {
    const Color us = position_to_move(p), them = other(us);
    Bitboard set = {{0}};
    for (int k = SQUARE_FOUR; k <= SQUARE_FIVE; k++)
        bb_or(&set, position_set(p, us, (SquareClass)k));
    bb_add(&set, c);
    for (int d = 0; d < DIRECTIONS; d++)
        if (pattern_shape(&p->pattern, them, c, d) >= SHAPE_FOUR)
            movegen_add_line(&p->board, c, d, MAX_REACH, &set);
    if (p->traits.captures) {
        bb_or(&set, position_captures(p, us));
        BB_FOR_EACH(e, &p->board.empty)
        if (capture_lines_count(&p->capture_lines, us, e, CAPTURE_THREAT)) bb_add(&set, e);
    }
    return set;
}
