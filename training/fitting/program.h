/* program.h - the faults that end a program that fits. Before this file is included, the program
 * defines PROGRAM, its name, as a string literal.
 */
#ifndef FITTING_PROGRAM_H
#define FITTING_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>

#ifndef PROGRAM
#error "PROGRAM is the name of the program"
#endif

/* Ends the program. */
static inline void fail(const char *path, const char *why) {
    fprintf(stderr, PROGRAM ": %s %s\n", path, why);
    exit(1);
}

#endif
