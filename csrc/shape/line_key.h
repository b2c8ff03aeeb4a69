/* line_key.h - the words of the board's lines: the words of a square, and the keys of its sides.
 *
 * Each line of the board is one word of 2-bit squares (shape.h), after five squares of edge:
 *
 *     direction 0: row y          position x         word:  bits 2 * (position + 5)
 *     direction 1: column x       position y
 *     direction 2: y - x          position x         The keys of both sides of a square
 *     direction 3: x + y          position x         are a shift and a mask away.
 */
#ifndef SHAPE_LINE_KEY_H
#define SHAPE_LINE_KEY_H

#include "base/base.h"
#include "shape/shape.h"

enum {
    LINES = 2 * MAX_SIZE + 2 * (2 * MAX_SIZE - 1),
    LAST = MAX_SIZE - 1,
    PAD = MAX_REACH /* squares of edge before a line */
};

/* From a square to the next one along each direction. */
static const int DIR_STEP[DIRECTIONS] = {1, STRIDE, STRIDE + 1, 1 - STRIDE};

static inline int line_index(Cell c, int direction) {
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

static inline int line_position(Cell c, int direction) {
    return direction == 1 ? cell_y(c) : cell_x(c);
}

static inline u32 line_key_ahead(u64 line, int position, int reach) {
    return (u32)(line >> (2 * (position + PAD + 1))) & ((1u << (2 * reach)) - 1);
}

static inline u32 line_key_behind(u64 line, int position, int reach) {
    return (u32)(line >> (2 * (position + PAD - reach))) & ((1u << (2 * reach)) - 1);
}

#endif
