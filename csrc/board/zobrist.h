/* zobrist.h - random numbers; the key of a position is the XOR of its numbers.
 */
#ifndef BOARD_ZOBRIST_H
#define BOARD_ZOBRIST_H

#include "base/base.h"

typedef struct {
    u64 stone[4][CELLS];                    /* BLACK, WHITE, (EMPTY: unused), NEUTRAL */
    u64 captures[COLORS][MAX_CAPTURES + 1]; /* by their count; [0] is 0 */
    u64 to_move;                            /* in the key when White is to move */
} Zobrist;

/* The table, made once per process from a fixed seed (splitmix64). */
const Zobrist *zobrist_table(void);

#endif
