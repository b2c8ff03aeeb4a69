/* options.h - the command line of the trainer.
 *
 *   trainer STATE FILE.tg... [OPTION...]
 *
 *   --epochs N         passes through the games (3)
 *   --result-share S   share of the game's result in a label, 0 to 1 (0.5); the rest is the score
 * of the search
 *   --weights FILE.tgw the tables that the network corrects, and its features; the built-in ones
 *                      otherwise
 *   --out FILE.json    write the network after the last epoch, in whole numbers
 *   --each FILE        write the loss of each validation position after the last epoch
 *   --yardstick FILE   judge the network by these positions after each epoch (yardstick.h)
 *   --batch N          positions a step, a multiple of SHARDS (1024)
 *   --rate X           highest learning rate (0.002)
 *   --decay X          weight decay of a row's own part, in learning rates a step (1)
 *   --seed N           of the first numbers and of the order of the positions (1)
 *   --threads N        1 to SHARDS (1); the result does not depend on it
 *   --save-minutes N   write STATE so often (10); also at the end and at SIGTERM or SIGINT
 *   --validation N     one game in N is used for validation only (50)
 *   --skip             leave out damaged files and those of another rule, with a message; without
 *                      it they end the program
 *
 * If STATE exists the fit continues from it. The continued fit gives the same network, bit for bit,
 * as a fit without an interruption. STATE has to be of the same options and the same games.
 */
#ifndef TRAINER_OPTIONS_H
#define TRAINER_OPTIONS_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { SHARDS = 4 };

/* What the result depends on, beside the games. All of four bytes: compared byte by byte. */
typedef struct {
    int epochs, batch, seed, validation;
    float result_share, rate, decay;
} Settings;

static struct {
    Settings fit;
    int threads, save_minutes;
    bool skips;
    const char *state, *weights, *out, *each, *yardstick;
    char **files;
    int file_count;
} options = {.fit = {.epochs = 3,
                     .batch = 1024,
                     .seed = 1,
                     .validation = 50,
                     .result_share = 0.5f,
                     .rate = 2e-3f,
                     .decay = 1},
             .threads = 1,
             .save_minutes = 10};

typedef struct {
    const char *name;
    int *number;
    float *real;
    const char **text;
    float least, most;
} Option;

static const Option OPTIONS[] = {
    {.name = "--epochs", .number = &options.fit.epochs, .least = 1, .most = 1000},
    {.name = "--batch", .number = &options.fit.batch, .least = SHARDS, .most = 1 << 20},
    {.name = "--seed", .number = &options.fit.seed, .least = 0, .most = 1 << 30},
    {.name = "--validation", .number = &options.fit.validation, .least = 2, .most = 1 << 20},
    {.name = "--threads", .number = &options.threads, .least = 1, .most = SHARDS},
    {.name = "--save-minutes", .number = &options.save_minutes, .least = 1, .most = 10000},
    {.name = "--result-share", .real = &options.fit.result_share, .least = 0, .most = 1},
    {.name = "--rate", .real = &options.fit.rate, .least = 0, .most = 1},
    {.name = "--decay", .real = &options.fit.decay, .least = 0, .most = 100},
    {.name = "--weights", .text = &options.weights},
    {.name = "--out", .text = &options.out},
    {.name = "--each", .text = &options.each},
    {.name = "--yardstick", .text = &options.yardstick},
};

static inline void option_error(const char *name, const char *why) {
    fprintf(stderr, "trainer: %s %s\n", name, why);
    exit(2);
}

static inline void read_value(const Option *o, const char *value) {
    static char why[80];
    char *end;
    errno = 0;
    if (o->text) {
        *o->text = value;
        return;
    }
    const double number = o->number ? (double)strtol(value, &end, 10) : strtod(value, &end);
    /* a comparison with NaN is false */
    if (end == value || *end || errno || !(number >= o->least && number <= o->most)) {
        snprintf(why, sizeof why, "needs a number from %g to %g", (double)o->least,
                 (double)o->most);
        option_error(o->name, why);
    }
    if (o->number)
        *o->number = (int)number;
    else
        *o->real = (float)number;
}

static inline const Option *option_of(const char *name) {
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
        if (strcmp(OPTIONS[i].name, name) == 0) return &OPTIONS[i];
    option_error(name, "is no option");
    return NULL;
}

/* The file names are kept in their order at the beginning of argv. */
static inline void read_arguments(int argc, char **argv) {
    int names = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--skip") == 0)
            options.skips = true;
        else if (strncmp(argv[i], "--", 2) == 0) {
            const Option *o = option_of(argv[i]);
            if (i + 1 == argc) option_error(argv[i], "needs a value");
            read_value(o, argv[++i]);
        } else
            argv[names++] = argv[i];
    }
    if (names < 2) {
        fprintf(stderr, "usage: trainer STATE FILE.tg... [OPTION...]   (trainer/options.h)\n");
        exit(2);
    }
    if (options.fit.batch % SHARDS) option_error("--batch", "needs a multiple of 4");
    _Static_assert(SHARDS == 4, "the message of --batch");
    options.state = argv[0];
    options.files = argv + 1;
    options.file_count = names - 1;
}

#endif
