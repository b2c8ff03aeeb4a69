/* selfplay.c - makes a file of games (games.h) of the engine against itself.
 *
 *   selfplay RULE SIZE NODES GAMES SEED OUT.tg [OPTION...]
 *   selfplay --about                              prints the checksum of the evaluation
 *
 *   --engine TEXT        what the header names as the engine, at most 16 bytes
 *   --openings FILE      openings, a line each: `x,y x,y ...`
 *   --mix R,O,B          percent of games from random openings, from the file's, branches (100,0,0)
 *   --play-out           play decided and even games to their end
 *   --seconds S          stop after so many seconds
 *   --tied               stop when the standard input closes: when the program that holds it ends
 *
 * The same arguments make the same file. SIGTERM, SIGINT and the end of the time finish the file
 * with the games that are whole. While it is written it is OUT.tg.part; a later call with the same
 * arguments goes on after the last whole game of it. A full disk leaves OUT.tg.part, with an error.
 */
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arguments.h"
#include "play.h"

typedef struct {
    Player player;
    GamesHeader header;
    Openings openings;
    const char *path, *openings_path;
    char part[4096];
    FILE *file;
    int64_t until_us; /* -1: no limit */
    bool tied;
    StoredGame *games; /* branches start from them */
} Run;

static void fail(const char *path, const char *why) {
    fprintf(stderr, "selfplay: %s: %s\n", path, why);
    exit(1);
}

/* --- the file ---------------------------------------------------------------------------- */

/* Opens the file to write at its end, which is at `keep`. */
static void open_part(Run *r, size_t keep) {
    r->file = fopen(r->part, "r+b");
    if (!r->file) r->file = fopen(r->part, "w+b");
    if (!r->file) fail(r->part, strerror(errno));
    if (flock(fileno(r->file), LOCK_EX | LOCK_NB) != 0)
        fail(r->part, "is being written by another program");
    if (ftruncate(fileno(r->file), (off_t)keep) != 0 || fseek(r->file, 0, SEEK_END) != 0)
        fail(r->part, strerror(errno));
    u8 head[GAMES_HEADER];
    header_write(&r->header, head);
    if (!keep && (fwrite(head, 1, sizeof head, r->file) != sizeof head || fflush(r->file) != 0))
        fail(r->part, strerror(errno));
}

/* Takes the complete games of a file that an earlier call left unfinished. */
static void resume(Run *r) {
    u8 *bytes = NULL, head[GAMES_HEADER];
    size_t size = 0, at = GAMES_HEADER;
    header_write(&r->header, head);
    if (file_slurp(r->part, &bytes, &size) != NULL || size < GAMES_HEADER) {
        free(bytes);
        open_part(r, 0);
        return;
    }
    if (memcmp(bytes, head, GAMES_HEADER) != 0)
        fail(r->part, "is there already, and of other arguments");
    Position *p = malloc(sizeof *p);
    if (!p) fail(r->part, "does not fit the memory");
    u32 games = 0;
    while (games < r->header.asked) {
        StoredGame *g = &r->games[games];
        const size_t length = game_read(bytes + at, size - at, &r->header, g);
        position_init(p, (Rule)r->header.rule, &eval_table((Rule)r->header.rule)->pattern,
                      r->header.size);
        if (length == 0 || !game_replays(g, p)) break;
        at += length;
        games++;
    }
    free(p);
    free(bytes);
    open_part(r, at);
    r->header.count = games;
}

static void append(Run *r, const StoredGame *g) {
    u8 bytes[GAME_BYTES_MAX];
    const size_t length = game_write(g, bytes);
    if (fwrite(bytes, 1, length, r->file) != length || fflush(r->file) != 0)
        fail(r->part, strerror(errno));
    r->games[r->header.count++] = *g;
}

/* Whether the path still names the file that is written: it may have been moved. */
static bool is_in_place(const Run *r) {
    struct stat written, there;
    return fstat(fileno(r->file), &written) == 0 && stat(r->part, &there) == 0 &&
           written.st_ino == there.st_ino && written.st_dev == there.st_dev;
}

/* Writes the number of games and the checksum, and renames the file. */
static void finish(Run *r) {
    u8 head[GAMES_HEADER], end[GAMES_END], bytes[GAME_BYTES_MAX];
    header_write(&r->header, head);
    u32 sum = crc32_of(0, head, sizeof head);
    for (u32 i = 0; i < r->header.count; i++)
        sum = crc32_of(sum, bytes, game_write(&r->games[i], bytes));
    put_bytes(end, sum, GAMES_END);
    const bool good = fwrite(end, 1, sizeof end, r->file) == sizeof end && fflush(r->file) == 0 &&
                      fseek(r->file, 0, SEEK_SET) == 0 &&
                      fwrite(head, 1, sizeof head, r->file) == sizeof head &&
                      fflush(r->file) == 0 && fsync(fileno(r->file)) == 0;
    if (good && !is_in_place(r)) fail(r->part, "was replaced by another file while it was written");
    if (!good || fclose(r->file) != 0) fail(r->part, strerror(errno));
    if (rename(r->part, r->path) != 0) fail(r->path, strerror(errno));
}

/* --- the games --------------------------------------------------------------------------- */

static bool is_time_up(const Run *r) {
    return r->until_us >= 0 && platform_now_us() >= r->until_us;
}

static bool branch_off(Run *r) {
    Player *p = &r->player;
    for (int i = 0; i < BRANCH_TRIES && r->header.count; i++)
        if (open_branch(p, &r->games[draw(p, r->header.count)])) return true;
    return false;
}

/* Draws the kind of opening; a random one if the other kinds fail. */
static void open_game(Run *r) {
    Player *p = &r->player;
    const u8 *mix = r->header.mix;
    const u32 kind = draw(p, 100);
    if (kind >= mix[0] && kind < (u32)(mix[0] + mix[1]) && open_by_book(p, &r->openings)) return;
    if (kind >= (u32)(mix[0] + mix[1]) && branch_off(r)) return;
    while (!open_randomly(p)) continue;
}

static void play_games(Run *r) {
    while (r->header.count < r->header.asked && !play_stopped && !is_time_up(r)) {
        player_seed(&r->player, r->header.seed + r->header.count);
        open_game(r);
        if (!play_out(&r->player)) return;
        append(r, &r->player.game);
    }
}

/* --- arguments --------------------------------------------------------------------------- */

static void usage(const char *wrong) {
    fprintf(stderr, "selfplay: %s\n", wrong);
    fprintf(stderr, "usage: selfplay RULE SIZE NODES GAMES SEED OUT.tg [--engine TEXT]\n"
                    "       [--openings FILE] [--mix R,O,B] [--play-out] [--seconds S] [--tied]\n"
                    "       selfplay --about\n");
    exit(2);
}

static long long number(const char *text, long long least, long long most, const char *wrong) {
    long long n = 0;
    if (!read_whole(text, least, most, &n)) usage(wrong);
    return n;
}

static void set_mix(Run *r, const char *text) {
    unsigned mix[3];
    char more;
    if (sscanf(text, "%u,%u,%u%c", &mix[0], &mix[1], &mix[2], &more) != 3 || mix[0] > 100 ||
        mix[1] > 100 || mix[2] > 100 || mix[0] + mix[1] + mix[2] != 100)
        usage("--mix takes three percentages, R,O,B, that add up to 100");
    for (int i = 0; i < 3; i++) r->header.mix[i] = (u8)mix[i];
}

static void read_option(Run *r, const char *name, const char *value) {
    if (!value) usage("the last option lacks its value");
    if (strcmp(name, "--engine") == 0) {
        if (strlen(value) > ENGINE_TEXT) usage("--engine takes 16 bytes at most");
        strncpy(r->header.engine, value, ENGINE_TEXT);
    } else if (strcmp(name, "--openings") == 0) {
        r->openings_path = value;
    } else if (strcmp(name, "--mix") == 0) {
        set_mix(r, value);
    } else if (strcmp(name, "--seconds") == 0) {
        const long long s = number(value, 0, 1 << 30, "--seconds takes a number of seconds");
        r->until_us = platform_now_us() + s * 1000000;
    } else {
        usage("there is no such option");
    }
}

static void read_arguments(Run *r, int argc, char **argv) {
    GamesHeader *h = &r->header;
    if (argc < 7) usage("arguments are missing");
    *h = (GamesHeader){.mix = {100, 0, 0}, .adjudicated = 2};
    h->rule = (int)number(argv[1], 0, UINT8_MAX, "RULE is a number");
    if (!is_rule(h->rule)) usage("RULE must be a rule number of INFO rule");
    char sizes[32];
    snprintf(sizes, sizeof sizes, "SIZE is %d to %d", MIN_SIZE, MAX_SIZE);
    h->size = (int)number(argv[2], MIN_SIZE, MAX_SIZE, sizes);
    h->nodes = (u32)number(argv[3], 1, 1 << 30, "NODES is a number above 0");
    h->asked = (u32)number(argv[4], 1, 1 << 20, "GAMES is 1 to 1048576");
    h->seed = (u64)number(argv[5], 0, INT64_MAX, "SEED is a number");
    r->path = argv[6];
    r->until_us = -1;
    for (int i = 7; i < argc; i++) {
        if (strcmp(argv[i], "--play-out") == 0) {
            h->adjudicated = 0;
        } else if (strcmp(argv[i], "--tied") == 0) {
            r->tied = true;
        } else {
            read_option(r, argv[i], argv[i + 1]);
            i++;
        }
    }
    if (h->mix[1] && !r->openings_path) usage("--mix wants openings: give --openings");
    if (snprintf(r->part, sizeof r->part, "%s.part", r->path) >= (int)sizeof r->part)
        usage("OUT.tg is too long");
}

static void prepare(Run *r) {
    GamesHeader *h = &r->header;
    Player *p = &r->player;
    const TgConfig config = {
        .size = h->size, .rule = h->rule, .threads = 1, .memory_kib = TABLE_KIB};
    if (tg_new(&config, &p->engine) != TG_OK) usage("there is no engine for this rule and size");
    p->rule = h->rule;
    p->size = h->size;
    p->nodes = (int32_t)h->nodes;
    p->adjudicates = h->adjudicated != 0;
    h->evaluation = evaluation_checksum();
    if (r->openings_path) {
        const char *wrong = read_openings(r->openings_path, h->size, &r->openings);
        if (wrong) fail(r->openings_path, wrong);
        h->openings = r->openings.checksum;
    }
    r->games = calloc(h->asked, sizeof *r->games);
    if (!r->games) fail(r->path, "the games do not fit the memory");
}

/* Waits for the end of the standard input. */
static void *watch_input(void *unused) {
    char bytes[256];
    while (read(STDIN_FILENO, bytes, sizeof bytes) > 0) continue;
    play_stopped = 1;
    return unused;
}

static void watch_signals(const Run *r) {
    pthread_t watcher;
    signal(SIGTERM, stop_playing);
    signal(SIGINT, stop_playing);
    signal(SIGXFSZ, SIG_IGN); /* the write reports it */
    if (r->tied && pthread_create(&watcher, NULL, watch_input, NULL) != 0)
        fail(r->path, "the system gives no thread");
}

int main(int argc, char **argv) {
    static Run run;
    if (tg_cpu_built() > tg_cpu_best()) fail(argv[0], "this processor cannot run it");
    if (argc == 2 && strcmp(argv[1], "--about") == 0) {
        printf("%08x\n", evaluation_checksum());
        return 0;
    }
    read_arguments(&run, argc, argv);
    prepare(&run);
    watch_signals(&run);
    resume(&run);
    play_games(&run);
    if (run.header.count)
        finish(&run);
    else
        remove(run.part);
    tg_free(run.player.engine);
    free(run.openings.at);
    free(run.games);
    return 0;
}
