/* output.h - the end of a program that prints its result.
 */
#ifndef TRAINING_OUTPUT_H
#define TRAINING_OUTPUT_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether everything was printed; prints the reason if not. */
static inline bool output_is_good(const char *program) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    fprintf(stderr, "%s: the output cannot be written: %s\n", program, strerror(errno));
    return false;
}

#endif
