/* selfplay.c - games of the engine against itself, one line each, for fitting the weights.
 *
 *   selfplay RULE SIZE NODES GAMES SEED >> games.txt
 *
 * A line:  RULE SIZE RESULT OPENING MOVES        RESULT 1 Black won, 0 draw, -1 White won
 * MOVES:   x,y,score;...  the score is the mover's, from the search of NODES nodes that chose it;
 * the first OPENING of them were put at random and carry 0. The same arguments give the same
 * games; game g depends on SEED + g only, so a run that was cut off goes on from the next seed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "include/tengen.h"

enum { TABLE_KIB = 4096, MIN_OPENING = 3, MORE_OPENING = 6, SPREAD = 9, MAX_START_SCORE = 400 };
enum { MOVES_MAX = MAX_GAME_PLIES };

typedef struct {
    TgSquare at;
    int32_t score;
} Move;

typedef struct {
    TgEngine *engine;
    int32_t size, rule, nodes;
    u64 seed;
    int count, opening;
    Move move[MOVES_MAX];
} Game;

static u32 next_random(u64 *state) {
    u64 z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (u32)(z >> 32);
}

static bool play(Game *g, TgSquare at, int32_t score, TgOutcome *out) {
    if (tg_play(g->engine, at, out) != TG_OK) return false;
    g->move[g->count++] = (Move){at, score};
    return true;
}

static TgStatus think(Game *g, TgResult *out) {
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = g->nodes};
    return tg_search(g->engine, &limits, out);
}

/* Puts a few stones at random around a random middle; false when that came to no fair start. */
static bool open_game(Game *g) {
    TgOutcome outcome;
    TgResult result;
    tg_reset(g->engine, g->size, g->rule);
    g->count = 0;
    const int stones = MIN_OPENING + (int)(next_random(&g->seed) % MORE_OPENING);
    const int room = g->size - SPREAD > 0 ? g->size - SPREAD : 1;
    const int x0 = (int)(next_random(&g->seed) % (u32)room);
    const int y0 = (int)(next_random(&g->seed) % (u32)room);
    for (int tries = 0; g->count < stones && tries < 100; tries++) {
        const int x = x0 + (int)(next_random(&g->seed) % SPREAD);
        const int y = y0 + (int)(next_random(&g->seed) % SPREAD);
        if (play(g, (TgSquare){(int8_t)x, (int8_t)y}, 0, &outcome) && outcome.status != TG_ONGOING)
            return false;
    }
    g->opening = g->count;
    return think(g, &result) == TG_OK && abs(result.line.score) <= MAX_START_SCORE;
}

/* Plays to the end: 1, 0, -1 by who won. */
static int play_game(Game *g) {
    TgOutcome outcome = {.status = TG_ONGOING};
    while (outcome.status == TG_ONGOING || outcome.status == TG_PENDING) {
        TgResult result;
        if (think(g, &result) != TG_OK) return 0;
        if (!play(g, result.move, result.line.score, &outcome)) return 0;
    }
    return outcome.winner == TG_BLACK ? 1 : outcome.winner == TG_WHITE ? -1 : 0;
}

static void write_game(const Game *g, int result) {
    printf("%d %d %d %d ", g->rule, g->size, result, g->opening);
    for (int i = 0; i < g->count; i++)
        printf("%d,%d,%d;", g->move[i].at.x, g->move[i].at.y, g->move[i].score);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: selfplay RULE SIZE NODES GAMES SEED\n");
        return 2;
    }
    static Game game;
    game.rule = atoi(argv[1]);
    game.size = atoi(argv[2]);
    game.nodes = atoi(argv[3]);
    const TgConfig config = {
        .size = game.size, .rule = game.rule, .threads = 1, .memory_kib = TABLE_KIB};
    if (tg_new(&config, &game.engine) != TG_OK) {
        fprintf(stderr, "selfplay: no engine for rule %s, size %s\n", argv[1], argv[2]);
        return 2;
    }
    const int games = atoi(argv[4]);
    for (int i = 0; i < games; i++) {
        game.seed = ((u64)atoll(argv[5]) + (u64)i) * 0x2545F4914F6CDD1Du;
        while (!open_game(&game)) continue;
        write_game(&game, play_game(&game));
    }
    tg_free(game.engine);
    return 0;
}
