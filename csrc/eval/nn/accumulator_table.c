#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "eval/nn/accumulator.h"

/* The same numbers for both views. */
static NetRow twice(const int16_t one[NET_WIDTH]) {
    int16_t lane[NET_LANES];
    NetRow row;
    for (int i = 0; i < NET_LANES; i++) lane[i] = one[i % NET_WIDTH];
    memcpy(&row, lane, sizeof row);
    return row;
}

static NetRow square_row(const NetSquare *s, Color c) {
    int16_t lane[COLORS][NET_WIDTH];
    NetRow row;
    for (int i = 0; i < NET_WIDTH; i++) {
        ASSERT(abs(s->own[i]) <= NET_SQUARE_MAX && abs(s->other[i]) <= NET_SQUARE_MAX);
        lane[c][i] = s->own[i];
        lane[other(c)][i] = s->other[i];
    }
    memcpy(&row, lane, sizeof row);
    return row;
}

void accumulator_table_init(AccumulatorTable *t, const FirstLayer *from, LineRows *rows) {
    static atomic_uint_fast64_t tables;
    t->id = atomic_fetch_add(&tables, 1) + 1;
    for (Color c = BLACK; c <= WHITE; c++)
        for (int code = 0; code < NET_CODES; code++)
            t->square[c][code] = square_row(&from->squares[c]->code[code], c);
    for (int i = 0; i < NET_RINGS; i++) t->factor[i] = twice(from->factor[i]);
    t->bias = twice(from->bias);
    t->lines = from->lines[BLACK] ? rows : NULL;
    if (t->lines) line_rows_init(rows, from->shapes, from->lines);
}
