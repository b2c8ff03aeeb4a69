/* yardstick.c - makes the positions of the yardstick (yardstick.h).
 *
 *     yardstick OUT.txt COUNT OPENINGS      OPENINGS: a folder with the openings RULE-SIZE.txt
 *
 * Each position comes from one game. The engine plays with PLAY_NODES nodes a move from a shipped
 * opening, with early variety, up to a random ply. The position is the last quiet one (quiet.h) of
 * the game whose score is within DECIDED. The rules take turns, so that each part of the file from
 * its beginning has the same shares. OUT.txt grows by lines up to COUNT. A later call continues
 * after the last complete line. Position number n depends only on n, the openings and the lines
 * before it, because no position repeats.
 */
#include <unistd.h>

#include "arguments.h"
#include "play.h"
#include "quiet.h"
#include "yardstick.h"

enum { PLAY_NODES = 4000, TARGET_PLIES = 44, DEEP_TABLE_KIB = 16384, CYCLE = 20 };
enum { COUNT_MAX = 1 << 24 };
static const u64 SEED = 7000000000;

/* The rules of each CYCLE positions. */
#define R(name) RULE_##name
static const Rule TURNS[CYCLE] = {R(FREESTYLE),     R(STANDARD),      R(RENJU),     R(FREESTYLE),
                                  R(CARO),          R(CARO_STANDARD), R(FREESTYLE), R(NINUKI),
                                  R(FREESTYLE),     R(STANDARD),      R(FREESTYLE), R(RENJU),
                                  R(FREESTYLE),     R(CARO),          R(STANDARD),  R(FREESTYLE),
                                  R(CARO_STANDARD), R(RENJU),         R(FREESTYLE), R(NINUKI)};
#undef R

typedef struct {
    const char *path, *folder;
    FILE *file;
    Position *position;
    Player player;
    Openings openings[RULE_NINUKI + 1][TG_MAX_SIZE + 1];
    u64 *key; /* of the existing positions */
    int count, wanted;
} Run;

static void fail(const char *path, const char *why) {
    fprintf(stderr, "yardstick: %s: %s\n", path, why);
    exit(1);
}

static int size_of(int number, int rule) {
    if (rules_traits((Rule)rule)->captures) return 19;
    return number / CYCLE % 4 == 3 ? 20 : 15;
}

static void set_up(Run *r, int rule, int size) {
    position_init(r->position, (Rule)rule, &eval_table((Rule)rule)->pattern, size);
}

/* --- what is there ----------------------------------------------------------------------- */

static u64 key_of(Run *r, const Measure *m) {
    set_up(r, m->rule, m->size);
    for (int i = 0; i < m->plies; i++)
        position_make(r->position, cell_at(m->move[i].x, m->move[i].y));
    return r->position->board.key ^ (u64)(m->rule * 32 + m->size) << 48;
}

static bool is_new(const Run *r, u64 key) {
    for (int i = 0; i < r->count; i++)
        if (r->key[i] == key) return false;
    return true;
}

/* Reads the lines of an earlier call, without an incomplete last one. */
static void resume(Run *r, const char *path) {
    r->file = fopen(path, "a+");
    if (!r->file) fail(path, strerror(errno));
    char line[YARDSTICK_LINE];
    long good = 0;
    rewind(r->file);
    while (fgets(line, sizeof line, r->file) && strchr(line, '\n')) {
        Measure m;
        if (!measure_read(line, &m)) fail(path, "has a line that is no position");
        if (r->count == r->wanted) return;
        r->key[r->count] = key_of(r, &m);
        r->count++;
        good = ftell(r->file);
    }
    if (ftruncate(fileno(r->file), good) != 0) fail(path, strerror(errno));
}

/* --- a position -------------------------------------------------------------------------- */

static Openings *openings_of(Run *r, int rule, int size) {
    Openings *o = &r->openings[rule][size];
    char path[4096];
    snprintf(path, sizeof path, "%s/%d-%d.txt", r->folder, rule, size);
    const char *wrong = o->count ? NULL : read_openings(path, size, o);
    if (wrong) fail(path, wrong);
    return o;
}

/* The last suitable ply or, if the game ended early, a random suitable one; -1: there is none. */
static int choose_ply(Run *r, bool ended) {
    Player *p = &r->player;
    const StoredGame *g = &p->game;
    int good[MAX_GAME_PLIES], count = 0;
    set_up(r, p->rule, p->size);
    for (int i = 0; i < g->plies; i++) {
        if (i >= g->opening && i <= YARDSTICK_PLIES && abs(g->score[i]) <= DECIDED &&
            is_quiet(r->position))
            good[count++] = i;
        position_make(r->position, move_cell(g->move[i]));
    }
    if (!count) return -1;
    return ended ? good[draw(p, (u32)count)] : good[count - 1];
}

/* Plays a game up to a random ply; -1: it has no suitable position. */
static int play_some(Run *r) {
    Player *p = &r->player;
    if (!open_by_book(p, openings_of(r, p->rule, p->size))) return -1;
    const int plies = p->game.opening + (int)draw(p, TARGET_PLIES) + 1;
    while (p->game.plies < plies && !is_over(p)) {
        int score;
        if (!play_ply(p, &score)) break;
    }
    return choose_ply(r, p->game.plies < plies);
}

/* Searches a position deeply. */
static bool search_deeply(Measure *m) {
    const TgConfig config = {
        .size = m->size, .rule = m->rule, .threads = 1, .memory_kib = DEEP_TABLE_KIB};
    static TgEngine *engine;
    TgOutcome outcome;
    TgResult result;
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = YARDSTICK_NODES};
    if (!engine && tg_new(&config, &engine) != TG_OK) return false;
    if (tg_reset(engine, m->size, m->rule) != TG_OK) return false;
    for (int i = 0; i < m->plies; i++)
        if (tg_play(engine, m->move[i], &outcome) != TG_OK) return false;
    if (tg_search(engine, &limits, &result) != TG_OK) return false;
    m->score = result.line.score;
    m->best = result.move;
    return true;
}

static void make_position(Run *r) {
    Player *p = &r->player;
    const int rule = (int)TURNS[r->count % CYCLE];
    p->rule = rule;
    p->size = size_of(r->count, rule);
    player_seed(p, SEED + (u64)r->count);
    for (;;) {
        Measure m = {.rule = rule, .size = p->size, .plies = play_some(r)};
        if (m.plies < 0) continue;
        for (int i = 0; i < m.plies; i++) m.move[i] = square_at(p->game.move[i]);
        const u64 key = key_of(r, &m);
        if (!is_new(r, key)) continue;
        if (!search_deeply(&m)) fail("a position", "cannot be searched");
        measure_write(r->file, &m);
        if (fflush(r->file) != 0) fail(r->path, strerror(errno));
        r->key[r->count++] = key;
        return;
    }
}

int main(int argc, char **argv) {
    static Run run;
    int wanted;
    if (argc != 4 || !read_int(argv[2], 1, COUNT_MAX, &wanted)) {
        fprintf(stderr, "usage: yardstick OUT.txt COUNT OPENINGS\n");
        return 2;
    }
    const TgConfig config = {.size = 15, .threads = 1, .memory_kib = TABLE_KIB};
    run.wanted = wanted;
    run.path = argv[1];
    run.folder = argv[3];
    run.key = calloc((size_t)wanted, sizeof *run.key);
    run.position = malloc(sizeof *run.position);
    if (!run.key || !run.position || tg_new(&config, &run.player.engine) != TG_OK)
        fail(argv[1], "no memory");
    run.player.nodes = PLAY_NODES;
    signal(SIGTERM, stop_playing);
    signal(SIGINT, stop_playing);
    signal(SIGXFSZ, SIG_IGN); /* the write reports it */
    resume(&run, argv[1]);
    while (run.count < run.wanted && !play_stopped) make_position(&run);
    if (fclose(run.file) != 0) fail(run.path, strerror(errno));
    return 0;
}
