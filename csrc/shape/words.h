/* words.h - which line words (pattern.h) a square lies in, and the keys of its sides; inside shape/
 * only. */
#ifndef SHAPE_WORDS_H
#define SHAPE_WORDS_H

#include "shape/pattern.h"

enum { LAST = MAX_SIZE - 1, PAD = MAX_REACH };

/* From a square to the next one along each direction. */
static const int DIR_STEP[DIRECTIONS] = {1, STRIDE, STRIDE + 1, 1 - STRIDE};

static inline int line_of(Cell c, int direction) {
    const int x = cell_x(c), y = cell_y(c);
    switch (direction) {
    case 0:
        return y;
    case 1:
        return MAX_SIZE + x;
    case 2:
        return 2 * MAX_SIZE + LAST + y - x;
    default:
        return 4 * MAX_SIZE - 1 + x + y;
    }
}

static inline int position_of(Cell c, int direction) {
    return direction == 1 ? cell_y(c) : cell_x(c);
}

static inline u32 key_ahead(u64 line, int position, int reach) {
    return (u32)(line >> (2 * (position + PAD + 1))) & ((1u << (2 * reach)) - 1);
}

static inline u32 key_behind(u64 line, int position, int reach) {
    return (u32)(line >> (2 * (position + PAD - reach))) & ((1u << (2 * reach)) - 1);
}

#endif
