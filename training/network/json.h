/* json.h - reads and writes the network as JSON, in whole numbers. */
#ifndef NETWORK_JSON_H
#define NETWORK_JSON_H

#include <ctype.h>

#include "../fitting/newfile.h"
#include "net.h"

/* The next whole number of a file, after any text; ends the program without one. */
static float next_number(FILE *f, int one) {
    int number;
    while (fscanf(f, "%d", &number) != 1)
        if (getc(f) == EOF) fail(options.start, "is cut short");
    return (float)number / (float)one;
}

static void read_row(FILE *f, float *at, int count, int stride, int one) {
    for (int i = 0; i < count; i++) at[i * stride] = next_number(f, one);
}

static void read_squares(FILE *f, int law) {
    for (int i = law * NET_CODES; i < (law + 1) * NET_CODES; i++) {
        read_row(f, start.own[i], WIDTH, 1, NET_SQUARE_ONE);
        read_row(f, start.other[i], WIDTH, 1, NET_SQUARE_ONE);
    }
}

/* Whether further rows follow before the name of the next field. */
static bool has_more_rows(FILE *f) {
    int c;
    do c = getc(f);
    while (c != '[' && c != '"' && c != EOF);
    ungetc(c, f);
    return c == '[';
}

static void read_line_rows(FILE *f, int law) {
    for (int s = 0; s < NET_STANDS; s++)
        for (int i = 0; i < LINE_CLASSES; i++) {
            read_row(f, start.line[law][s][i], NET_LINE_WIDTH, 1, NET_SQUARE_ONE);
            if (getc(f) == ']') continue;
            fprintf(stderr, PROGRAM ": %s: a row of lines to start from has not %d numbers\n",
                    options.start, NET_LINE_WIDTH);
            exit(1);
        }
}

static void read_lines(FILE *f) {
    read_line_rows(f, 0);
    memcpy(start.line[1], start.line[0], sizeof start.line[0]);
    if (has_more_rows(f)) read_line_rows(f, 1);
    start.has_lines = options.lines = true;
}

static void read_recent_rows(FILE *f, int law) {
    for (int stone = 0; stone < NET_RECENT_STONES; stone++)
        for (int i = 0; i < LINE_CLASSES; i++)
            read_row(f, start.recent[law][stone][i], NET_RECENT_WIDTH, 1, NET_RECENT_ONE);
}

static void read_recent(FILE *f) {
    read_recent_rows(f, 0);
    memcpy(start.recent[1], start.recent[0], sizeof start.recent[0]);
    if (has_more_rows(f)) read_recent_rows(f, 1);
    for (int j = 0; j < NET_HIDDEN; j++)
        read_row(f, &net.recent_hidden[0][j], NET_RECENT_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    for (int stone = 0; stone < NET_RECENT_STONES; stone++)
        read_row(f, net.recent_absent[stone], NET_HIDDEN, 1, NET_ONE * NET_WEIGHT_ONE);
    start.has_recent = options.recent = true;
}

/* The name of the next field; false at the end of the file. */
static bool next_name(FILE *f, char name[16]) {
    int c;
    do c = getc(f);
    while (c != '"' && c != EOF);
    name[0] = '\0'; /* fscanf leaves it so at an empty name */
    return c != EOF && fscanf(f, "%15[^\"]", name) != EOF;
}

/* The parts that may be missing; false at an unknown one. */
static bool read_parts(FILE *f) {
    char name[16];
    while (next_name(f, name)) {
        if (strcmp(name, "lines") == 0)
            read_lines(f);
        else if (strcmp(name, "recent") == 0)
            read_recent(f);
        else
            return false;
    }
    return true;
}

/* A file that is cut within its last number has no bracket at its end. */
static bool is_closed(FILE *f) {
    int last = 0;
    rewind(f);
    for (int c; (c = getc(f)) != EOF;)
        if (!isspace(c)) last = c;
    return last == '}';
}

/* Reads the output of write_network; a network of one law counts for both. False if the file cannot
 * be opened or has an unknown part. Ends the program if the file is cut short. */
static bool read_network(const char *path) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    FILE *f = fopen(path, "r");
    if (!f) return false;
    read_squares(f, 0);
    memcpy(start.own[NET_CODES], start.own, sizeof start.own / LAWS);
    memcpy(start.other[NET_CODES], start.other, sizeof start.other / LAWS);
    if (has_more_rows(f)) read_squares(f, 1);
    for (int i = 0; i < NET_RINGS; i++) read_row(f, net.factor[i], WIDTH, 1, NET_FACTOR_ONE);
    read_row(f, net.bias, WIDTH, 1, NET_AROUND_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        read_row(f, &net.hidden[0][j], NET_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    read_row(f, net.hidden_bias, NET_HIDDEN, 1, product);
    read_row(f, net.out, NET_HIDDEN, 1, NET_WEIGHT_ONE);
    net.out_bias = next_number(f, product);
    const bool known = read_parts(f);
    if (known && !is_closed(f)) fail(path, "is cut short");
    fclose(f);
    return known;
}

static void write_squares(FILE *f, int codes) {
    fprintf(f, "{\"square\": [");
    for (int i = 0; i < codes; i++) {
        write_row(f, i ? ",\n[" : "[", whole.own[i], WIDTH, 1, NET_SQUARE_ONE);
        write_row(f, ",", whole.other[i], WIDTH, 1, NET_SQUARE_ONE);
        fprintf(f, "]");
    }
    fprintf(f, "],\n");
}

static void write_around(FILE *f) {
    for (int i = 0; i < NET_RINGS; i++)
        write_row(f, i ? "," : "\"factor\": [", whole.factor[i], WIDTH, 1, NET_FACTOR_ONE);
    write_row(f, "],\n\"bias\": ", whole.bias, WIDTH, 1, NET_AROUND_ONE);
    fprintf(f, ",\n");
}

static void write_layers(FILE *f) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    for (int j = 0; j < NET_HIDDEN; j++)
        write_row(f, j ? ",\n" : "\"hidden\": [", &net.hidden[0][j], NET_INPUTS, NET_HIDDEN,
                  NET_WEIGHT_ONE);
    write_row(f, "],\n\"hidden_bias\": ", net.hidden_bias, NET_HIDDEN, 1, product);
    write_row(f, ",\n\"out\": ", net.out, NET_HIDDEN, 1, NET_WEIGHT_ONE);
    fprintf(f, ",\n\"out_bias\": %ld", lrintf(net.out_bias * (float)product));
}

static void write_lines(FILE *f) {
    for (int i = 0; i < laws * NET_STANDS * LINE_CLASSES; i++)
        write_row(f, i ? ",\n" : ",\n\"lines\": [", (&whole.line[0][0][0])[i], NET_LINE_WIDTH, 1,
                  NET_SQUARE_ONE);
    fprintf(f, "]");
}

static void write_recent(FILE *f) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    for (int i = 0; i < laws * NET_RECENT_STONES * LINE_CLASSES; i++)
        write_row(f, i ? ",\n" : ",\n\"recent\": [", (&whole.recent[0][0][0])[i], NET_RECENT_WIDTH,
                  1, NET_RECENT_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        write_row(f, j ? ",\n" : "],\n\"recent_hidden\": [", &net.recent_hidden[0][j],
                  NET_RECENT_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    for (int stone = 0; stone < NET_RECENT_STONES; stone++)
        write_row(f, stone ? ",\n" : "],\n\"recent_absent\": [", net.recent_absent[stone],
                  NET_HIDDEN, 1, product);
    fprintf(f, "]");
}

/* False, with errno, if the file cannot be written; an old file is then kept. */
static bool write_network(const char *path) {
    static NewFile new;
    if (!newfile_open(&new, path)) return false;
    FILE *f = new.file;
    write_squares(f, laws * NET_CODES);
    write_around(f);
    write_layers(f);
    if (options.lines) write_lines(f);
    if (options.recent) write_recent(f);
    fprintf(f, "}\n");
    return newfile_close(&new, fflush(f) == 0 && !ferror(f));
}

#endif
