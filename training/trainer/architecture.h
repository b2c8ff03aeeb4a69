/* architecture.h - the numbers of the network, in one flat vector of floats.
 *
 *     square   rows of its four lines (lines.h), and own[code] + other[the other side's code]
 *     around   a bias, and for each ring a factor times the sums over the square, the four
 *              beside it and the four across its corners: of the first AROUND numbers, before relu
 *     inputs   sums over the board after relu, of both views, and the features of the position
 *     layers   HIDDEN, relu; SECOND, relu, unless it is 0; OUTPUTS
 *
 * OUTPUTS 3: the logits of win, draw and loss; the tables' score is added to win - loss. OUTPUTS 1:
 * the correction of the tables' score. A row or a code is the sum of its own part and the parts of
 * its shapes. The own part is under weight decay, so rare rows stay close to their shapes. The
 * source that includes this file defines the sizes.
 */
#ifndef TRAINER_ARCHITECTURE_H
#define TRAINER_ARCHITECTURE_H

#include "../fitting.h"
#include "eval/evaluate.h"
#include "lanes.h"
#include "lines.h"

enum {
    CODES = 2 * NET_CODES, /* of both laws */
    ROW = 2 * WIDTH,       /* both views of a square, the mover's first */
    NEAR = 2 * AROUND,
    VIEW = WIDTH + AROUND,
    SUMS = 2 * VIEW,
    INPUTS = SUMS + NET_FEATURES,
    TOP = SECOND ? SECOND : HIDDEN
};

typedef enum {
    LINE_ROWS,
    OWN,
    OTHER,
    LINE_SHAPES, /* by law, kind and pair of shapes */
    OWN_SHAPES,  /* by law and shape */
    OTHER_SHAPES,
    FACTORS, /* by ring */
    BIAS,
    HIDDEN_WEIGHTS, /* by input */
    HIDDEN_BIAS,
    SECOND_WEIGHTS,
    SECOND_BIAS,
    OUT_WEIGHTS,
    OUT_BIAS,
    PARTS
} Part;

/* The units and bounds of whole numbers. bound 0: a part that only adds to others. */
typedef struct {
    size_t at, count;
    float one, bound;
} PartOf;

static PartOf part[PARTS];
static size_t parameters;

/* In units of the square: the contribution of one to neighbours and sums. */
static const float SQUARE_BOUND = 255.0f / NET_SQUARE_ONE;
static const float INPUT_BOUND = (float)NET_INPUT_MAX / NET_ONE;

static inline void add_part(Part p, size_t count, int one, int most) {
    part[p] = (PartOf){parameters, count, (float)one, (float)most / (float)one};
    parameters += count;
}

static inline void architecture_init(Rule rule) {
    enum { ROW_MAX = 96, FACTOR_MAX = 31, BIAS_MAX = 382, SHAPES_BOTH = 2 * SHAPES * CODE_WIDTH };
    const int product = NET_ONE * NET_WEIGHT_ONE;
    lines_init(rule);
    parameters = 0;
    add_part(LINE_ROWS, HAS_LINES ? (size_t)line_rows() * WIDTH : 0, NET_SQUARE_ONE, ROW_MAX);
    add_part(OWN, CODES * CODE_WIDTH, NET_SQUARE_ONE, NET_SQUARE_MAX);
    add_part(OTHER, CODES * CODE_WIDTH, NET_SQUARE_ONE, NET_SQUARE_MAX);
    add_part(LINE_SHAPES, HAS_LINES * 2 * LINE_KINDS * SHAPE_PAIRS * WIDTH, 1, 0);
    add_part(OWN_SHAPES, SHAPES_BOTH, 1, 0);
    add_part(OTHER_SHAPES, SHAPES_BOTH, 1, 0);
    add_part(FACTORS, NET_RINGS * AROUND, NET_FACTOR_ONE, HAS_LINES ? FACTOR_MAX : NET_FACTOR_MAX);
    add_part(BIAS, AROUND, NET_AROUND_ONE, HAS_LINES ? BIAS_MAX : NET_BIAS_MAX);
    add_part(HIDDEN_WEIGHTS, INPUTS * HIDDEN, NET_WEIGHT_ONE, NET_WEIGHT_MAX);
    add_part(HIDDEN_BIAS, HIDDEN, product, NET_PRODUCTS_MAX);
    add_part(SECOND_WEIGHTS, HIDDEN * SECOND, NET_WEIGHT_ONE, NET_WEIGHT_MAX);
    add_part(SECOND_BIAS, SECOND, product, NET_PRODUCTS_MAX);
    add_part(OUT_WEIGHTS, TOP * OUTPUTS, NET_WEIGHT_ONE, NET_WEIGHT_MAX);
    add_part(OUT_BIAS, OUTPUTS, product, NET_PRODUCTS_MAX);
}

static inline float *part_of(float *v, Part p) {
    return v + part[p].at;
}

static inline const float *part_in(const float *v, Part p) {
    return v + part[p].at;
}

static inline float *new_vector(void) {
    float *v = grown(NULL, parameters * sizeof *v);
    memset(v, 0, parameters * sizeof *v);
    return v;
}

/* A code's members are the same under every rule; NULL for stones. */
static inline const u8 *members_of(int code) {
    code %= NET_CODES;
    return code < SQUARE_CODES ? shape_table(RULE_FREESTYLE)->members[code] : NULL;
}

/* The start of the numbers of a line's shapes within LINE_SHAPES. */
static inline size_t shapes_of_row(int row) {
    const int kind = row / LINE_CLASSES, law = kind / LINE_KINDS;
    return (size_t)(kind * SHAPE_PAIRS + lines.shape[law][row % LINE_CLASSES]) * WIDTH;
}

/* --- from the parameters to the network's numbers ---------------------------------------- */

static inline void add_shapes(float *whole, const float *v, Part codes, Part shapes) {
    for (int code = 0; code < CODES; code++) {
        const u8 *members = members_of(code);
        float *to = part_of(whole, codes) + code * CODE_WIDTH;
        for (int d = 0; members && d < DIRECTIONS; d++) {
            const int shape = code / NET_CODES * SHAPES + members[d];
            add_numbers(to, part_in(v, shapes) + shape * CODE_WIDTH, CODE_WIDTH);
        }
    }
}

/* The sums of own parts and shapes, neither bounded nor rounded. */
static inline void fill_sums(float *whole, const float *v) {
    memcpy(whole, v, parameters * sizeof *v);
    for (int row = 0; HAS_LINES && row < line_rows(); row++)
        add_numbers(part_of(whole, LINE_ROWS) + (size_t)row * WIDTH,
                    part_in(v, LINE_SHAPES) + shapes_of_row(row), WIDTH);
    add_shapes(whole, v, OWN, OWN_SHAPES);
    add_shapes(whole, v, OTHER, OTHER_SHAPES);
}

/* The ring around a square has smaller factors than the square. */
static inline float bound_of(Part p, size_t i) {
    return p == FACTORS && i >= AROUND ? (float)NET_RING_MAX / NET_FACTOR_ONE : part[p].bound;
}

/* The network as in the engine: bounded, and rounded to whole numbers. */
static inline void fill_whole(float *whole, const float *v) {
    fill_sums(whole, v);
    for (int p = 0; p < PARTS; p++) {
        float *at = part_of(whole, (Part)p);
        for (size_t i = 0; part[p].bound > 0 && i < part[p].count; i++) {
            const float most = bound_of((Part)p, i);
            at[i] = rintf(bounded(at[i], most) * part[p].one) / part[p].one;
        }
    }
}

#endif
