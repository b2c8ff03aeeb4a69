/* bench_main.c - the bench as a plain program, for compilers and systems without Python. */
#include <inttypes.h>
#include <stdio.h>

#include "include/tengen.h"

/* FNV-1a over a row's text. */
static uint64_t mixed(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
    return hash;
}

int main(void) {
    uint64_t signature = 0xcbf29ce484222325u;
    int64_t nodes = 0, time_us = 0;
    TgBenchRow row;
    TgStatus status;
    int32_t index = 0;
    for (; (status = tg_bench(index, &row)) == TG_OK; index++) {
        char text[128];
        snprintf(text, sizeof text, "%" PRId32 ":%" PRId64 ":%d,%d:%" PRId32 "\n", index, row.nodes,
                 row.move.x, row.move.y, row.score);
        signature = mixed(signature, text);
        nodes += row.nodes;
        time_us += row.time_us;
        printf("%2" PRId32 "  rule %2" PRId32 "  size %2" PRId32 "  depth %2" PRId32
               "  move %2d,%-2d  score %6" PRId32 "  nodes %9" PRId64 "  %6" PRId64 " ms\n",
               index, row.rule, row.size, row.depth, row.move.x, row.move.y, row.score, row.nodes,
               row.time_us / 1000);
    }
    if (index == 0 || status != TG_ERR_ARGUMENT) {
        fprintf(stderr, "bench position %" PRId32 " failed with status %d\n", index, (int)status);
        return 1;
    }
    printf("signature 0x%016" PRIx64 "\n", signature);
    printf("%" PRId64 " nodes/s\n", time_us ? nodes * 1000000 / time_us : 0);
    return 0;
}
