/* pass.h - the output of the network for a position (forward) and the gradients (backward). */
#ifndef NETWORK_PASS_H
#define NETWORK_PASS_H

#include "net.h"

/* Squares lie in lines of LINE, so that each has eight neighbours. */
enum { LINE = MAX_SIZE + 2, GRID = LINE * LINE };

static int place(int x, int y) {
    return (y + 1) * LINE + x + 1;
}

/* The values of one position that the backward pass needs. */
typedef struct {
    Row at[GRID], ring[GRID][NET_RINGS], around[GRID];
    Row sum, sum_around;
    float in[NET_INPUTS], hidden[NET_HIDDEN], logit;
    float recent_in[NET_RECENT_INPUTS];
} Pass;

/* The row of a line for a viewer: the mover, or the other side, who sees the colours exchanged. */
static void line_of(const Square *q, int d, bool mover, int *stands, int *line) {
    *stands = mover || !q->stands ? q->stands : 3 - q->stands;
    *line = seen_line[mover ? q->line[d] : line_table()->swapped[q->line[d]]];
}

static int law_of(const Square *q, bool mover) {
    return (mover ? q->us : q->them) / NET_CODES;
}

/* Adds the rows of a square's lines. */
static void put_lines(const Square *q, float *at) {
    for (int v = 0; v < 2; v++)
        for (int d = 0; d < DIRECTIONS; d++) {
            int stands, line;
            line_of(q, d, v == 0, &stands, &line);
            add_row(at + v * WIDTH, whole.line[law_of(q, v == 0)][stands][line]);
        }
}

static void put_squares(const Sample *s, Pass *pass) {
    const Square *q = s->square;
    memset(pass->at, 0, sizeof pass->at);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++, q++) {
            float *at = pass->at[place(x, y)];
            for (int i = 0; i < WIDTH; i++) {
                at[i] = whole.own[q->us][i] + whole.other[q->them][i];
                at[WIDTH + i] = whole.own[q->them][i] + whole.other[q->us][i];
            }
            if (options.lines) put_lines(q, at);
        }
}

/* The sums over the rings around a place: itself, the four beside it, the four across its corners.
 */
static void add_rings(const Row *at, Row ring[NET_RINGS]) {
    memcpy(ring[0], at, sizeof ring[0]);
    for (int i = 0; i < BOTH; i++) {
        ring[1][i] = at[-1][i] + at[1][i] + at[-LINE][i] + at[LINE][i];
        ring[2][i] = at[-LINE - 1][i] + at[-LINE + 1][i] + at[LINE - 1][i] + at[LINE + 1][i];
    }
}

/* The rings by their factors. */
static void weigh_rings(const Row ring[NET_RINGS], float *sum) {
    for (int r = 0; r < NET_RINGS; r++)
        for (int i = 0; i < BOTH; i++) sum[i] += whole.factor[r][i] * ring[r][i];
}

static float relu(float v) {
    return v > 0 ? v : 0;
}

static void look_around(const Sample *s, Pass *pass) {
    memset(pass->sum, 0, sizeof pass->sum);
    memset(pass->sum_around, 0, sizeof pass->sum_around);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            const int p = place(x, y);
            float *around = pass->around[p];
            add_rings(pass->at + p, pass->ring[p]);
            memcpy(around, whole.bias, sizeof whole.bias);
            weigh_rings(pass->ring[p], around);
            for (int i = 0; i < BOTH; i++) {
                pass->sum[i] += relu(pass->at[p][i]);
                pass->sum_around[i] += relu(around[i]);
            }
        }
}

/* The index of a row's number among the inputs: the mover's squares and the numbers around them,
 * then the other side's. */
static int input_of(int i, bool around) {
    return i / WIDTH * NET_SUMS + (around ? WIDTH : 0) + i % WIDTH;
}

/* --- the last stones --------------------------------------------------------------------- */

static bool is_near(const RecentStone *stone, int x, int y) {
    return !stone->absent && abs(stone->x - x) <= NET_RECENT_REACH &&
           abs(stone->y - y) <= NET_RECENT_REACH;
}

static const float RECENT_INPUT_MAX = (float)NET_RECENT_INPUT_MAX / NET_ONE;

/* The inputs of one stone: the sums around it, and its lines, which are added to `row`. */
static void see_stone(const Sample *s, const Pass *pass, int number, float *in, float *row) {
    const RecentStone *stone = &s->recent[number];
    memset(in, 0, NET_RECENT_SUMS * sizeof *in);
    if (stone->absent) return;
    for (int y = stone->y - NET_RECENT_REACH; y <= stone->y + NET_RECENT_REACH; y++)
        for (int x = stone->x - NET_RECENT_REACH; x <= stone->x + NET_RECENT_REACH; x++) {
            if (x < 0 || y < 0 || x >= s->size || y >= s->size) continue;
            for (int i = 0; i < BOTH; i++) {
                in[i] += relu(pass->at[place(x, y)][i]);
                in[BOTH + i] += relu(pass->around[place(x, y)][i]);
            }
        }
    for (int i = 0; i < NET_RECENT_SUMS; i++)
        in[i] = bounded(in[i] / (1 << NET_RECENT_SHIFT), RECENT_INPUT_MAX);
    const int law = law_of(s->square, true);
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k < NET_RECENT_WIDTH; k++)
            row[k] += whole.recent[law][number][stone->line[d]][k];
}

static void see_recent(const Sample *s, Pass *pass) {
    float *row = pass->recent_in + NET_RECENT_STONES * NET_RECENT_SUMS;
    memset(row, 0, NET_RECENT_WIDTH * sizeof *row);
    for (int stone = 0; stone < NET_RECENT_STONES; stone++)
        see_stone(s, pass, stone, pass->recent_in + stone * NET_RECENT_SUMS, row);
    for (int k = 0; k < NET_RECENT_WIDTH; k++) row[k] = relu(row[k]);
    for (int i = 0; i < NET_RECENT_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++)
            pass->hidden[j] += pass->recent_in[i] * net.recent_hidden[i][j];
    for (int stone = 0; stone < NET_RECENT_STONES; stone++)
        for (int j = 0; s->recent[stone].absent && j < NET_HIDDEN; j++)
            pass->hidden[j] += net.recent_absent[stone][j];
}

/* Adds the gradients of the part; by_in gets those of its inputs. */
static void back_recent(const Sample *s, const Pass *pass, const float *by_hidden,
                        float by_in[NET_RECENT_INPUTS]) {
    for (int i = 0; i < NET_RECENT_INPUTS; i++) {
        by_in[i] = 0;
        for (int j = 0; j < NET_HIDDEN; j++) {
            gradient->recent_hidden[i][j] += pass->recent_in[i] * by_hidden[j];
            by_in[i] += net.recent_hidden[i][j] * by_hidden[j];
        }
        if (pass->recent_in[i] <= 0 || pass->recent_in[i] >= RECENT_INPUT_MAX) by_in[i] = 0;
    }
    const float *row = by_in + NET_RECENT_STONES * NET_RECENT_SUMS;
    const int law = law_of(s->square, true);
    for (int stone = 0; stone < NET_RECENT_STONES; stone++) {
        const RecentStone *of = &s->recent[stone];
        for (int j = 0; of->absent && j < NET_HIDDEN; j++)
            gradient->recent_absent[stone][j] += by_hidden[j];
        for (int d = 0; !of->absent && d < DIRECTIONS; d++)
            for (int k = 0; k < NET_RECENT_WIDTH; k++)
                gradient->recent[law][stone][of->line[d]][k] += row[k];
    }
}

/* --- the whole network ------------------------------------------------------------------- */

static void forward(const Sample *s, Pass *pass) {
    float *in = pass->in;
    put_squares(s, pass);
    look_around(s, pass);
    for (int i = 0; i < BOTH; i++) {
        in[input_of(i, false)] = pass->sum[i] / (1 << NET_SUM_SHIFT);
        in[input_of(i, true)] = pass->sum_around[i] / (1 << NET_SUM_SHIFT);
    }
    for (int i = 0; i < NET_FEATURES; i++) in[SUMS + i] = (float)s->features[i] / NET_ONE;
    memcpy(pass->hidden, net.hidden_bias, sizeof pass->hidden);
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) pass->hidden[j] += in[i] * net.hidden[i][j];
    if (options.recent) see_recent(s, pass);
    pass->logit = s->score + net.out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        pass->hidden[j] = relu(pass->hidden[j]);
        pass->logit += pass->hidden[j] * net.out[j];
    }
}

/* Gradients of the sums, of the factors and of the numbers around the squares. */
typedef struct {
    Row sum, sum_around, factor[NET_RINGS], bias;
    Row around[GRID];
    float recent[NET_RECENT_INPUTS];
} Gradients;

/* The gradient of a square's number, or of one around it, through the sums around last stones. */
static float by_recent(const Sample *s, const Gradients *by, int x, int y, bool around, int i) {
    float sum = 0;
    for (int stone = 0; options.recent && stone < NET_RECENT_STONES; stone++)
        if (is_near(&s->recent[stone], x, y))
            sum += by->recent[stone * NET_RECENT_SUMS + (around ? BOTH : 0) + i];
    return sum / (1 << NET_RECENT_SHIFT);
}

static void back_around(const Sample *s, const Pass *pass, Gradients *by) {
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            const int p = place(x, y);
            for (int i = 0; i < BOTH; i++) {
                const float seen = by->sum_around[i] + by_recent(s, by, x, y, true, i);
                const float v = pass->around[p][i] > 0 ? seen : 0;
                by->around[p][i] = v;
                by->bias[i] += v;
            }
            for (int r = 0; r < NET_RINGS; r++)
                for (int i = 0; i < BOTH; i++)
                    by->factor[r][i] += by->around[p][i] * pass->ring[p][r][i];
        }
    for (int i = 0; i < BOTH; i++) {
        gradient->bias[i % WIDTH] += by->bias[i];
        for (int r = 0; r < NET_RINGS; r++) gradient->factor[r][i % WIDTH] += by->factor[r][i];
    }
}

/* Gradients of a square's lines, from those of its numbers. */
static void back_lines(const Square *q, const float *by_numbers) {
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < DIRECTIONS; d++) {
            int stands, line;
            line_of(q, d, side == 0, &stands, &line);
            add_row(gradient->line[law_of(q, side == 0)][stands][line], by_numbers + side * WIDTH);
        }
}

/* Gradients of a square's codes and lines: through its own sums, and through itself and its
 * neighbours. */
static void back_square(const Sample *s, const Pass *pass, int x, int y, const Gradients *by) {
    const Square *q = &s->square[y * s->size + x];
    const int p = place(x, y);
    Row ring[NET_RINGS], v;
    add_rings(by->around + p, ring);
    for (int i = 0; i < BOTH; i++)
        v[i] = pass->at[p][i] > 0 ? by->sum[i] + by_recent(s, by, x, y, false, i) : 0;
    weigh_rings(ring, v);
    if (options.lines) back_lines(q, v);
    add_row(gradient->own[q->us], v);
    add_row(gradient->other[q->them], v);
    add_row(gradient->own[q->them], v + WIDTH);
    add_row(gradient->other[q->us], v + WIDTH);
}

static void back_squares(const Sample *s, const Pass *pass, const float *by_in,
                         const float by_recent_in[NET_RECENT_INPUTS]) {
    static _Thread_local Gradients by;
    memset(&by, 0, sizeof by);
    memcpy(by.recent, by_recent_in, sizeof by.recent);
    for (int i = 0; i < BOTH; i++) {
        by.sum[i] = by_in[input_of(i, false)] / (1 << NET_SUM_SHIFT);
        by.sum_around[i] = by_in[input_of(i, true)] / (1 << NET_SUM_SHIFT);
    }
    back_around(s, pass, &by);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) back_square(s, pass, x, y, &by);
}

/* Adds the gradient of every parameter, from the gradient of the logit. */
static void backward(const Sample *s, const Pass *pass, float logit_gradient) {
    float by_hidden[NET_HIDDEN], by_in[SUMS];
    float by_recent_in[NET_RECENT_INPUTS] = {0};
    gradient->out_bias += logit_gradient;
    for (int j = 0; j < NET_HIDDEN; j++) {
        gradient->out[j] += logit_gradient * pass->hidden[j];
        by_hidden[j] = pass->hidden[j] > 0 ? logit_gradient * net.out[j] : 0;
        gradient->hidden_bias[j] += by_hidden[j];
    }
    for (int i = 0; i < NET_INPUTS; i++)
        for (int j = 0; j < NET_HIDDEN; j++) gradient->hidden[i][j] += pass->in[i] * by_hidden[j];
    for (int i = 0; i < SUMS; i++) {
        by_in[i] = 0;
        for (int j = 0; j < NET_HIDDEN; j++) by_in[i] += net.hidden[i][j] * by_hidden[j];
    }
    if (options.recent) back_recent(s, pass, by_hidden, by_recent_in);
    if (!options.keeps_squares) back_squares(s, pass, by_in, by_recent_in);
}

#endif
