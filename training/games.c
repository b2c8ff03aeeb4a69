/* games.c - reads files of games (games.h).
 *
 *     games check FILE...     prints for each file whether it is good, or its fault
 *     games count FILE...     games, positions and results by rule, size, nodes and engine
 *     games print FILE...     the games as text, for the fits
 *
 *     --skip                  skip damaged files, with a message; otherwise they end the command
 *     --rule R                refuse files of another rule
 *
 * A line of text: RULE SIZE RESULT OPENING MOVES MOVES: x,y,score;... and `x,y,score!` for a move
 * other than the best one. RESULT is 1, 0 or -1 as in the file. A node of a search has NODE_RESULT
 * and more: the sum of NODE_RESULT and the plies before the search. Status 1: a file was wrong.
 */
#include "games.h"
#include "arguments.h"
#include "eval/evaluate.h"
#include "output.h"

enum { KINDS_MAX = 256, FLAGS = 4 };

/* Games of one kind. */
typedef struct {
    GamesHeader header;
    long files, games, positions, result[3], flagged[FLAGS];
} Kind;

typedef enum { CHECK, COUNT, PRINT } Command;

typedef struct {
    Command command;
    bool skips;
    int rule; /* -1: any */
    Position *position;
    Kind kind[KINDS_MAX];
    int kinds;
} Run;

static void print_game(const StoredGame *g) {
    const int result = g->flags & GAME_NODE ? NODE_RESULT + g->branch : g->result;
    printf("%d %d %d %d ", g->rule, g->size, result, g->opening);
    for (int i = 0; i < g->plies; i++) {
        const Cell c = move_cell(g->move[i]);
        printf("%d,%d,%d%s;", cell_x(c), cell_y(c), g->score[i],
               g->move[i] & MOVE_VARIED ? "!" : "");
    }
    printf("\n");
}

static bool is_kind(const GamesHeader *a, const GamesHeader *b) {
    return a->rule == b->rule && a->size == b->size && a->nodes == b->nodes &&
           a->evaluation == b->evaluation && strcmp(a->engine, b->engine) == 0;
}

static Kind *kind_of(Run *r, const GamesHeader *h) {
    for (int i = 0; i < r->kinds; i++)
        if (is_kind(&r->kind[i].header, h)) return &r->kind[i];
    if (r->kinds == KINDS_MAX) {
        fprintf(stderr, "games: more than %d kinds of games\n", KINDS_MAX);
        exit(1);
    }
    r->kind[r->kinds].header = *h;
    return &r->kind[r->kinds++];
}

static void count_game(Kind *k, const StoredGame *g) {
    k->games++;
    k->positions += g->plies - g->opening;
    if (!(g->flags & GAME_NODE)) k->result[1 - g->result]++;
    for (int i = 0; i < FLAGS; i++) k->flagged[i] += g->flags >> i & 1;
}

static void print_counts(const Run *r) {
    printf("rule size nodes engine evaluation files games positions black draw white branches "
           "shipped adjudicated of_searches\n");
    for (int i = 0; i < r->kinds; i++) {
        const Kind *k = &r->kind[i];
        const GamesHeader *h = &k->header;
        printf("%d %d %u %s %08x %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld\n", h->rule, h->size,
               h->nodes, h->engine[0] ? h->engine : "-", h->evaluation, k->files, k->games,
               k->positions, k->result[0], k->result[1], k->result[2], k->flagged[0], k->flagged[1],
               k->flagged[2], k->flagged[3]);
    }
}

/* Returns the fault of a game of the file; NULL without one. */
static const char *replay(Run *r, const GamesFile *f) {
    static StoredGame game;
    size_t at = 0;
    while (games_next(f, &at, &game)) {
        const EvalTable *t = eval_table((Rule)game.rule);
        position_init(r->position, (Rule)game.rule, &t->pattern, game.size);
        if (!game_replays(&game, r->position)) return "has a game that cannot be played";
    }
    return NULL;
}

static const char *open_file(Run *r, const char *path, GamesFile *f) {
    const char *wrong = games_open(path, f);
    if (wrong) return wrong;
    if (r->rule >= 0 && f->header.rule != r->rule)
        wrong = "is of another rule";
    else
        wrong = replay(r, f);
    if (wrong) games_close(f);
    return wrong;
}

static void use_file(Run *r, const char *path, const GamesFile *f) {
    static StoredGame game;
    Kind *k = kind_of(r, &f->header);
    size_t at = 0;
    k->files++;
    if (r->command == CHECK) printf("%s: good, %u games\n", path, f->header.count);
    while (games_next(f, &at, &game)) {
        count_game(k, &game);
        if (r->command == PRINT) print_game(&game);
    }
}

/* Reads the files and uses the good ones. Returns whether all were good. */
static bool read_files(Run *r, char **paths, int count, bool use) {
    bool good = true;
    for (int i = 0; i < count; i++) {
        GamesFile f;
        const char *wrong = open_file(r, paths[i], &f);
        if (wrong) {
            fprintf(stderr, "games: %s %s%s\n", paths[i], wrong, r->skips ? "; skipped" : "");
            good = false;
            continue;
        }
        if (use) use_file(r, paths[i], &f);
        games_close(&f);
    }
    return good;
}

/* Returns whether the command succeeded. It prints nothing of damaged files. Without --skip it then
 * prints nothing of the others either. */
static bool run_command(Run *r, char **paths, int count) {
    if (r->skips) {
        read_files(r, paths, count, true);
        return true;
    }
    if (r->command == CHECK) return read_files(r, paths, count, true);
    return read_files(r, paths, count, false) && read_files(r, paths, count, true);
}

static int usage(void) {
    fprintf(stderr, "usage: games check|count|print [--skip] [--rule R] FILE...\n");
    return 2;
}

static bool read_rule(const char *text, int *rule) {
    if (read_int(text, 0, UINT8_MAX, rule) && is_rule(*rule)) return true;
    fprintf(stderr, "games: --rule cannot be '%s'\n", text);
    return false;
}

/* Returns the index of the first file in argv; 0 if an argument is wrong. */
static int read_options(Run *r, int argc, char **argv) {
    int at = 2;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--skip") == 0)
            r->skips = true;
        else if (strcmp(argv[at], "--rule") != 0 || at + 1 == argc)
            return 0;
        else if (!read_rule(argv[++at], &r->rule))
            return 0;
    }
    return at < argc ? at : 0;
}

int main(int argc, char **argv) {
    static Run run = {.rule = -1};
    static const char *const NAMES[] = {"check", "count", "print"};
    int command = 0;
    if (argc < 2) return usage();
    while (command < 3 && strcmp(argv[1], NAMES[command]) != 0) command++;
    if (command == 3) return usage();
    run.command = (Command)command;
    const int at = read_options(&run, argc, argv);
    if (!at) return usage();
    signal(SIGXFSZ, SIG_IGN); /* output_is_good reports it */
    run.position = malloc(sizeof *run.position);
    if (!run.position) return 1;
    const bool good = run_command(&run, argv + at, argc - at);
    if (run.command == COUNT && good) print_counts(&run);
    free(run.position);
    return output_is_good("games") && good ? 0 : 1;
}
