/* bench_positions.h - the positions of the bench: quiet and sharp, of each rule, on the usual
 * sizes. The depth is large enough for the speed of a move in a game.
 */
#ifndef BENCH_BENCH_POSITIONS_H
#define BENCH_BENCH_POSITIONS_H

#include "base/base.h"
#include "include/tengen.h"

typedef struct {
    int32_t size, rule, depth;
    const char *moves;
} BenchPosition;

static const BenchPosition BENCH[] = {
    {15, RULE_FREESTYLE, 22, "h8i9g9i7"},        {20, RULE_FREESTYLE, 22, "j10k11i11k9j12"},
    {15, RULE_STANDARD, 22, "h8i8i9g7j10k11h9"}, {15, RULE_RENJU, 22, "h8i9j7g9h10"},
    {15, RULE_CARO, 20, "h8h9i9g8j10k11"},       {20, RULE_CARO_STANDARD, 18, "j10k10k11i9l12m13"},
    {19, RULE_NINUKI, 18, "j10k11i11k9j12"},
};

/* Reads "h8g9..." (column letter, row number from 1 at the top) into squares; returns their number.
 */
static inline int32_t bench_read(const char *text, TgSquare out[MAX_SQUARES]) {
    int32_t count = 0;
    while (*text) {
        const int x = *text++ - 'a';
        int y = 0;
        for (; *text >= '0' && *text <= '9'; text++) y = 10 * y + (*text - '0');
        out[count++] = (TgSquare){(int8_t)x, (int8_t)(y - 1)};
    }
    return count;
}

/* Plays such a text from the engine's position. */
static inline TgStatus bench_play(TgEngine *e, const char *text) {
    TgSquare move[MAX_SQUARES];
    const int32_t count = bench_read(text, move);
    for (int32_t i = 0; i < count; i++) {
        TgOutcome outcome;
        const TgStatus status = tg_play(e, move[i], &outcome);
        if (status != TG_OK) return status;
    }
    return TG_OK;
}

#endif
