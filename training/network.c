/* network.c - fits the value network of one rule (csrc/eval/nn/value_net.h) to games (selfplay.c).
 *
 *   network EPOCHS OUT.json WEIGHTS.tgw [START.json] [OPTION...] < games.txt
 *   network EPOCHS OUT.json WEIGHTS.tgw [START.json] --games LIST [OPTION...]
 *
 *   --games LIST      files of games (games.h), one path a line, all of one rule; a damaged file
 *                     ends the program before the fit begins
 *   --positions N     read no further game after N positions
 *   --lines DECAY     also learn lines (lines.h). DECAY pulls the numbers of a line towards
 *                     those of its shapes, by so many rates a step (try 1). A START with lines
 *                     turns this on, with 1
 *   --recent DECAY    also learn the last stones (recent.h). DECAY is as that of lines. A START
 *                     with them turns this on, with 1
 *   --squares keep    learn only the layers and last stones; the numbers of the squares, also
 *                     those of their lines, stay as in START, and so does what the policy network
 *                     sees
 *   --threads N       1 or 2 (default 2); the result is the same
 *   --state FILE      continue the fit of this file, if it exists. The file is written at SIGTERM
 *                     and SIGINT, after each epoch, and every N minutes. One process at a time uses
 *                     it: FILE.lock is locked
 *   --save-minutes N  (default 10)
 *   --yardstick FILE  judge the network by these positions (yardstick.h) after each epoch
 *   --result-share S  share of the game's result in a label, 0 to 1 (default 0.7); the rest is the
 *                     score of the search
 *
 * The network corrects the score of the tables in WEIGHTS.tgw, which is of the games' rule. It
 * learns the quiet positions (quiet.h) only. The label of a position mixes the result of the game
 * with the score of the search. START.json is the network of another rule, the start of the fit
 * instead of random numbers. OUT.json has the network in whole numbers, as the library has it.
 *
 * The method is Adam on batches of positions in random order, with a cosine rate that falls to 0.
 * A code's numbers are the sum of two parts: those of its four shapes, and its own part under
 * weight decay. Rare codes thus stay close to their shapes, or to START. Each twentieth game or
 * search is for validation: after each epoch the program prints its loss, beside the loss of the
 * weights alone.
 *
 * The same games give the same network on the same machine with the same compiler, also if the fit
 * was interrupted and continued; sums of floats may differ elsewhere. A state of other games,
 * options or weights is refused. With --state, SIGINT ends the program with status 130 and SIGTERM
 * with 143. Status 1: a file or a game has a fault; 2: an argument has one. A position is made from
 * its game each time it is needed. 30 million positions therefore need about 400 MB.
 */
#include <float.h>

#include "network/fit.h"
#include "network/json.h"

static const char USAGE[] =
    "usage: network EPOCHS OUT.json WEIGHTS.tgw [START.json] [--result-share S]\n"
    "       [--lines DECAY] [--recent DECAY] [--squares keep] [--threads N] [--positions N]\n"
    "       [--state FILE] [--save-minutes N] [--yardstick FILE] [--games LIST | < games.txt]\n";

static int usage(void) {
    fprintf(stderr, "%s", USAGE);
    return 2;
}

/* A value of one of four types. on: set when the option is given. */
typedef struct {
    const char *name, **text;
    float *number;
    int *whole;
    size_t *count;
    double least, most;
    bool *on;
} Option;

enum { EPOCHS_MAX = 10000 };
static const double COUNT_MAX = 1e15;

static const Option EPOCHS = {
    .name = "EPOCHS", .whole = &options.epochs, .least = 1, .most = EPOCHS_MAX};
static const Option OPTIONS[] = {
    {.name = "--games", .text = &options.games},
    {.name = "--state", .text = &options.state},
    {.name = "--yardstick", .text = &options.yardstick},
    {"--lines", .number = &options.line_decay, .most = FLT_MAX, .on = &options.lines},
    {"--recent", .number = &options.recent_decay, .most = FLT_MAX, .on = &options.recent},
    {"--result-share", .number = &options.result_share, .most = 1},
    {"--save-minutes", .number = &options.save_minutes, .most = 1e6},
    {"--positions", .count = &options.positions, .least = 1, .most = COUNT_MAX},
    {"--threads", .whole = &options.threads, .least = 1, .most = SHARDS},
};

static bool read_number(const Option *o, const char *value) {
    char *end;
    const double v = strtod(value, &end);
    if (end == value || *end || !(v >= o->least && v <= o->most)) return false;
    if (!o->number && v != floor(v)) return false;
    if (o->number) *o->number = (float)v;
    if (o->whole) *o->whole = (int)v;
    if (o->count) *o->count = (size_t)v;
    return true;
}

static bool read_value(const Option *o, const char *value) {
    if (o->on) *o->on = true;
    if (o->text) *o->text = value;
    if (o->text || read_number(o, value)) return true;
    fprintf(stderr, "network: %s cannot be '%s'\n", o->name, value);
    return false;
}

static bool read_squares_option(const char *value) {
    options.keeps_squares = strcmp(value, "keep") == 0;
    if (!options.keeps_squares) fprintf(stderr, "network: --squares cannot be '%s'\n", value);
    return options.keeps_squares;
}

static bool read_option(const char *name, const char *value) {
    if (value && strcmp(name, "--squares") == 0) return read_squares_option(value);
    for (size_t i = 0; value && i < sizeof OPTIONS / sizeof *OPTIONS; i++)
        if (strcmp(OPTIONS[i].name, name) == 0) return read_value(&OPTIONS[i], value);
    fprintf(stderr, "network: %s %s\n", name, value ? "is unknown" : "needs a value");
    return false;
}

static bool read_arguments(int argc, char **argv) {
    int at = 4;
    if (argc < 4 || !read_value(&EPOCHS, argv[1])) return false;
    options.out = argv[2];
    options.weights = argv[3];
    if (at < argc && argv[at][0] != '-') options.start = argv[at++];
    for (; at < argc; at += 2)
        if (!read_option(argv[at], argv[at + 1])) return false;
    return true;
}

/* Reads everything but the games, and checks OUT. Ends the program at a fault. */
static void begin(void) {
    if (options.state) end_on_signals();
    table = table_of_file(options.weights);
    if (!options.start)
        start_by_chance();
    else if (!read_network(options.start))
        fail(options.start, "cannot be read, or has an unknown part");
    if (options.keeps_squares && options.lines && !start.has_lines) {
        fprintf(stderr, "network: --squares keep leaves no lines to learn\n");
        exit(2);
    }
    if (options.state) state_begin(options.state);
    if (!newfile_can_replace(options.out)) fail_write(options.out); /* not after hours of work */
    if (options.yardstick) read_yardstick();
}

int main(int argc, char **argv) {
    Samples learned = {0}, validation = {0};
    if (!read_arguments(argc, argv)) return usage();
    begin();
    read_games(&learned, &validation);
    if (learned.count < BATCH) {
        fprintf(stderr, "network: %zu positions, not even the %d of one step\n", learned.count,
                BATCH);
        return 1;
    }
    checksum.games = checksum_of_games(&learned, &validation);
    fit(&learned, &validation, options.epochs);
    is_unsaved = 1; /* a signal must not cut the network short */
    if (!write_network(options.out, laws_of_games())) fail_write(options.out);
    fflush(stdout);
    if (is_stopped) end_stopped();
    return 0;
}
