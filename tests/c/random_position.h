/* random_position.h - random stones that make fours, threes and pairs likely.
 */
#ifndef TESTS_RANDOM_POSITION_H
#define TESTS_RANDOM_POSITION_H

#include "position/position.h"
#include "random.h"

/* Two rows with gaps, and up to `rows` less one more, of 3 stones and up to `stones` less one
 * more, `black` of `of` rows black; then a stone on up to one square in `singles`. */
typedef struct {
    u32 rows, stones, black, of, singles;
} Crowd;

static inline void put_if_free(Position *p, int x, int y, Stone s) {
    if (board_stone(&p->board, x, y) == EMPTY) position_put(p, cell_at(x, y), s);
}

static inline void put_row(Position *p, Crowd crowd) {
    const u32 size = (u32)p->board.size;
    const Color color = random_below(crowd.of) < crowd.black ? BLACK : WHITE;
    const int d = (int)random_below(DIRECTIONS), length = 3 + (int)random_below(crowd.stones);
    int x = (int)random_below(size), y = (int)random_below(size);
    for (int k = 0; k < length; k++, x += DIR_DX[d], y += DIR_DY[d])
        if (random_below(3)) put_if_free(p, x, y, color);
}

/* Between position_init and position_ready. */
static inline void put_crowd(Position *p, Crowd crowd) {
    const u32 size = (u32)p->board.size;
    for (u32 n = 2 + random_below(crowd.rows); n > 0; n--) put_row(p, crowd);
    for (u32 n = random_below(size * size / crowd.singles); n > 0; n--)
        put_if_free(p, (int)random_below(size), (int)random_below(size),
                    random_below(20) ? (Color)random_below(2) : NEUTRAL);
}

#endif
