#include "board/board.h"

#include <string.h>

void board_init(Board *b, int size) {
    ASSERT(size >= MIN_SIZE && size <= MAX_SIZE);
    memset(b, 0, sizeof *b);
    b->zobrist = zobrist_table();
    b->size = size;
    b->empty_count = size * size;
    b->to_move = BLACK;
    memset(b->stone, OFF_BOARD, sizeof b->stone);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            b->stone[cell_at(x, y)] = EMPTY;
            bb_add(&b->empty, cell_at(x, y));
        }
}

void board_put(Board *b, Cell c, Stone s) {
    ASSERT(b->stone[c] == EMPTY && s != EMPTY && s != OFF_BOARD);
    b->stone[c] = (u8)s;
    bb_flip(&b->empty, c);
    b->empty_count--;
    if (s != NEUTRAL) bb_flip(&b->stones[s], c);
    b->key ^= b->zobrist->stone[s][c];
}

void board_remove(Board *b, Cell c) {
    const Stone s = (Stone)b->stone[c];
    ASSERT(s != EMPTY && s != OFF_BOARD);
    b->stone[c] = EMPTY;
    bb_flip(&b->empty, c);
    b->empty_count++;
    if (s != NEUTRAL) bb_flip(&b->stones[s], c);
    b->key ^= b->zobrist->stone[s][c];
}

void board_set_to_move(Board *b, Color c) {
    if (b->to_move != c) b->key ^= b->zobrist->to_move;
    b->to_move = c;
}

void board_set_captures(Board *b, Color c, int count) {
    ASSERT(count >= 0 && count <= MAX_CAPTURES);
    b->key ^= b->zobrist->captures[c][b->captures[c]] ^ b->zobrist->captures[c][count];
    b->captures[c] = (u8)count;
}
