/* net.h - the parameters of the network in floats, and the whole numbers derived from them.
 */
#ifndef NETWORK_NET_H
#define NETWORK_NET_H

#include "../positions.h"

enum { BATCH = 1024, CODES = LAWS * NET_CODES, WIDTH = NET_WIDTH };
enum { SUMS = 2 * NET_SUMS };

/* By the content of a square: the shapes of a line for its viewer and for the other side. */
enum { SHAPE_PAIRS = NET_STANDS * 256 };

typedef struct {
    float own[CODES][WIDTH], other[CODES][WIDTH]; /* a code's own part */
    float own_shape[LAWS][SHAPES][WIDTH], other_shape[LAWS][SHAPES][WIDTH];
    float factor[NET_RINGS][WIDTH], bias[WIDTH];
    float hidden[NET_INPUTS][NET_HIDDEN], hidden_bias[NET_HIDDEN];
    float out[NET_HIDDEN], out_bias;
    /* only with the last stones; a stone's shapes are shared by all lines of two shapes */
    float recent_hidden[NET_RECENT_INPUTS][NET_HIDDEN];
    float recent_absent[NET_RECENT_STONES][NET_HIDDEN];
    float recent_shape[LAWS][NET_RECENT_STONES][256][NET_RECENT_WIDTH];
    float recent[LAWS][NET_RECENT_STONES][LINE_CLASSES][NET_RECENT_WIDTH];
    /* only with lines; the first law's come first */
    float line_shape[LAWS][SHAPE_PAIRS][NET_LINE_WIDTH]; /* shared by all lines of two shapes */
    float line[LAWS][NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH]; /* a line's own part */
} Net;

enum {
    PARAMETERS = sizeof(Net) / sizeof(float),
    OF_CODES = 2 * CODES * WIDTH,
    BEFORE_LAYERS = offsetof(Net, hidden) / sizeof(float),
    BEFORE_RECENT = offsetof(Net, recent_hidden) / sizeof(float),
    BEFORE_RECENT_ROWS = offsetof(Net, recent) / sizeof(float),
    BEFORE_LINES = offsetof(Net, line_shape) / sizeof(float),
    BEFORE_ROWS = offsetof(Net, line) / sizeof(float)
};

static Net net, gradients[SHARDS];
static _Thread_local Net *gradient;
static Moments moments[PARAMETERS];
static int laws = LAWS;

/* The start values of codes, lines and last stones. */
static struct {
    float own[CODES][WIDTH], other[CODES][WIDTH];
    float line[LAWS][NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH];
    float recent[LAWS][NET_RECENT_STONES][LINE_CLASSES][NET_RECENT_WIDTH];
    bool has_lines, has_recent;
} start;

/* A square's numbers: the mover's, then the other side's. */
enum { BOTH = 2 * WIDTH };
typedef float Row[BOTH];

/* The whole numbers of the squares in the library, for both views. The fit uses these. */
static struct {
    float own[CODES][WIDTH], other[CODES][WIDTH];
    Row factor[NET_RINGS], bias;
    float line[LAWS][NET_STANDS][LINE_CLASSES][NET_LINE_WIDTH];
    float recent[LAWS][NET_RECENT_STONES][LINE_CLASSES][NET_RECENT_WIDTH];
} whole;

/* The shapes of each class of lines under the rule. Under caro a class may have several; this is
 * one of them. */
static LineShapes shapes_of_line;

/* The class of which a class has the row: they do not differ within the reach of the rule. */
static u16 seen_line[LINE_CLASSES];

static const float WEIGHT_MAX = (float)NET_WEIGHT_MAX / NET_WEIGHT_ONE;

static bool rounds = true; /* the check of the gradient turns it off */

static float rounded(float v) {
    return rounds ? rintf(v) : v;
}

static void make_whole(float *at, size_t count, int one, int most) {
    for (size_t i = 0; i < count; i++)
        at[i] = bounded(rounded(at[i] * (float)one), (float)most) / (float)one;
}

static void add_row(float *to, const float *from) {
    for (int i = 0; i < WIDTH; i++) to[i] += from[i];
}

/* A code's members are the same under every rule; NULL for stones. */
static const u8 *members_of(int code) {
    code %= NET_CODES;
    return code < SQUARE_CODES ? shape_table(RULE_FREESTYLE)->members[code] : NULL;
}

static void add_shapes(int code) {
    const u8 *members = members_of(code);
    for (int d = 0; members && d < DIRECTIONS; d++) {
        const int law = code / NET_CODES, shape = members[d];
        add_row(whole.own[code], net.own_shape[law][shape]);
        add_row(whole.other[code], net.other_shape[law][shape]);
    }
}

/* law: the viewer's. */
static float *shape_row(Net *of, int law, int stands, int line) {
    return of->line_shape[law][stands << 8 | shapes_of_line.pair[law][line]];
}

static void fill_lines(void) {
    for (int law = 0; law < laws; law++)
        for (int s = 0; s < NET_STANDS; s++)
            for (int i = 0; i < LINE_CLASSES; i++) {
                const int seen = seen_line[i];
                const float *shape = shape_row(&net, law, s, seen), *own = net.line[law][s][seen];
                const float *begun = start.line[law][s][seen];
                float *to = whole.line[law][s][i];
                for (int k = 0; k < NET_LINE_WIDTH; k++) {
                    const float v = rounded((begun[k] + shape[k] + own[k]) * NET_SQUARE_ONE);
                    to[k] = bounded(v, NET_LINE_MAX) / NET_SQUARE_ONE;
                }
            }
}

static void gradient_of_lines(void) {
    for (int law = 0; law < laws; law++)
        for (int s = 0; s < NET_STANDS; s++)
            for (int i = 0; i < LINE_CLASSES; i++) {
                float *shape = shape_row(gradients, law, s, i);
                for (int k = 0; k < NET_LINE_WIDTH; k++)
                    shape[k] += gradients[0].line[law][s][i][k];
            }
}

static void fill_recent(void) {
    for (int law = 0; law < laws; law++)
        for (int stone = 0; stone < NET_RECENT_STONES; stone++)
            for (int i = 0; i < LINE_CLASSES; i++) {
                const float *shape = net.recent_shape[law][stone][shapes_of_line.pair[law][i]];
                const float *own = net.recent[law][stone][i], *begun = start.recent[law][stone][i];
                float *to = whole.recent[law][stone][i];
                for (int k = 0; k < NET_RECENT_WIDTH; k++) {
                    const float v = rounded((begun[k] + shape[k] + own[k]) * NET_RECENT_ONE);
                    to[k] = bounded(v, NET_RECENT_MAX) / NET_RECENT_ONE;
                }
            }
}

static void gradient_of_recent(void) {
    for (int law = 0; law < laws; law++)
        for (int stone = 0; stone < NET_RECENT_STONES; stone++)
            for (int i = 0; i < LINE_CLASSES; i++) {
                float *shape = gradients[0].recent_shape[law][stone][shapes_of_line.pair[law][i]];
                for (int k = 0; k < NET_RECENT_WIDTH; k++)
                    shape[k] += gradients[0].recent[law][stone][i][k];
            }
}

static void fill_whole(void) {
    if (options.lines) fill_lines();
    if (options.recent) fill_recent();
    memcpy(whole.own, start.own, sizeof start.own);
    memcpy(whole.other, start.other, sizeof start.other);
    for (int code = 0; code < CODES; code++) {
        add_shapes(code);
        add_row(whole.own[code], net.own[code]);
        add_row(whole.other[code], net.other[code]);
    }
    for (int code = 0; code < CODES; code++) {
        make_whole(whole.own[code], WIDTH, NET_SQUARE_ONE, NET_SQUARE_MAX);
        make_whole(whole.other[code], WIDTH, NET_SQUARE_ONE, NET_SQUARE_MAX);
    }
    for (int i = 0; i < BOTH; i++) {
        whole.bias[i] = net.bias[i % WIDTH];
        for (int r = 0; r < NET_RINGS; r++) whole.factor[r][i] = net.factor[r][i % WIDTH];
    }
    make_whole(whole.bias, BOTH, NET_AROUND_ONE, NET_BIAS_MAX);
    for (int r = 0; r < NET_RINGS; r++)
        make_whole(whole.factor[r], BOTH, NET_FACTOR_ONE, r ? NET_RING_MAX : NET_FACTOR_MAX);
}

/* The gradient of the shapes from that of the codes. */
static void gradient_of_shapes(void) {
    for (int code = 0; code < CODES; code++) {
        const u8 *members = members_of(code);
        for (int d = 0; members && d < DIRECTIONS; d++) {
            const int law = code / NET_CODES, shape = members[d];
            add_row(gradients[0].own_shape[law][shape], gradients[0].own[code]);
            add_row(gradients[0].other_shape[law][shape], gradients[0].other[code]);
        }
    }
}

#endif
