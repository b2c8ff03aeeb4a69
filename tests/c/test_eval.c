/* The evaluation and the order of moves equal sums by hand over all squares, and are the same with
 * exchanged colours.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "eval/captures.h"
#include "eval/evaluate.h"
#include "rules/rules.h"

static Position pos, earlier;
static AccumulatorStack stack;

/* The worth of the empty squares to `us` minus that to the other side. */
static int squares(const Position *p, const Weights *w, Color us) {
    int sum = 0;
    BB_FOR_EACH(c, &p->board.empty)
    sum += w->codes[us]->value[pattern_code(&p->pattern, us, c)] -
           w->codes[other(us)]->value[pattern_code(&p->pattern, other(us), c)];
    return sum;
}

static int counted(const Position *p, const int16_t worth[COUNT_CLASSES][COUNTS], Color c) {
    int sum = 0;
    for (int k = 0; k < COUNT_CLASSES; k++) {
        const int n = position_count(p, c, (SquareClass)(SQUARE_THREE + k));
        sum += worth[k][n < COUNTS ? n : COUNTS - 1];
    }
    return sum;
}

/* A side's bonus for pairs: for captured pairs, for possible captures, and for threats that the
 * other side can dissolve. */
static int pairs_of(const Position *p, const CaptureWeights *w, Color c, int index) {
    Cell stones[MAX_CAPTURED];
    int count[COLORS] = {0, 0};
    BB_FOR_EACH(at, &p->board.empty) {
        count[BLACK] += rules_captures(&p->board, p->rule, at, BLACK, stones) > 0;
        count[WHITE] += rules_captures(&p->board, p->rule, at, WHITE, stones) > 0;
    }
    const int pairs = p->board.captures[c] / (p->traits.counts_stones ? 3 : 1);
    const int taken = pairs < 4 ? pairs : 4;
    int sum = w->side[index][taken][count[c] < 3 ? count[c] : 3];
    for (int k = 0; k < THREAT_BITS; k++)
        if (count[other(c)] && eval_threats(p, c) >> k & 1) sum += w->dissolve[index][k];
    return sum;
}

static int by_hand(const Position *p, const Position *before, const Weights *w) {
    const Color us = position_to_move(p);
    const CaptureWeights *taken = w->captures;
    const int pairs =
        p->traits.captures ? pairs_of(p, taken, us, 0) - pairs_of(p, taken, other(us), 1) : 0;
    return pairs + (squares(p, w, us) + squares(before, w, us)) / 2 +
           counted(p, w->scores->count[0], us) + counted(p, w->scores->count[1], other(us)) +
           w->scores->threat[eval_threats(p, other(us)) << THREAT_BITS | eval_threats(p, us)];
}

static void compare(const EvalTable *t, const Position *before, const char *when) {
    const int score = eval_without_network(t, &pos), expected = by_hand(&pos, before, &t->weights);
    check(score == expected, "rule %d, %s: %d, by hand %d", pos.rule, when, score, expected);
}

static void play_through(Rule rule, u32 seed) {
    const EvalTable *t = eval_table(rule);
    position_init(&pos, rule, &t->pattern, 15);
    compare(t, &pos, "before the first move");
    for (int i = 0; i < 80 && pos.state == STATE_ONGOING; i++) {
        seed = seed * 1664525u + 1013904223u;
        const Cell c = cell_at((int)(seed >> 8) % 15, (int)(seed >> 20) % 15);
        if (pos.board.stone[c] != EMPTY || position_forbidden(&pos, c)) continue;
        position_copy(&earlier, &pos);
        position_make(&pos, c);
        compare(t, &earlier, "after a move");
    }
    while (pos.plies) position_unmake(&pos);
    compare(t, &pos, "after taking all back");
}

/* --- exchanged colours ------------------------------------------------------------------- */

/* Both colours order their moves alike. */
static void swap_order(const EvalTable *t, const Position *swapped) {
    static AccumulatorStack other_stack;
    PolicyNode node, other_node;
    stack.steps = other_stack.steps = 0;
    eval_policy(t, &pos, &stack, &node);
    eval_policy(t, swapped, &other_stack, &other_node);
    const MoveScores one = eval_moves(t, &pos, &node);
    const MoveScores two = eval_moves(t, swapped, &other_node);
    BB_FOR_EACH(c, &pos.board.empty)
    check(eval_move(&one, c) == eval_move(&two, c), "rule %d: colours at %d,%d", pos.rule,
          cell_x(c), cell_y(c));
}

/* The side to move gets the same score with exchanged colours. */
static void swap_colors(Rule rule, u32 seed) {
    static Position swapped;
    const EvalTable *t = eval_table(rule);
    position_init(&pos, rule, &t->pattern, 15);
    position_init(&swapped, rule, &t->pattern, 15);
    for (int i = 0; i < 40; i++) {
        seed = seed * 1664525u + 1013904223u;
        const Cell c = cell_at((int)(seed >> 8) % 15, (int)(seed >> 20) % 15);
        if (pos.board.stone[c] != EMPTY) continue;
        const Color color = (Color)(seed >> 31);
        position_put(&pos, c, (Stone)color);
        position_put(&swapped, c, (Stone)other(color));
    }
    const int more = pos.traits.captures ? (int)seed & 3 : 0, less = more / 2;
    position_ready(&pos, (const int[COLORS]){more, less}, BLACK);
    position_ready(&swapped, (const int[COLORS]){less, more}, WHITE);
    check(eval_score(t, &pos, NULL) == eval_score(t, &swapped, NULL), "rule %d: colours", rule);
    check(!t->has_network || eval_score(t, &pos, NULL) != eval_without_network(t, &pos),
          "rule %d: the network says nothing", rule);
    if (t->has_policy) swap_order(t, &swapped);
}

/* --- the order of moves ------------------------------------------------------------------ */

static int64_t cut_to(int64_t v, int most) {
    return v < 0 ? 0 : v > most ? most : v;
}

/* The position of a square relative to the last move, from both places. */
static int near_by_hand(Cell c) {
    if (!pos.plies) return 0;
    const Cell last = pos.ply[pos.plies - 1].cell;
    const int dx = abs(last % STRIDE - c % STRIDE), dy = abs(last / STRIDE - c / STRIDE);
    const int far = dx > dy ? dx : dy;
    const bool in_line = dx == 0 || dy == 0 || dx == dy;
    return far > 5 ? 11 : 2 * far - (in_line ? 1 : 0);
}

/* The score of a move by the tables. */
static int tables_by_hand(const EvalTable *t, Cell c) {
    const Color us = position_to_move(&pos), them = other(us);
    const Weights *w = &t->weights;
    return w->scores->near[near_by_hand(c)] +
           w->codes[us]->attack[pattern_code(&pos.pattern, us, c)] +
           w->codes[them]->defence[pattern_code(&pos.pattern, them, c)] +
           (pos.traits.captures ? captures_move(w->captures, &pos, c) : 0);
}

/* One hidden number of a candidate, before relu. */
static int64_t hidden_by_hand(const Weights *w, const Accumulator *a, Cell c, const int16_t *in,
                              int j) {
    const Policy *net = w->policy;
    const Color us = position_to_move(&pos);
    int16_t lane[NET_LANES];
    int64_t rows = net->near[near_by_hand(c)][j], h = net->bias[j];
    for (int d = 0; d < DIRECTIONS; d++) {
        rows += w->shapes[us]->made[pattern_shape(&pos.pattern, us, c, d)][j];
        rows += w->shapes[other(us)]->denied[pattern_shape(&pos.pattern, other(us), c, d)][j];
    }
    memcpy(lane, &a->around[NET_BEYOND + c], sizeof lane);
    for (int i = 0; i < NET_INPUTS; i++) h += in[i] * net->position[i][j];
    for (int i = 0; i < NET_LANES; i++) {
        const int side = i < NET_WIDTH ? (int)us : (int)other(us);
        h += (lane[side * NET_WIDTH + i % NET_WIDTH] >> POLICY_AROUND_SHIFT) * net->around[i][j];
    }
    return h + rows * (1 << POLICY_ROW_SHIFT);
}

/* A move's score by the description in policy_net.h. */
static int policy_by_hand(const EvalTable *t, const Accumulator *a, Cell c, int score) {
    const Policy *net = t->weights.policy;
    int16_t features[NET_FEATURES], in[NET_INPUTS];
    eval_features(&pos, eval_without_network(t, &pos), features);
    value_net_inputs(position_to_move(&pos), &a->sums, features, in);
    int64_t out = 0;
    for (int j = 0; j < POLICY_HIDDEN; j++) {
        const int64_t h = hidden_by_hand(&t->weights, a, c, in, j);
        out += cut_to(h >> POLICY_HIDDEN_SHIFT, NET_INPUT_MAX) * net->out[j];
    }
    return (score * net->scale >> 8) + (int)(out >> POLICY_OUT_SHIFT);
}

/* Every candidate of the position, by the tables alone and with the network. */
static void order_by_hand(const EvalTable *t) {
    static Accumulator fresh;
    PolicyNode node;
    accumulator_refresh(&t->network.first, &pos, &fresh);
    eval_policy(t, &pos, &stack, &node);
    const MoveScores tables = eval_moves(t, &pos, NULL), all = eval_moves(t, &pos, &node);
    BB_FOR_EACH(c, &pos.board.empty) {
        const int alone = tables_by_hand(t, c), both = policy_by_hand(t, &fresh, c, alone);
        check(eval_move(&tables, c) == alone, "rule %d, %d plies, %d,%d: tables %d, by hand %d",
              pos.rule, pos.plies, cell_x(c), cell_y(c), eval_move(&tables, c), alone);
        check(eval_move(&all, c) == both, "rule %d, %d plies, %d,%d: %d, by hand %d", pos.rule,
              pos.plies, cell_x(c), cell_y(c), eval_move(&all, c), both);
    }
}

static void order_moves(const EvalTable *t, int size, u32 seed) {
    const Rule rule = t->weights.rule;
    check(t->has_policy, "rule %d has no network for the order of moves", rule);
    stack.steps = 0;
    position_init(&pos, rule, &t->pattern, size);
    order_by_hand(t); /* no last move yet */
    for (int i = 0; i < 60 && pos.state == STATE_ONGOING; i++) {
        seed = seed * 1664525u + 1013904223u;
        const Cell move = cell_at((int)(seed >> 8) % size, (int)(seed >> 20) % size);
        if (pos.board.stone[move] != EMPTY || position_forbidden(&pos, move)) continue;
        position_make(&pos, move);
        order_by_hand(t);
    }
}

static void draw(int16_t *at, size_t count, int most, bool signs, u32 *seed) {
    for (size_t i = 0; i < count; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        at[i] = (int16_t)(signs && *seed >> 31 ? -most : most);
    }
}

#define DRAW(array, signs) draw((int16_t *)(array), sizeof(array) / 2, NET_WEIGHT_MAX, signs, &seed)

/* The largest weights that a file may have, with random signs and without. */
static void order_at_the_bounds(Rule rule) {
    static EvalTable table;
    static Policy policy;
    static PolicyShapes shapes[COLORS];
    Weights w = eval_table(rule)->weights;
    for (int signs = 0; signs < 2; signs++) {
        u32 seed = 11;
        DRAW(shapes, signs);
        DRAW(policy.near, signs);
        DRAW(policy.around, signs);
        DRAW(policy.position, signs);
        DRAW(policy.out, signs);
        for (int j = 0; j < POLICY_HIDDEN; j++)
            policy.bias[j] = signs && j % 2 ? -NET_PRODUCTS_MAX : NET_PRODUCTS_MAX;
        policy.scale = POLICY_SCALE_MAX;
        w.policy = &policy;
        for (Color c = BLACK; c <= WHITE; c++) w.shapes[c] = &shapes[rule == RULE_RENJU ? c : 0];
        eval_table_init(&table, &w);
        order_moves(&table, 15, 3);
        order_moves(&table, 20, 4);
    }
}

int main(void) {
    for (int i = 0; i < RULE_COUNT; i++)
        for (u32 seed = 1; seed <= 4; seed++) play_through(RULES[i], seed);
    for (int i = 0; i < RULE_COUNT; i++) {
        if (RULES[i] == RULE_RENJU) continue; /* the colours have different laws */
        for (u32 seed = 1; seed <= 4; seed++) swap_colors(RULES[i], seed);
    }
    const int sizes[] = {5, 9, 15, 19, 22};
    for (int i = 0; i < RULE_COUNT; i++)
        for (int k = 0; k < COUNT(sizes); k++) order_moves(eval_table(RULES[i]), sizes[k], (u32)k);
    order_at_the_bounds(RULE_FREESTYLE);
    order_at_the_bounds(RULE_RENJU);
    return checks_done();
}
