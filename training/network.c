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
 *   --rate R          the highest learning rate (default 0.002). If all parts of START are trained
 *                     and the games are new to it, try 0.0007 (decision 0158)
 *   --yardstick FILE  judge the network by these positions (yardstick.h) after each epoch
 *   --result-share S  share of the game's result in a label, 0 to 1 (default 0.7); the rest is the
 *                     score of the search
 *
 * The network corrects the score of the tables in WEIGHTS.tgw, which is of the games' rule. It
 * learns the quiet positions (quiet.h) only. The label of a position mixes the result of the game
 * with the win rate of the search's score. A node of a search has no result: its label is the win
 * rate of its score. If there are nodes, the validation positions of games set the output's bias at
 * the end. The fit starts from START.json, a network of this or of another rule, or from random
 * numbers. OUT.json has the network in whole numbers, as the library has it.
 *
 * The method is Adam on batches of positions in random order, with a cosine rate that falls to 0.
 * A code's numbers are the sum of two parts: those of its four shapes, and its own part under
 * weight decay. Rare codes thus stay close to their shapes, or to START. About one game in twenty
 * is for validation, and one search in twenty with all its nodes; their moves decide (input.h).
 * Before the first epoch the program prints the validation loss of the tables alone, after each
 * epoch that of the network.
 *
 * The same games give the same network on the same machine with the same compiler, also if the fit
 * was interrupted and continued; sums of floats may differ elsewhere. A state of other games,
 * options or weights is refused. With --state, SIGINT ends the program with status 130 and SIGTERM
 * with 143. Status 1: a file or a game has a fault, or a write failed; 2: an argument has a fault.
 * A position is made from its game each time it is needed. 30 million positions therefore need
 * about 400 MB.
 */
#define PROGRAM "network"

#include <float.h>

#include "network/fit.h"
#include "network/json.h"

static const char USAGE[] =
    "usage: network EPOCHS OUT.json WEIGHTS.tgw [START.json] [--result-share S]\n"
    "       [--lines DECAY] [--recent DECAY] [--squares keep] [--threads N] [--positions N]\n"
    "       [--state FILE] [--save-minutes N] [--rate R] [--yardstick FILE]\n"
    "       [--games LIST | < games.txt]\n";

static const Option START = {.name = "START", .text = &options.start};
static const Option OPTIONS[] = {
    {"--lines", .number = &options.line_decay, .most = FLT_MAX, .on = &options.lines},
    {"--recent", .number = &options.recent_decay, .most = FLT_MAX, .on = &options.recent},
    {"--result-share", .number = &options.result_share, .most = 1},
    {"--positions", .count = &options.positions, .least = 1, .most = 1e15},
    {"--squares", .word = "keep", .on = &options.keeps_squares},
};

static bool read_arguments(int argc, char **argv) {
    int at = 4;
    if (!read_first_arguments(argc, argv)) return false;
    if (at < argc && argv[at][0] != '-' && !read_value(&START, argv[at++])) return false;
    return read_options(argc, argv, at, OPTIONS, sizeof OPTIONS / sizeof *OPTIONS);
}

/* Reads everything but the games, and checks OUT. Ends the program at a fault. */
static void begin(void) {
    if (command.state) end_on_signals();
    table = table_of_file(command.weights);
    if (!options.start)
        start_by_chance();
    else if (!read_network(options.start))
        fail(options.start, "cannot be read, or has an unknown part");
    if (options.keeps_squares && options.lines && !start.has_lines) {
        fprintf(stderr, PROGRAM ": --squares keep leaves no lines to learn\n");
        exit(2);
    }
    const StateForm form = state_form();
    prepare(&form, table);
}

int main(int argc, char **argv) {
    Samples learned = {0}, validation = {0};
    if (!read_arguments(argc, argv)) {
        fprintf(stderr, "%s", USAGE);
        return 2;
    }
    begin();
    read_games(&learned, &validation);
    need_batch(learned.count, validation.count, BATCH);
    checksum.games = checksum_of_games(&learned, &validation);
    fit(&learned, &validation);
    return write_result(write_network);
}
