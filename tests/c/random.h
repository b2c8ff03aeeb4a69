/* random.h - random numbers and squares, the same in every run.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdlib.h>

#include "board/board.h"

static u64 random_state = 1;

static inline u32 random_below(u32 n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(random_state >> 33) % n;
}

/* NO_CELL for an empty set. */
static inline Cell random_cell(const Bitboard *set) {
    if (!bb_any(set)) return NO_CELL;
    u32 skip = random_below((u32)bb_count(set));
    BB_FOR_EACH(c, set)
    if (skip-- == 0) return c;
    return NO_CELL;
}

/* The number of random positions of a test: the program's first argument, or `usual`. The second
 * argument is the seed. */
static inline int random_positions(int argc, char **argv, int usual) {
    if (argc > 2) random_state = (u64)atoi(argv[2]);
    return argc > 1 ? atoi(argv[1]) : usual;
}

#endif
