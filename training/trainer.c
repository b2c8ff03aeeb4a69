/* trainer.c - fits the network of lines to games: WIDTH numbers for each square and view from rows
 * for whole lines, AROUND of them with the neighbours', two hidden layers, and the chances of a
 * win, a draw and a loss. trainer_codes.c is the same program for the network that ships. The
 * options are described in trainer/options.h.
 */
enum {
    HAS_LINES = 1,
    WIDTH = 16,
    AROUND = 8,
    CODE_WIDTH = 8,
    HIDDEN = 64,
    SECOND = 32,
    OUTPUTS = 3
};

#include "trainer/run.h"

int main(int argc, char **argv) {
    return run_trainer(argc, argv);
}
