/* arguments.h - whole numbers of the command line.
 */
#ifndef TRAINING_ARGUMENTS_H
#define TRAINING_ARGUMENTS_H

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* Reads a whole number from `least` to `most`. False for any other text; *out is then unchanged. */
static inline bool read_whole(const char *text, long long least, long long most, long long *out) {
    char *end;
    if (*text != '-' && !isdigit((unsigned char)*text)) return false;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    if (errno || end == text || *end || n < least || n > most) return false;
    *out = n;
    return true;
}

/* The same for an int. */
static inline bool read_int(const char *text, int least, int most, int *out) {
    long long n;
    if (!read_whole(text, least, most, &n)) return false;
    *out = (int)n;
    return true;
}

#endif
