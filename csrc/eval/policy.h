/* policy.h - a small network for the order of a node's moves.
 *
 *   a candidate     what the value's network knows of its square, and of what is around that
 *                   (network.h), as the mover sees it and as the other side does:   32 inputs
 *   the position    what that network's hidden layer is told:                       64 inputs
 *   hidden          16, cut off below 0
 *   a move's score  `scale` times that of the tables, and a sum of the hidden numbers
 *
 * The position's part is the same for all candidates and added up once, so a candidate costs little
 * more than a row of the value's network; and it says which of the squares matter: whether to
 * attack or to defend.
 */
#ifndef EVAL_POLICY_H
#define EVAL_POLICY_H

#include "eval/network.h"

enum {
    POLICY_HIDDEN = 16,
    POLICY_SQUARE = 2 * NET_LANES, /* inputs of a candidate: the square, what is around it */
    POLICY_AROUND_SHIFT = 3,       /* from 1/1024 to 1/128, as the position's inputs are */
    /* Fixed point. Weights of the square in 1/256, all others in 1/128, so sums in 1/16384; hidden
     * numbers in 1/128, the last layer in eighths of a point of move score. */
    POLICY_SQUARE_ONE = 256,
    POLICY_ONE = 128,
    POLICY_HIDDEN_SHIFT = 7,
    POLICY_OUT_ONE = 8,
    POLICY_OUT_SHIFT = 10,
    POLICY_SCALE_ONE = 256,
    POLICY_SCALE_MAX = 4 * POLICY_SCALE_ONE
};

/* Bounds as those of Network: weights and `out` NET_WEIGHT_MAX, the bias 2^29; of `scale`
 * POLICY_SCALE_MAX. */
typedef struct {
    int16_t square[POLICY_SQUARE][POLICY_HIDDEN]; /* the square, then around it; the mover first */
    int16_t position[NET_INPUTS][POLICY_HIDDEN];
    int32_t bias[POLICY_HIDDEN];
    int16_t out[POLICY_HIDDEN];
    int32_t scale;
} Policy;

/* Of a rule; NULL where the tables are all. */
extern const Policy *const POLICY_FREESTYLE;
extern const Policy *const POLICY_STANDARD;
extern const Policy *const POLICY_RENJU;
extern const Policy *const POLICY_CARO;
extern const Policy *const POLICY_CARO_STANDARD;
extern const Policy *const POLICY_NINUKI;

/* As it is worked with: by pairs of inputs, the square's by the mover's colour. */
typedef struct {
    const Policy *policy;
    _Alignas(64) int16_t square[COLORS][POLICY_SQUARE / 2][2 * POLICY_HIDDEN];
    int16_t position[NET_INPUTS / 2][2 * POLICY_HIDDEN];
    _Alignas(64) int32_t out[POLICY_HIDDEN];
} PolicyTable;

/* A position whose candidates are to be scored. */
typedef struct {
    const PolicyTable *table;
    const NetMap *map;
    Color us;
    _Alignas(64) int32_t bias[POLICY_HIDDEN]; /* with the position's part */
} PolicyNode;

void policy_table_init(PolicyTable *t, const Policy *p);
/* map: of the position. inputs: what the value's hidden layer is told of it. */
void policy_node_init(PolicyNode *n, const PolicyTable *t, const NetMap *map, Color us,
                      const int16_t inputs[NET_INPUTS]);

/* A candidate's inputs, Black's before White's. */
static ALWAYS_INLINE void policy_square(const NetMap *map, Cell c, int16_t in[POLICY_SQUARE]) {
    const NetRow square = map->at[c];
    NetRow around = map->around[NET_BEYOND + c];
    for (int i = 0; i < NET_PARTS; i++) around.part[i] >>= POLICY_AROUND_SHIFT;
    memcpy(in, &square, sizeof square);
    memcpy(in + NET_LANES, &around, sizeof around);
}

/* In this form gcc sees that each bound is one instruction. */
static ALWAYS_INLINE NetWide cut_hidden(NetWide v) {
    for (int i = 0; i < NET_WIDE; i++) v[i] = v[i] > 0 ? v[i] : 0;
    for (int i = 0; i < NET_WIDE; i++) v[i] = v[i] < NET_INPUT_MAX ? v[i] : NET_INPUT_MAX;
    return v;
}

/* How good a move on the empty square c looks, of which the tables say `score`. */
static ALWAYS_INLINE int policy_score(const PolicyNode *n, Cell c, int score) {
    enum { PARTS = POLICY_HIDDEN / NET_WIDE };
    const PolicyTable *t = n->table;
    int16_t in[POLICY_SQUARE];
    NetWide sum[PARTS], all = {0};
    policy_square(n->map, c, in);
    memcpy(sum, n->bias, sizeof sum);
    add_inputs(sum, PARTS, in, POLICY_SQUARE / 2, t->square[n->us][0], 2 * POLICY_HIDDEN);
    for (int k = 0; k < PARTS; k++)
        all += cut_hidden(sum[k] >> POLICY_HIDDEN_SHIFT) * *(const NetWide *)&t->out[k * NET_WIDE];
    int32_t out = 0;
    for (int i = 0; i < NET_WIDE; i++) out += all[i];
    return (score * t->policy->scale >> 8) + (out >> POLICY_OUT_SHIFT);
}

#endif
