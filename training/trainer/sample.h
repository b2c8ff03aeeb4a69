/* sample.h - a position in the form of the trainer.
 */
#ifndef TRAINER_SAMPLE_H
#define TRAINER_SAMPLE_H

#include "architecture.h"

/* Rows of the four lines and a code, for the mover's view and the other side's. */
typedef struct {
    u16 us[DIRECTIONS], them[DIRECTIONS];
    u16 code_us, code_them;
} Square;

typedef struct {
    Square square[MAX_SQUARES]; /* row by row */
    int size;
    float score;      /* logit of the tables */
    float label, won; /* win rates, a draw counts half: mixed, and of the result alone */
    float outcome[3]; /* win, draw, loss: the labels of the three outputs */
    float features[NET_FEATURES];
} Sample;

static inline int law_of(const Position *p, Color color) {
    return traits_law(&p->traits, color);
}

/* For a game that begins empty, without neutral stones. */
static inline u16 code_of(const Position *p, Color color, Cell c) {
    const Stone s = (Stone)p->board.stone[c];
    const u32 code = s == EMPTY          ? pattern_code(&p->pattern, color, c)
                     : s == (Stone)color ? NET_OWN_STONE
                                         : NET_FOREIGN_STONE;
    return (u16)(law_of(p, color) * NET_CODES + (int)code);
}

static inline int kind_of(Stone s, Color viewer) {
    return s == EMPTY ? 0 : s == (Stone)viewer ? 1 : 2;
}

static inline void put_lines(const Position *p, Cell c, Square *out) {
    const Color us = position_to_move(p), them = other(us);
    const Stone s = (Stone)p->board.stone[c];
    const int mine = line_kind(law_of(p, us), kind_of(s, us));
    const int theirs = line_kind(law_of(p, them), kind_of(s, them));
    for (int d = 0; d < DIRECTIONS; d++) {
        const int line = line_at(p, c, d), swapped = lines.classes->swapped[line];
        out->us[d] = (u16)(mine + (us == BLACK ? line : swapped));
        out->them[d] = (u16)(theirs + (us == BLACK ? swapped : line));
    }
}

/* Fills in all fields except the labels. */
static inline void sample_init(Sample *s, const EvalTable *table, const Position *p) {
    const Color us = position_to_move(p);
    const int plain = eval_without_network(table, p);
    int16_t features[NET_FEATURES];
    Square *q = s->square;
    s->size = p->board.size;
    s->score = (float)plain / NET_SCALE;
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++, q++) {
            const Cell c = cell_at(x, y);
            q->code_us = code_of(p, us, c);
            q->code_them = code_of(p, other(us), c);
            if (HAS_LINES) put_lines(p, c, q);
        }
    eval_features(p, plain, features);
    for (int i = 0; i < NET_FEATURES; i++) s->features[i] = (float)features[i] / NET_ONE;
}

#endif
