/* board.h - stones on squares: put and remove, the key. Has no notion of wins or shapes.
 *
 *      x 0 1 2 ..           cell = y * 32 + x
 *    y 0 . . .
 *      1 . X O              stone[cell] BLACK WHITE EMPTY NEUTRAL, OFF_BOARD outside
 *      2 . . .              stones[colour]: the same as bit sets
 */
#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

#include "board/bitboard.h"
#include "board/zobrist.h"

typedef struct {
    const Zobrist *zobrist;
    u64 key; /* stones, captures, side to move */
    Bitboard stones[COLORS];
    Bitboard empty; /* squares of the board without a stone */
    int size;
    int empty_count;
    Color to_move;
    u8 captures[COLORS]; /* by each colour: pairs or stones, as the rule counts */
    u8 stone[CELLS];
} Board;

void board_init(Board *b, int size);
/* Puts a stone (BLACK, WHITE or NEUTRAL) on an empty square. */
void board_put(Board *b, Cell c, Stone s);
/* Empties a square that holds a stone. */
void board_remove(Board *b, Cell c);
void board_set_to_move(Board *b, Color c);
void board_set_captures(Board *b, Color c, int count);

static inline bool board_inside(const Board *b, int x, int y) {
    return x >= 0 && y >= 0 && x < b->size && y < b->size;
}

/* The content of (x, y); OFF_BOARD outside the board. */
static inline Stone board_stone(const Board *b, int x, int y) {
    return board_inside(b, x, y) ? (Stone)b->stone[cell_at(x, y)] : OFF_BOARD;
}

#endif
