/* bench_smp.c - the worth of a second thread: nodes per second, and time to a depth.
 *
 * The positions are those of the bench, and later ones of the engine's own play. On each, one and
 * two threads take turns, so that a busy machine slows both. Every search has an empty table whose
 * pages are touched. The depth is the one that one thread reaches within the time for counting
 * nodes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/platform.h"
#include "bench/bench_positions.h"
#include "include/tengen.h"

enum { TABLE_KIB = 16 * 1024, PLIES_APART = 2, PER_OPENING = 5, PLAY_NODES = 20000, THREADS = 2 };
enum { DEFAULT_MS = 400, ROUNDS = 3, STARTS = 100 };

typedef struct {
    int64_t nodes, time_us;
    int32_t depth;
    bool proven; /* the end of the game is near: the position is not measured */
} Run;

/* A game, and two engines with its position: one with one thread, one with two. */
typedef struct {
    const BenchPosition *opening;
    int plies; /* played after the opening */
    TgSquare move[PER_OPENING * PLIES_APART];
    TgEngine *with[2];
} Game;

/* Sums over the positions, [0] for one thread and [1] for two. */
typedef struct {
    int positions;
    double nodes_per_s[2], depth_us[2], depth_nodes[2];
} Totals;

static void must(TgStatus status, const char *what) {
    if (status == TG_OK) return;
    fprintf(stderr, "bench_smp: %s failed with status %d\n", what, (int)status);
    exit(1);
}

/* The table is empty, but its memory is touched. */
static void set_up(const Game *g, TgEngine *e) {
    must(tg_reset(e, g->opening->size, g->opening->rule), "an empty board");
    must(bench_play(e, g->opening->moves), "an opening");
    for (int i = 0; i < g->plies; i++) {
        TgOutcome outcome;
        must(tg_play(e, g->move[i], &outcome), "a move");
    }
}

static Run search(const Game *g, int with, int32_t time_ms, int32_t depth, int64_t nodes) {
    const TgLimits limits = {
        .time_ms = time_ms, .soft_ms = -1, .depth = depth, .lines = 1, .nodes = nodes};
    TgEngine *e = g->with[with];
    TgResult r;
    set_up(g, e);
    const int64_t start = platform_now_us();
    must(tg_search(e, &limits, &r), "a search");
    if (r.threads_refused) must(TG_ERR_MEMORY, "starting the threads");
    return (Run){.nodes = r.line.nodes,
                 .time_us = platform_now_us() - start,
                 .depth = r.line.depth,
                 .proven = r.line.mate != 0 || r.stage != TG_STAGE_SEARCH};
}

/* Plays on by itself; false at the end of the game or near it. */
static bool play_on(Game *g) {
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = PLAY_NODES};
    set_up(g, g->with[0]);
    for (int i = 0; i < PLIES_APART; i++) {
        TgResult r;
        TgOutcome outcome;
        must(tg_search(g->with[0], &limits, &r), "a search");
        if (r.line.mate) return false;
        must(tg_play(g->with[0], r.move, &outcome), "a move");
        if (outcome.status != TG_ONGOING) return false;
        g->move[g->plies++] = r.move;
    }
    return true;
}

/* The fastest of some rounds, and its nodes. */
static Run to_depth(const Game *g, int with, int32_t depth) {
    Run best = search(g, with, -1, depth, -1);
    for (int i = 1; i < ROUNDS; i++) {
        const Run r = search(g, with, -1, depth, -1);
        if (r.time_us < best.time_us) best = r;
    }
    return best;
}

static void measure(const Game *g, int32_t ms, Totals *sum) {
    Run timed[2], deep[2];
    for (int i = 0; i < 2; i++) timed[i] = search(g, i, ms, -1, -1);
    if (timed[0].proven || timed[1].proven) return;
    for (int i = 0; i < 2; i++) deep[i] = to_depth(g, i, timed[0].depth);
    double per_s[2];
    for (int i = 0; i < 2; i++) {
        per_s[i] = (double)timed[i].nodes * 1e6 / (double)timed[i].time_us;
        sum->nodes_per_s[i] += per_s[i];
        sum->depth_us[i] += (double)deep[i].time_us;
        sum->depth_nodes[i] += (double)deep[i].nodes;
    }
    sum->positions++;
    printf("%2d  rule %2d  size %2d  +%d plies  depth %2d  nodes/s x %.2f  time to depth x %.2f\n",
           sum->positions, g->opening->rule, g->opening->size, g->plies, deep[0].depth,
           per_s[1] / per_s[0], (double)deep[0].time_us / (double)deep[1].time_us);
    fflush(stdout);
}

static void measure_opening(const BenchPosition *b, int32_t ms, Totals *sum) {
    Game g = {.opening = b};
    for (int with = 0; with < 2; with++) {
        const TgConfig config = {.size = b->size,
                                 .rule = b->rule,
                                 .threads = with ? THREADS : 1,
                                 .memory_kib = TABLE_KIB};
        must(tg_new(&config, &g.with[with]), "a new engine");
        search(&g, with, -1, -1, PLAY_NODES); /* makes tables and helpers */
    }
    for (int i = 0; i < PER_OPENING; i++) {
        if (i > 0 && !play_on(&g)) break;
        measure(&g, ms, sum);
    }
    for (int with = 0; with < 2; with++) tg_free(g.with[with]);
}

/* Microseconds that a tiny search costs more with helpers than without. */
static double start_cost_us(int threads) {
    const TgConfig config = {.size = 15, .rule = 0, .threads = 1, .memory_kib = 1024};
    const TgLimits limits = {.time_ms = -1, .soft_ms = -1, .depth = 2, .lines = 1, .nodes = -1};
    TgEngine *e;
    TgResult r;
    int64_t spent[2] = {0, 0};
    must(tg_new(&config, &e), "a new engine");
    must(bench_play(e, BENCH[0].moves), "an opening");
    for (int i = 0; i < STARTS; i++)
        for (int with = 0; with < 2; with++) {
            must(tg_set_option(e, "threads", with ? threads : 1), "setting the threads");
            must(tg_search(e, &limits, &r), "a search"); /* makes the helpers */
            const int64_t start = platform_now_us();
            must(tg_search(e, &limits, &r), "a search");
            spent[with] += platform_now_us() - start;
        }
    tg_free(e);
    return (double)(spent[1] - spent[0]) / STARTS;
}

int main(int argc, char **argv) {
    const int32_t ms = argc > 1 ? (int32_t)strtol(argv[1], NULL, 10) : DEFAULT_MS;
    Totals sum = {0};
    if (ms < 1) {
        fprintf(stderr, "usage: bench_smp [milliseconds a search, default %d]\n", DEFAULT_MS);
        return 2;
    }
    for (size_t i = 0; i < sizeof BENCH / sizeof *BENCH; i++) measure_opening(&BENCH[i], ms, &sum);
    printf("%d positions, %d threads against one\n", sum.positions, THREADS);
    printf("nodes/s        x %.2f\n", sum.nodes_per_s[1] / sum.nodes_per_s[0]);
    printf("time to depth  x %.2f\n", sum.depth_us[0] / sum.depth_us[1]);
    printf("nodes to depth x %.2f\n", sum.depth_nodes[1] / sum.depth_nodes[0]);
    printf("start of a search: %.0f us more with 2 threads, %.0f with 8\n", start_cost_us(2),
           start_cost_us(8));
    return 0;
}
