#include "search/zone.h"

enum { FIVE = 5, OWN_NEEDED = 3 };

void zone_add_five(Zone *z, const Position *p, Color attacker, Cell c) {
    bb_add(&z->squares, c);
    for (int d = 0; d < DIRECTIONS; d++)
        if (pattern_shape(&p->pattern, attacker, c, d) == SHAPE_FIVE)
            movegen_add_line(&p->board, c, d, MAX_REACH, &z->squares);
}

void zone_add_move(Zone *z, const Position *p, Cell c) {
    bb_add(&z->squares, c);
    if (p->rule == RULE_RENJU && pattern_suspect(&p->pattern, position_to_move(p), c))
        z->everywhere = true;
}

void zone_add_reply(Zone *z, Cell c) {
    bb_add(&z->squares, c);
    bb_add(&z->replies, c);
}

/* Adds the empty squares of the window of five that begins at (x, y), if the defender has, or will
 * have, three stones in it and nobody else any. */
static void add_window(const Zone *z, const Board *b, Color defender, int x, int y, int direction,
                       Bitboard *set) {
    const int dx = DIR_DX[direction], dy = DIR_DY[direction];
    Cell empty[FIVE];
    int own = 0, count = 0;
    for (int i = 0; i < FIVE; i++) {
        const Stone s = board_stone(b, x + i * dx, y + i * dy);
        if (s != EMPTY && s != defender) return;
        const Cell c = cell_at(x + i * dx, y + i * dy);
        own += s == defender || bb_has(&z->replies, c);
        if (s == EMPTY) empty[count++] = c;
    }
    if (own < OWN_NEEDED) return;
    for (int i = 0; i < count; i++) bb_add(set, empty[i]);
}

Bitboard zone_close(const Zone *z, const Position *p, Color defender) {
    const Board *b = &p->board;
    if (z->everywhere) return b->empty;
    Bitboard set = z->squares;
    /* every such window holds a stone of the defender or a reply: look from those */
    Bitboard from = b->stones[defender];
    bb_or(&from, &z->replies);
    BB_FOR_EACH(c, &from)
    for (int d = 0; d < DIRECTIONS; d++)
        for (int i = 0; i < OWN_NEEDED; i++) /* its first own stone is among the first three */
            add_window(z, b, defender, cell_x(c) - i * DIR_DX[d], cell_y(c) - i * DIR_DY[d], d,
                       &set);
    bb_and(&set, &b->empty);
    return set;
}
