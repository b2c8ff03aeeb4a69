#include "board/zobrist.h"

#include "base/platform.h"

static Zobrist table;
static Once once = ONCE_INIT;

static u64 splitmix64(u64 *state) {
    u64 z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void fill(void) {
    u64 state = 0x54656E67656E2121u;
    for (int s = 0; s < 4; s++)
        for (int c = 0; c < CELLS; c++) table.stone[s][c] = splitmix64(&state);
    for (int c = 0; c < COLORS; c++)
        for (int n = 1; n <= MAX_PAIRS; n++) table.captures[c][n] = splitmix64(&state);
    table.to_move = splitmix64(&state);
    /* counts of stones come last: the numbers above keep their values, and the bench its nodes */
    for (int c = 0; c < COLORS; c++)
        for (int n = MAX_PAIRS + 1; n <= MAX_CAPTURES; n++)
            table.captures[c][n] = splitmix64(&state);
}

const Zobrist *zobrist_table(void) {
    platform_once(&once, fill);
    return &table;
}
