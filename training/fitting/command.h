/* command.h - the command line of a program that fits: EPOCHS OUT.json WEIGHTS.tgw, and options. */
#ifndef FITTING_COMMAND_H
#define FITTING_COMMAND_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "program.h"
#include "shards.h"

/* What all fits have. NULL: the option was not given. */
static struct {
    int epochs, threads;
    const char *out, *weights, *games, *state, *yardstick;
    float rate, save_minutes;
} command = {.threads = 2, .rate = 2e-3f, .save_minutes = 10};

/* A value of one of five types. text: not an empty one, which is no path. word: the only value that
 * the option takes. on: set when the option is given. */
typedef struct {
    const char *name, **text;
    float *number;
    int *whole;
    size_t *count;
    double least, most;
    bool *on;
    const char *word;
} Option;

enum { EPOCHS_MAX = 10000 };

static const Option EPOCHS = {
    .name = "EPOCHS", .whole = &command.epochs, .least = 1, .most = EPOCHS_MAX};
static const Option OUT = {.name = "OUT", .text = &command.out};
static const Option WEIGHTS = {.name = "WEIGHTS", .text = &command.weights};
static const Option OPTIONS_OF_ALL[] = {
    {.name = "--games", .text = &command.games},
    {.name = "--state", .text = &command.state},
    {.name = "--yardstick", .text = &command.yardstick},
    {"--rate", .number = &command.rate, .least = 1e-7, .most = 0.1},
    {"--save-minutes", .number = &command.save_minutes, .most = 1e6},
    {"--threads", .whole = &command.threads, .least = 1, .most = SHARDS},
};
enum { OPTION_COUNT_OF_ALL = sizeof OPTIONS_OF_ALL / sizeof *OPTIONS_OF_ALL };

static inline bool read_number(const Option *o, const char *value) {
    char *end;
    const double v = strtod(value, &end);
    if (end == value || *end || !(v >= o->least && v <= o->most)) return false;
    if (!o->number && v != floor(v)) return false;
    if (o->number) *o->number = (float)v;
    if (o->whole) *o->whole = (int)v;
    if (o->count) *o->count = (size_t)v;
    return true;
}

static inline bool is_value(const Option *o, const char *value) {
    if (o->text) return *value;
    return o->word ? strcmp(value, o->word) == 0 : read_number(o, value);
}

static inline bool read_value(const Option *o, const char *value) {
    if (o->on) *o->on = true;
    if (o->text) *o->text = value;
    if (is_value(o, value)) return true;
    fprintf(stderr, PROGRAM ": %s cannot be '%s'\n", o->name, value);
    return false;
}

static inline const Option *find_option(const Option *in, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(in[i].name, name) == 0) return &in[i];
    return NULL;
}

/* Reads options from argv[at] on: those of all fits, and the program's own. False after the reason
 * of a fault. */
static inline bool read_options(int argc, char **argv, int at, const Option *own, size_t count) {
    for (; at < argc; at += 2) {
        const Option *o = find_option(OPTIONS_OF_ALL, OPTION_COUNT_OF_ALL, argv[at]);
        if (!o) o = find_option(own, count, argv[at]);
        if (o && argv[at + 1] && read_value(o, argv[at + 1])) continue;
        if (!o || !argv[at + 1])
            fprintf(stderr, PROGRAM ": %s %s\n", argv[at], o ? "needs a value" : "is unknown");
        return false;
    }
    return true;
}

/* Reads EPOCHS, OUT and WEIGHTS. False if they are too few, or after the reason of another fault.
 */
static inline bool read_first_arguments(int argc, char **argv) {
    return argc >= 4 && read_value(&EPOCHS, argv[1]) && read_value(&OUT, argv[2]) &&
           read_value(&WEIGHTS, argv[3]);
}

#endif
