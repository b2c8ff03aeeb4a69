/* trainer_codes.c - the trainer (trainer.c) for the shipped network: codes of squares only, one
 * hidden layer, and the win rate. With --out it writes the input of write_weights.py.
 */
enum { HAS_LINES = 0, WIDTH = 8, AROUND = 8, CODE_WIDTH = 8, HIDDEN = 64, SECOND = 0, OUTPUTS = 1 };

#include "trainer/run.h"

int main(int argc, char **argv) {
    return run_trainer(argc, argv);
}
