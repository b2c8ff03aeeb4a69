/* collection.h - the games of a fit in memory, and the positions of an epoch.
 *
 * A position is kept as its game and ply, and made when it is needed. An epoch has eight random
 * quiet positions of each game, because all positions of a game share one result, in random order.
 * The order depends only on the seed and the number of the epoch.
 */
#ifndef TRAINER_COLLECTION_H
#define TRAINER_COLLECTION_H

#include "../games.h"
#include "../quiet.h"
#include "../table_file.h"
#include "options.h"
#include "sample.h"

enum { OF_GAME = 8, QUIET_PLY = 0x8000, DRAW_BINS = 16, DRAW_BIN = 100, NO_EPOCH = -1 };

typedef struct {
    size_t first; /* of its plies */
    u16 plies, quiet;
    u8 size;
    int8_t result;
    bool validates;
} Game;

typedef struct {
    u32 game, ply;
} Place;

typedef struct {
    Place *at;
    size_t count;
} Places;

static struct {
    const EvalTable *table; /* of the rule; the network corrects its score */
    Game *game;
    u16 *move; /* QUIET_PLY: a quiet position for the fit */
    int16_t *score;
    size_t games, plies, game_room, ply_room;
    float draws[DRAW_BINS]; /* the share of draws by |score| */
    u32 checksum;
} collection;

/* --- chance ------------------------------------------------------------------------------ */

static inline u64 mixed(u64 v) {
    v += 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

/* A random number below `most`; advances the state. */
static inline size_t draw_below(u64 *state, size_t most) {
    *state = mixed(*state);
    return (size_t)(*state % most);
}

/* --- reading ----------------------------------------------------------------------------- */

static inline void fail(const char *path, const char *why) {
    fprintf(stderr, "trainer: %s %s\n", path, why);
    exit(1);
}

static inline void add_game(const StoredGame *g, bool validates) {
    if (collection.games == collection.game_room) {
        collection.game_room = collection.game_room * 2 + 4096;
        collection.game = grown(collection.game, collection.game_room * sizeof(Game));
    }
    if (collection.plies + MAX_GAME_PLIES > collection.ply_room) {
        collection.ply_room = collection.ply_room * 2 + (1 << 18);
        collection.move = grown(collection.move, collection.ply_room * sizeof(u16));
        collection.score = grown(collection.score, collection.ply_room * sizeof(int16_t));
    }
    collection.game[collection.games++] = (Game){.first = collection.plies,
                                                 .plies = (u16)g->plies,
                                                 .size = (u8)g->size,
                                                 .result = (int8_t)g->result,
                                                 .validates = validates};
}

/* Adds the plies of the last game; false for an illegal one. */
static inline bool add_plies(const StoredGame *g, Position *p) {
    Game *to = &collection.game[collection.games - 1];
    position_init(p, (Rule)g->rule, &collection.table->pattern, g->size);
    for (int i = 0; i < g->plies; i++) {
        const Cell c = move_cell(g->move[i]);
        const bool quiet = i >= g->opening && is_quiet(p);
        if (p->board.stone[c] != EMPTY) return false;
        collection.move[collection.plies] = (u16)(c | (quiet ? QUIET_PLY : 0));
        collection.score[collection.plies++] = g->score[i];
        to->quiet = (u16)(to->quiet + quiet);
        position_make(p, c);
    }
    return true;
}

/* Returns the fault of the file, whose games are then dropped; NULL without one. */
static inline const char *add_file(const char *path, Position *p) {
    static StoredGame game;
    GamesFile f;
    size_t at = 0;
    const size_t games = collection.games, plies = collection.plies;
    const char *wrong = games_open(path, &f);
    if (wrong) return wrong;
    if (!collection.table && !options.weights) collection.table = eval_table((Rule)f.header.rule);
    if (f.header.rule != (int)collection.table->weights.rule)
        wrong = games ? "is of another rule than the file before it" : "is of another rule";
    for (u64 number = f.header.seed; !wrong && games_next(&f, &at, &game); number++) {
        add_game(&game, mixed(number) % (u64)options.fit.validation == 0);
        if (!add_plies(&game, p)) wrong = "has a game that cannot be played";
    }
    games_close(&f);
    if (!wrong) return NULL;
    collection.games = games;
    collection.plies = plies;
    return wrong;
}

/* The share of draws by |score|, over the quiet positions of the fit. */
static inline void count_draws(void) {
    long count[DRAW_BINS] = {0}, drawn[DRAW_BINS] = {0};
    for (size_t i = 0; i < collection.games; i++) {
        const Game *g = &collection.game[i];
        for (size_t k = g->first; !g->validates && k < g->first + g->plies; k++) {
            const int bin = abs(collection.score[k]) / DRAW_BIN;
            if (!(collection.move[k] & QUIET_PLY) || bin >= DRAW_BINS) continue;
            count[bin]++;
            drawn[bin] += g->result == 0;
        }
    }
    for (int i = 0; i < DRAW_BINS; i++)
        collection.draws[i] = (float)drawn[i] / (float)(count[i] + 1);
}

static inline void collection_read(void) {
    Position *p = grown(NULL, sizeof *p);
    if (options.weights) collection.table = table_of_file(options.weights);
    for (int i = 0; i < options.file_count; i++) {
        const char *wrong = add_file(options.files[i], p);
        if (wrong && !options.skips) fail(options.files[i], wrong);
        if (wrong) fprintf(stderr, "trainer: %s %s; skipped\n", options.files[i], wrong);
    }
    free(p);
    if (!collection.games) fail("the files", "have no games");
    count_draws();
    const size_t bytes = collection.plies * 2;
    collection.checksum = crc32_of(crc32_of(0, collection.move, bytes), collection.score, bytes);
}

/* --- positions --------------------------------------------------------------------------- */

/* Adds eight random quiet positions of the game, or all if there are fewer. */
static inline void add_places(Places *to, u32 number, u64 state) {
    u16 ply[MAX_GAME_PLIES];
    const Game *g = &collection.game[number];
    size_t count = 0;
    for (u16 i = 0; i < g->plies; i++)
        if (collection.move[g->first + i] & QUIET_PLY) ply[count++] = i;
    for (size_t i = 0; i < OF_GAME && i < count; i++) {
        const size_t k = i + draw_below(&state, count - i);
        const u16 chosen = ply[k];
        ply[k] = ply[i];
        to->at[to->count++] = (Place){number, chosen};
    }
}

/* The positions of an epoch in order. NO_EPOCH: those for validation, the same for any seed. The
 * caller frees them. */
static inline Places places_of(int epoch) {
    const u64 seed = epoch == NO_EPOCH ? 0 : mixed((u64)options.fit.seed << 32 | (u32)epoch);
    Places to = {grown(NULL, (collection.games * OF_GAME + 1) * sizeof(Place)), 0};
    for (u32 i = 0; i < collection.games; i++)
        if (collection.game[i].validates == (epoch == NO_EPOCH))
            add_places(&to, i, mixed(seed ^ i));
    u64 state = seed;
    for (size_t i = to.count; i > 1; i--) {
        const size_t k = draw_below(&state, i);
        const Place other = to.at[i - 1];
        to.at[i - 1] = to.at[k];
        to.at[k] = other;
    }
    return to;
}

static inline void put_labels(Sample *s, int result, int score) {
    const float share = options.fit.result_share;
    const float seen = 1 / (1 + expf(-(float)score / NET_SCALE));
    const int bin = abs(score) / DRAW_BIN;
    const float draws = bin < DRAW_BINS ? collection.draws[bin] : 0;
    const float drawn = fminf(draws, 2 * fminf(seen, 1 - seen));
    const float by_score[3] = {seen - drawn / 2, drawn, 1 - seen - drawn / 2};
    for (int i = 0; i < 3; i++)
        s->outcome[i] = share * (float)(i == 1 - result) + (1 - share) * by_score[i];
    s->won = (float)(1 + result) / 2;
    s->label = share * s->won + (1 - share) * seen;
}

/* Makes the position of a place on the board p. */
static inline void sample_load(Sample *s, Place place, Position *p) {
    const Game *g = &collection.game[place.game];
    position_init(p, (Rule)collection.table->weights.rule, &collection.table->pattern, g->size);
    for (u32 i = 0; i < place.ply; i++) position_make(p, move_cell(collection.move[g->first + i]));
    sample_init(s, collection.table, p);
    put_labels(s, position_to_move(p) == BLACK ? g->result : -g->result,
               collection.score[g->first + place.ply]);
}

#endif
