/* policy.c - fits the policy network of one rule (csrc/eval/nn/policy_net.h) to games (selfplay.c).
 *
 *   policy EPOCHS OUT.json WEIGHTS.tgw [OPTION...] < games.txt
 *   policy EPOCHS OUT.json WEIGHTS.tgw --games LIST [OPTION...]
 *
 *   --games LIST      files of games (games.h), one path a line, all of one rule; a damaged file
 *                     ends the program before the fit begins
 *   --threads N       1 or 2 (default 2); the result is the same
 *   --state FILE      continue the fit of this file, if it exists. The file is written at SIGTERM
 *                     and SIGINT, after each epoch, and every N minutes. One process at a time uses
 *                     it: FILE.lock is locked
 *   --save-minutes N  (default 10)
 *   --rate R          the highest learning rate (default 0.002)
 *   --yardstick FILE  judge the order of moves by these positions (yardstick.h) after each epoch
 *
 * The network is added to the tables and the value network of a weights file, which is of the
 * games' rule. The label of a position is the move that the search chose. The network gives each
 * candidate a score in hundredths; the loss is the cross-entropy of a softmax over these scores.
 * The fit leaves out the positions that the search decides (ordered.h), those with a proven end,
 * and those in which another move than the best one was played. The method is Adam on batches of
 * positions in random order. About one game in twenty is for validation, and one search in twenty
 * with all its nodes; their moves decide (input.h). Before the first epoch the program prints the
 * validation loss of the tables alone, after each epoch that of the network, and the share of
 * positions in which the chosen move is first. OUT.json has the network in whole numbers, as the
 * library has it.
 *
 * The same games give the same network on the same machine with the same compiler, also if the fit
 * was interrupted and continued; sums of floats may differ elsewhere. A state of other games,
 * options or weights is refused. With --state, SIGINT ends the program with status 130 and SIGTERM
 * with 143. Status 1: a file or a game has a fault, or a write failed; 2: an argument has a fault.
 * All positions with their candidates are in memory: a million need about 3.5 GB.
 */
#define PROGRAM "policy"

#include "policy/fit.h"
#include "policy/json.h"

static const char USAGE[] =
    "usage: policy EPOCHS OUT.json WEIGHTS.tgw [--threads N] [--state FILE] [--save-minutes N]\n"
    "       [--rate R] [--yardstick FILE] [--games LIST | < games.txt]\n";

/* Reads everything but the games, and checks OUT. Ends the program at a fault. */
static void begin(void) {
    if (command.state) end_on_signals();
    table = table_of_file(command.weights);
    if (!table->has_network)
        give_up(command.weights, "it has no network, which a policy stands on");
    laws = traits_laws(rules_traits((Rule)table->weights.rule));
    const StateForm form = state_form();
    prepare(&form, table);
}

int main(int argc, char **argv) {
    Samples learned = {0}, validation = {0};
    if (!read_first_arguments(argc, argv) || !read_options(argc, argv, 4, NULL, 0)) {
        fprintf(stderr, "%s", USAGE);
        return 2;
    }
    begin();
    read_games(&learned, &validation);
    need_batch(learned.count, validation.count, BATCH);
    if (command.state) checksum.games = checksum_of_games(&learned, &validation);
    fit(&learned, &validation);
    return write_result(write_policy);
}
