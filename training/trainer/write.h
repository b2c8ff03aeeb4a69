/* write.h - writes the network in whole numbers, as JSON. Without lines the format is that of
 * network.c.
 */
#ifndef TRAINER_WRITE_H
#define TRAINER_WRITE_H

#include "collection.h"

static inline void write_squares(FILE *f, const float *whole) {
    const int codes = lines.laws * NET_CODES;
    fprintf(f, "{\"square\": [");
    for (int i = 0; i < codes; i++) {
        const int at = i * CODE_WIDTH;
        write_row(f, i ? ",\n[" : "[", part_in(whole, OWN) + at, CODE_WIDTH, 1, NET_SQUARE_ONE);
        write_row(f, ",", part_in(whole, OTHER) + at, CODE_WIDTH, 1, NET_SQUARE_ONE);
        fprintf(f, "]");
    }
    fprintf(f, "],\n");
}

/* A part as a list of `rows` lists: the numbers of a list are `rows` apart. */
static inline void write_columns(FILE *f, const char *name, const float *whole, Part p, int rows) {
    const int count = (int)part[p].count / rows;
    fprintf(f, "\"%s\": [", name);
    for (int j = 0; j < rows; j++)
        write_row(f, j ? ",\n" : "", part_in(whole, p) + j, count, rows, (int)part[p].one);
    fprintf(f, "],\n");
}

static inline void write_list(FILE *f, const char *name, const float *whole, Part p) {
    fprintf(f, "\"%s\": ", name);
    write_row(f, "", part_in(whole, p), (int)part[p].count, 1, (int)part[p].one);
    fprintf(f, ",\n");
}

static inline void write_lines(FILE *f, const float *whole) {
    fprintf(f, "\"lines\": [");
    for (int row = 0; row < line_rows(); row++)
        write_row(f, row ? ",\n" : "", part_in(whole, LINE_ROWS) + (size_t)row * WIDTH, WIDTH, 1,
                  NET_SQUARE_ONE);
    fprintf(f, "],\n");
}

static inline void write_out(FILE *f, const float *whole) {
    if (OUTPUTS == 1) {
        write_list(f, "out", whole, OUT_WEIGHTS);
        fprintf(f, "\"out_bias\": %ld}\n",
                lrintf(part_in(whole, OUT_BIAS)[0] * part[OUT_BIAS].one));
        return;
    }
    write_columns(f, "out", whole, OUT_WEIGHTS, OUTPUTS);
    write_row(f, "\"out_bias\": ", part_in(whole, OUT_BIAS), OUTPUTS, 1, (int)part[OUT_BIAS].one);
    fprintf(f, "}\n");
}

static inline void write_network(const float *whole, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) fail(path, strerror(errno));
    write_squares(f, whole);
    if (HAS_LINES) write_lines(f, whole);
    fprintf(f, "\"factor\": [");
    for (int r = 0; r < NET_RINGS; r++)
        write_row(f, r ? "," : "", part_in(whole, FACTORS) + r * AROUND, AROUND, 1, NET_FACTOR_ONE);
    fprintf(f, "],\n");
    write_list(f, "bias", whole, BIAS);
    write_columns(f, "hidden", whole, HIDDEN_WEIGHTS, HIDDEN);
    write_list(f, "hidden_bias", whole, HIDDEN_BIAS);
    if (SECOND) {
        write_columns(f, "second", whole, SECOND_WEIGHTS, TOP);
        write_list(f, "second_bias", whole, SECOND_BIAS);
    }
    write_out(f, whole);
    if (fclose(f) != 0) fail(path, "cannot be written whole");
}

#endif
