/* bench.c - fixed positions searched to a fixed depth. It measures the speed, and its signature
 * shows whether a change alters the search.
 */
#include <string.h>

#include "base/platform.h"
#include "bench/bench_positions.h"
#include "include/tengen.h"

enum { TABLE_KIB = 16 * 1024 };

/* Fills the table and empties it again: after a move or two a game has touched all its memory. */
static TgStatus warm_up(TgEngine *e, const BenchPosition *b) {
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = TABLE_KIB};
    TgResult result;
    TgStatus status = bench_play(e, b->moves);
    if (status == TG_OK) status = tg_search(e, &limits, &result);
    return status == TG_OK ? tg_reset(e, b->size, b->rule) : status;
}

static TgStatus run(TgEngine *e, const BenchPosition *b, TgBenchRow *out) {
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = b->depth, .lines = 1, .nodes = -1};
    TgResult result;
    TgStatus status = warm_up(e, b);
    if (status == TG_OK) status = bench_play(e, b->moves);
    if (status != TG_OK) return status;
    const int64_t start = platform_now_us();
    status = tg_search(e, &limits, &result);
    if (status != TG_OK) return status;
    *out = (TgBenchRow){.size = b->size,
                        .rule = b->rule,
                        .depth = b->depth,
                        .move = result.move,
                        .score = result.line.score,
                        .nodes = result.line.nodes,
                        .time_us = platform_now_us() - start};
    return TG_OK;
}

TgStatus tg_bench(int32_t index, TgBenchRow *out) {
    if (!out || index < 0 || index >= (int32_t)(sizeof BENCH / sizeof *BENCH))
        return TG_ERR_ARGUMENT;
    const BenchPosition *b = &BENCH[index];
    const TgConfig config = {
        .size = b->size, .rule = b->rule, .threads = 1, .memory_kib = TABLE_KIB};
    TgEngine *e;
    TgStatus status = tg_new(&config, &e);
    if (status != TG_OK) return status;
    status = run(e, b, out);
    tg_free(e);
    return status;
}
