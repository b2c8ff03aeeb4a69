/* table_file.h - the evaluation of a weights file, on which a fit builds.
 */
#ifndef TABLE_FILE_H
#define TABLE_FILE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/platform.h"
#include "eval/evaluate.h"

static inline void give_up(const char *path, const char *why) {
    fprintf(stderr, "%s: %s\n", path, why);
    exit(1);
}

/* The whole file, never freed. */
static inline WeightsBytes bytes_of_file(const char *path) {
    enum { ROOM = 1 << 24 };
    FILE *f = fopen(path, "rb");
    if (!f) give_up(path, "cannot be read");
    u8 *at = platform_alloc(ROOM);
    if (!at) give_up(path, "no memory");
    const WeightsBytes file = {at, fread(at, 1, ROOM, f)};
    if (ferror(f)) give_up(path, "cannot be read");
    fclose(f);
    return file;
}

/* Ends the program if the file is not a weights file. */
static inline const EvalTable *table_of_file(const char *path) {
    Weights weights;
    WeightsFault fault;
    if (!weights_read(&weights, bytes_of_file(path), &fault)) give_up(path, fault.text);
    EvalTable *t = platform_alloc(sizeof *t);
    if (!t) give_up(path, "no memory");
    eval_table_init(t, &weights);
    return t;
}

/* Ends the program if a game's rule is not that of the weights. */
static inline void need_rule(const EvalTable *t, int rule) {
    if ((int)t->weights.rule == rule) return;
    fprintf(stderr, "games of rule %d, but weights of rule %d\n", rule, (int)t->weights.rule);
    exit(1);
}

#endif
