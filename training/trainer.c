/* trainer.c - fits the network of lines to games. Each square has WIDTH numbers for each view, from
 * rows for whole lines; AROUND of them are combined with the neighbours'. Two hidden layers follow,
 * and the probabilities of a win, a draw and a loss. trainer_codes.c is the same program for the
 * shipped network. trainer/options.h describes the options.
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
