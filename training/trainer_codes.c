/* trainer_codes.c - the trainer (trainer.c) for the network that ships: codes of squares only, one
 * hidden layer, and the chance of winning. With --out it writes what write_weights.py reads.
 */
enum { HAS_LINES = 0, WIDTH = 8, AROUND = 8, CODE_WIDTH = 8, HIDDEN = 64, SECOND = 0, OUTPUTS = 1 };

#include "trainer/run.h"

int main(int argc, char **argv) {
    return run_trainer(argc, argv);
}
