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

static int standing(Stone s, Color viewer) {
    return s == EMPTY ? 0 : s == (Stone)viewer ? 1 : 2;
}

/* The row of a line for both views, each with the colours of its view. */
static NetLineRow line_row(const NetLines *const lines[COLORS], Stone s, int black, int white) {
    const int8_t *row[COLORS] = {lines[BLACK]->row[standing(s, BLACK)][black],
                                 lines[WHITE]->row[standing(s, WHITE)][white]};
    NetLineRow out;
    for (int c = 0; c < COLORS; c++)
        memcpy((int8_t *)&out + c * NET_LINE_WIDTH, row[c], NET_LINE_WIDTH);
    return out;
}

static void line_rows_init(LineRows *rows, const NetLines *const lines[COLORS]) {
    rows->classes = line_table();
    for (int s = BLACK; s <= EMPTY; s++)
        for (int i = 0; i < LINE_CLASSES; i++)
            rows->row[s][i] = line_row(lines, (Stone)s, i, rows->classes->swapped[i]);
}

void accumulator_table_init(AccumulatorTable *t, const FirstLayer *from, LineRows *rows) {
    for (Color c = BLACK; c <= WHITE; c++)
        for (int code = 0; code < NET_CODES; code++)
            t->square[c][code] = square_row(&from->squares[c]->code[code], c);
    for (int i = 0; i < NET_RINGS; i++) t->factor[i] = twice(from->factor[i]);
    t->bias = twice(from->bias);
    t->lines = from->lines[BLACK] ? rows : NULL;
    if (t->lines) line_rows_init(rows, from->lines);
}
