/* nodes.c - makes positions from inside searches, each with the score of a search of its own.
 *
 *   nodes GAMES.tg OUT.tg [OPTION...]
 *
 *   --searches N      searches for each game, from random positions of it (1)
 *   --nodes N         nodes of such a search (2000)
 *   --label-nodes N   nodes of the search that gives a position its score (1000)
 *   --engine TEXT     what the header names as the engine, at most 16 bytes
 *
 * The positions of a game are those of two good players. A search needs the static score of other
 * positions, too: in most of them a side has just played a poor move. This program searches from
 * positions of games and draws PER_SEARCH of the quiet positions (quiet.h) that the search
 * evaluated. Each has the same chance. OUT.tg has a game (games.h, GAME_NODE) for each position:
 * the moves up to it are the opening, those up to the search the branch, and the best move follows
 * as the only ply with a score. The game has no result.
 *
 * The same arguments make the same file. It is OUT.tg.part until it is complete. There is no file
 * if the games give no node. An existing OUT.tg is refused.
 */
#define eval_score core_eval_score
#include "../csrc/eval/evaluate.c"
#undef eval_score

/* Stands in for the function of the core, which it calls. */
int eval_score(const EvalTable *t, const Position *p, AccumulatorStack *stack);

#include <sys/file.h>
#include <unistd.h>

#include "arguments.h"
#include "play.h"
#include "quiet.h"

enum { PER_SEARCH = 4, ROOT_SCORE_MAX = 1500, LABEL_TABLE_KIB = 512, SEARCHES_MAX = 1000 };
enum { NODES_MAX = 1 << 30 };

typedef struct {
    u16 move[MAX_GAME_PLIES];
    int plies;
} Path;

/* The positions that are drawn from the running search. */
static struct {
    Player *chance; /* NULL: no search is watched */
    int root;       /* plies before the search */
    u32 seen;
    Path at[PER_SEARCH];
} drawn;

/* Reservoir sampling: each position seen so far is kept with the same chance. */
static void draw_position(const Position *p) {
    if (p->plies <= drawn.root || !is_quiet(p)) return;
    const u32 slot = drawn.seen < PER_SEARCH ? drawn.seen : draw(drawn.chance, drawn.seen + 1);
    drawn.seen++;
    if (slot >= PER_SEARCH) return;
    ASSERT(position_to_move(p) == (Color)(p->plies % 2)); /* no pass: moves alone lead here */
    Path *to = &drawn.at[slot];
    to->plies = p->plies;
    for (int i = 0; i < p->plies; i++) {
        to->move[i] = (u16)p->ply[i].cell;
    }
}

int eval_score(const EvalTable *t, const Position *p, AccumulatorStack *stack) {
    if (drawn.chance) draw_position(p);
    return core_eval_score(t, p, stack);
}

typedef struct {
    GamesFile games;
    GamesHeader header; /* of the output */
    int searches, nodes, label_nodes;
    const char *engine;
    Player searcher, labeller;
    const char *path, *games_path;
    char part[4096];
    FILE *file;
} Run;

static void fail(const char *path, const char *why) {
    fprintf(stderr, "nodes: %s: %s\n", path, why);
    exit(1);
}

/* --- the file ---------------------------------------------------------------------------- */

static void put(Run *r, const u8 *bytes, size_t length) {
    if (fwrite(bytes, 1, length, r->file) != length) fail(r->part, strerror(errno));
}

static void begin_file(Run *r) {
    u8 head[GAMES_HEADER] = {0};
    if (snprintf(r->part, sizeof r->part, "%s.part", r->path) >= (int)sizeof r->part)
        fail(r->path, "is too long a name");
    if (access(r->path, F_OK) == 0) fail(r->path, "is there already");
    r->file = fopen(r->part, "r+b"); /* keeps what another program writes */
    if (!r->file) r->file = fopen(r->part, "w+b");
    if (!r->file) fail(r->part, strerror(errno));
    if (flock(fileno(r->file), LOCK_EX | LOCK_NB) != 0)
        fail(r->part, "is being written by another program");
    if (ftruncate(fileno(r->file), 0) != 0) fail(r->part, strerror(errno));
    put(r, head, sizeof head);
}

/* Writes the header and the checksum, and renames the file. */
static void end_file(Run *r) {
    u8 head[GAMES_HEADER], end[GAMES_END], block[4096];
    header_write(&r->header, head);
    rewind(r->file);
    put(r, head, sizeof head);
    rewind(r->file);
    u32 sum = 0;
    for (size_t n; (n = fread(block, 1, sizeof block, r->file)) > 0;) sum = crc32_of(sum, block, n);
    put_bytes(end, sum, GAMES_END);
    if (fseek(r->file, 0, SEEK_END) != 0) fail(r->part, strerror(errno));
    put(r, end, GAMES_END);
    if (fflush(r->file) != 0) fail(r->part, strerror(errno));
    if (rename(r->part, r->path) != 0) fail(r->path, strerror(errno));
    fclose(r->file); /* the lock ends here, when no other program can open the part */
}

/* --- the positions ----------------------------------------------------------------------- */

/* Plays the moves of a position; false if the game is over before it. */
static bool follow(Player *p, const u16 *move, int plies) {
    begin_game(p);
    for (int i = 0; i < plies; i++)
        if (!play_move(p, move[i] & MOVE_CELL, 0) || is_over(p)) return false;
    return true;
}

static void write_position(Run *r, const Path *path) {
    u8 bytes[GAME_BYTES_MAX];
    Player *p = &r->labeller;
    TgResult result;
    if (!follow(p, path->move, path->plies)) return;
    p->game.opening = p->game.plies;
    p->game.branch = drawn.root;
    p->game.flags = GAME_NODE;
    if (think(p, r->header.nodes, 1, &result) != TG_OK)
        fail(r->games_path, "has a position that cannot be searched");
    if (!play_move(p, move_of(result.move), result.line.score)) return;
    put(r, bytes, game_write(&p->game, bytes));
    r->header.count++;
}

static void search_from(Run *r, const StoredGame *g, int ply) {
    Player *p = &r->searcher;
    TgResult result;
    if (!follow(p, g->move, ply)) fail(r->games_path, "has a game that cannot be played");
    drawn.chance = p;
    drawn.root = ply;
    drawn.seen = 0;
    const TgStatus status = think(p, r->nodes, 1, &result);
    drawn.chance = NULL;
    if (status != TG_OK) fail(r->games_path, "has a position that cannot be searched");
    for (u32 i = 0; i < drawn.seen && i < PER_SEARCH; i++) write_position(r, &drawn.at[i]);
}

/* A random ply of the game whose position is not decided; -1: there is none. */
static int draw_root(Run *r, const StoredGame *g) {
    int good[MAX_GAME_PLIES], count = 0;
    for (int i = g->opening; i < g->plies; i++)
        if (abs(g->score[i]) <= ROOT_SCORE_MAX) good[count++] = i;
    return count ? good[draw(&r->searcher, (u32)count)] : -1;
}

static void make_positions(Run *r) {
    static StoredGame game;
    for (size_t at = 0; games_next(&r->games, &at, &game);)
        for (int i = 0; i < r->searches; i++) {
            const int ply = draw_root(r, &game);
            if (ply >= 0) search_from(r, &game, ply);
        }
}

/* --- arguments --------------------------------------------------------------------------- */

static int usage(void) {
    fprintf(stderr, "usage: nodes GAMES.tg OUT.tg [--searches N] [--nodes N] [--label-nodes N]\n"
                    "       [--engine TEXT]\n");
    return 2;
}

static bool read_option(Run *r, const char *name, const char *value) {
    if (!value) return false;
    if (strcmp(name, "--searches") == 0) return read_int(value, 1, SEARCHES_MAX, &r->searches);
    if (strcmp(name, "--nodes") == 0) return read_int(value, 1, NODES_MAX, &r->nodes);
    if (strcmp(name, "--label-nodes") == 0) return read_int(value, 1, NODES_MAX, &r->label_nodes);
    if (strcmp(name, "--engine") != 0 || strlen(value) > ENGINE_TEXT) return false;
    r->engine = value;
    return true;
}

static bool read_arguments(Run *r, int argc, char **argv) {
    if (argc < 3) return false;
    *r = (Run){.games_path = argv[1],
               .path = argv[2],
               .searches = 1,
               .nodes = 2000,
               .label_nodes = 1000,
               .engine = ""};
    for (int i = 3; i < argc; i += 2)
        if (!read_option(r, argv[i], argv[i + 1])) return false;
    return true;
}

static void init_player(Player *p, const GamesHeader *h, int table_kib) {
    const TgConfig config = {
        .size = h->size, .rule = h->rule, .threads = 1, .memory_kib = table_kib};
    if (tg_new(&config, &p->engine) != TG_OK) fail("an engine", "cannot be made");
    p->rule = h->rule;
    p->size = h->size;
}

static void prepare(Run *r, const char *games) {
    const char *wrong = games_open(games, &r->games);
    if (wrong) fail(games, wrong);
    const GamesHeader *from = &r->games.header;
    r->header = (GamesHeader){.rule = from->rule,
                              .size = from->size,
                              .nodes = (u32)r->label_nodes,
                              .seed = from->seed,
                              .asked = from->count * (u32)r->searches * PER_SEARCH,
                              .evaluation = evaluation_checksum()};
    memcpy(r->header.engine, r->engine, strlen(r->engine));
    init_player(&r->searcher, &r->header, TABLE_KIB);
    init_player(&r->labeller, &r->header, LABEL_TABLE_KIB);
    player_seed(&r->searcher, r->header.seed);
}

int main(int argc, char **argv) {
    static Run run;
    if (!read_arguments(&run, argc, argv)) return usage();
    signal(SIGXFSZ, SIG_IGN); /* the write reports it */
    prepare(&run, argv[1]);
    begin_file(&run);
    make_positions(&run);
    if (run.header.count)
        end_file(&run);
    else
        remove(run.part);
    printf("%u positions\n", run.header.count);
    games_close(&run.games);
    tg_free(run.searcher.engine);
    tg_free(run.labeller.engine);
    return 0;
}
