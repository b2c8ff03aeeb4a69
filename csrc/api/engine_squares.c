/* engine_squares.c - what single squares mean: the threats of a colour. */
#include <string.h>

#include "api/engine.h"

#define SAME(threat, square) ((int)(threat) == (int)(square))
_Static_assert(SAME(TG_THREAT_THREE, SQUARE_THREE) && SAME(TG_THREAT_THREES, SQUARE_THREES) &&
                   SAME(TG_THREAT_FOUR, SQUARE_FOUR) &&
                   SAME(TG_THREAT_FOUR_THREE, SQUARE_FOUR_THREE) &&
                   SAME(TG_THREAT_FOURS, SQUARE_FOURS) &&
                   SAME(TG_THREAT_OPEN_FOUR, SQUARE_OPEN_FOUR) && SAME(TG_THREAT_FIVE, SQUARE_FIVE),
               "SquareClass has the public numbers");

TgStatus tg_threats(const TgEngine *e, int32_t color, int32_t *out, int32_t capacity) {
    if (!e || !out || (color != TG_BLACK && color != TG_WHITE)) return TG_ERR_ARGUMENT;
    const int size = e->pos.board.size;
    if (capacity != size * size) return TG_ERR_ARGUMENT;
    const Color mover = color == TG_BLACK ? BLACK : WHITE;
    memset(out, 0, (size_t)capacity * sizeof *out);
    BB_FOR_EACH(c, &e->pos.board.empty) {
        const SquareClass class = pattern_class(&e->pos.pattern, mover, c);
        if (class == SQUARE_QUIET || position_forbidden_for(&e->pos, mover, c)) continue;
        out[cell_y(c) * size + cell_x(c)] = (int32_t)class;
    }
    return TG_OK;
}
