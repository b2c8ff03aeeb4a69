/* json.h - writes the network as JSON, in whole numbers. */
#ifndef POLICY_JSON_H
#define POLICY_JSON_H

#include "../fitting/newfile.h"
#include "net.h"

static void write_rows(FILE *f, const char *name, const float *at, int rows, int one) {
    fprintf(f, "%s[", name);
    for (int i = 0; i < rows; i++) write_row(f, i ? ",\n" : "", &at[i * HIDDEN], HIDDEN, 1, one);
    fprintf(f, "]");
}

static void write_shapes(FILE *f) {
    for (int k = 0; k < laws; k++) {
        fprintf(f, k ? ",\n" : "{\"shapes\": [");
        write_rows(f, "{\"made\": ", net.made[k][0], SHAPES, POLICY_ROW_ONE);
        write_rows(f, ",\n\"denied\": ", net.denied[k][0], SHAPES, POLICY_ROW_ONE);
        fprintf(f, "}");
    }
}

/* False, with errno, if the file cannot be written; an old file is then kept. */
static bool write_policy(const char *path) {
    static NewFile new;
    if (!newfile_open(&new, path)) return false;
    FILE *f = new.file;
    write_shapes(f);
    write_rows(f, "],\n\"near\": ", net.near[0], NEAR_CLASSES, POLICY_ROW_ONE);
    write_rows(f, ",\n\"around\": ", net.around[0], NET_LANES, POLICY_ONE);
    write_rows(f, ",\n\"position\": ", net.position[0], NET_INPUTS, POLICY_ONE);
    write_row(f, ",\n\"bias\": ", net.bias, HIDDEN, 1, POLICY_ONE << POLICY_HIDDEN_SHIFT);
    write_row(f, ",\n\"out\": ", net.out, HIDDEN, 1, MOVE_SCALE * POLICY_OUT_ONE);
    fprintf(f, ",\n\"scale\": %ld}\n", lrintf(net.scale * POLICY_SCALE_ONE));
    return newfile_close(&new, fflush(f) == 0 && !ferror(f));
}

#endif
