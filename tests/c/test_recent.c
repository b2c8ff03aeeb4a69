/* The last stones as inputs of the value network: the score is the one by hand, the same with and
 * without a stack, in every symmetry of the board, and with exchanged colours.
 */
#include <stdlib.h>

#include "eval/evaluate.h"
#include "random.h"
#include "weights_file.h"

static EvalTable table, without;
static Position pos, mirrored;
static AccumulatorStack stack, other_stack;
_Alignas(64) static u8 plain_file[1 << 18];

/* The moves of the game, with the colours that made them. The reference needs no stack of plies. */
static struct {
    Cell cell[MAX_GAME_PLIES];
    Color color[MAX_GAME_PLIES];
    int count;
} game;

static int number(int most) {
    return (int)random_below(2 * (u32)most + 1) - most;
}

static void make_table(EvalTable *t, Rule rule) {
    check(reads(), "rule %d: %s", rule, file.fault.text);
    memset(t, 0, sizeof *t);
    eval_table_init(t, &file.weights);
}

static void put_random(int8_t *at, size_t count, int most) {
    for (size_t i = 0; i < count; i++) at[i] = (int8_t)number(most);
}

/* Makes the added parts of a file random. take: adds them. most: the bound of the layers' weights.
 */
static void take_random(void (*take)(Rule), Rule rule, int most) {
    take(rule);
    NetRecent *rows = (NetRecent *)(file.at + header()->recent.offset);
    NetRecentLayer *layer = (NetRecentLayer *)(file.at + header()->recent_layer.offset);
    put_random((int8_t *)rows, header()->recent.bytes, NET_RECENT_MAX);
    put_random((int8_t *)file.at + header()->lines.offset, header()->lines.bytes, NET_LINE_MAX);
    for (int j = 0; j < NET_HIDDEN; j++) {
        for (int i = 0; i < NET_RECENT_INPUTS; i++) layer->hidden[j][i] = (int16_t)number(most);
        for (int stone = 0; stone < NET_RECENT_STONES; stone++)
            layer->absent[stone][j] = number(most * 1000);
    }
    seal();
    make_table(&table, rule);
}

/* --- by hand ------------------------------------------------------------------------------ */

static int64_t cut_to(int64_t v, int64_t most) {
    return v < 0 ? 0 : v > most ? most : v;
}

/* The line through a square in a colour's view, read from the board. Returns its class. */
static int class_by_hand(Cell c, int d, Color viewer) {
    u32 key[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < LINE_REACH; i++) {
            const int by = (side ? -1 : 1) * (i + 1);
            const Stone s =
                board_stone(&pos.board, cell_x(c) + by * DIR_DX[d], cell_y(c) + by * DIR_DY[d]);
            const u32 square = s == EMPTY ? 0 : s > EMPTY ? 3 : s == (Stone)viewer ? 1 : 2;
            key[side] |= square << (2 * i);
        }
    const int a = line_table()->ahead[key[0]], b = line_table()->ahead[key[1]];
    return a > b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

/* The square of a colour's last move; NO_CELL without one. */
static Cell last_of(Color c) {
    for (int i = game.count - 1; i >= 0; i--)
        if (game.color[i] == c) return game.cell[i];
    return NO_CELL;
}

/* The sums over the squares around one, for a viewer. */
static void window_by_hand(const Accumulator *a, Cell c, Color viewer, int16_t *square,
                           int16_t *around) {
    for (int i = 0; i < NET_WIDTH; i++) {
        const int lane = (int)viewer * NET_WIDTH + i;
        int64_t sum = 0, sum_around = 0;
        for (int y = cell_y(c) - 2; y <= cell_y(c) + 2; y++)
            for (int x = cell_x(c) - 2; x <= cell_x(c) + 2; x++) {
                if (x < 0 || y < 0 || x >= pos.board.size || y >= pos.board.size) continue;
                int16_t at[NET_LANES], near[NET_LANES];
                memcpy(at, &a->at[cell_at(x, y)], sizeof at);
                memcpy(near, &a->around[NET_BEYOND + cell_at(x, y)], sizeof near);
                sum += cut_to(at[lane], INT16_MAX);
                sum_around += cut_to(near[lane], INT16_MAX) / 32;
            }
        square[i] = (int16_t)cut_to(sum / 4, 1023);
        around[i] = (int16_t)cut_to(sum_around / 2, 1023);
    }
}

/* The inputs by the description in recent.h. */
static void inputs_by_hand(const Accumulator *a, int16_t in[NET_RECENT_INPUTS], bool absent[2]) {
    const Color us = position_to_move(&pos);
    int row[NET_RECENT_WIDTH] = {0};
    memset(in, 0, NET_RECENT_INPUTS * sizeof *in);
    for (int stone = 0; stone < 2; stone++) {
        const Cell c = last_of(stone ? us : other(us));
        absent[stone] = c == NO_CELL;
        if (absent[stone]) continue;
        for (int side = 0; side < 2; side++) {
            int16_t *at = in + stone * 32 + side * 8;
            window_by_hand(a, c, side ? other(us) : us, at, at + 16);
        }
        for (int d = 0; d < DIRECTIONS; d++)
            for (int i = 0; i < NET_RECENT_WIDTH; i++)
                row[i] += table.weights.recent[us]->row[stone][class_by_hand(c, d, us)][i];
    }
    for (int i = 0; i < NET_RECENT_WIDTH; i++) in[64 + i] = (int16_t)(row[i] > 0 ? row[i] / 2 : 0);
}

static int score_by_hand(void) {
    static Accumulator a;
    const Weights *w = &table.weights;
    int16_t features[NET_FEATURES], in[NET_INPUTS], recent[NET_RECENT_INPUTS];
    bool absent[2];
    const int plain = eval_without_network(&table, &pos);
    accumulator_refresh(&table.network.first, &pos, &a);
    eval_features(&pos, plain, features);
    value_net_inputs(position_to_move(&pos), &a.sums, features, in);
    inputs_by_hand(&a, recent, absent);
    int64_t out = w->network->out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        int64_t h = w->network->hidden_bias[j];
        for (int i = 0; i < NET_INPUTS; i++) h += in[i] * w->network->hidden[j][i];
        for (int i = 0; i < NET_RECENT_INPUTS; i++) h += recent[i] * w->recent_layer->hidden[j][i];
        for (int stone = 0; stone < 2; stone++)
            h += absent[stone] ? w->recent_layer->absent[stone][j] : 0;
        out += cut_to(h >> 8, NET_INPUT_MAX) * w->network->out[j];
    }
    const int64_t score = plain + out * NET_SCALE / (1 << 15);
    return (int)(score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score);
}

static int seen, bounded; /* scores, and those at the bounds */

static void compare(const char *when) {
    const int expected = score_by_hand(), kept = eval_score(&table, &pos, &stack);
    const int fresh = eval_score(&table, &pos, NULL);
    check(kept == expected && fresh == expected,
          "rule %d, %d plies, %s: %d with a stack, %d without, %d by hand", pos.rule, pos.plies,
          when, kept, fresh, expected);
    seen++;
    bounded += abs(expected) == EVAL_MAX;
}

/* --- games -------------------------------------------------------------------------------- */

static void make(Cell c) {
    game.cell[game.count] = c;
    game.color[game.count++] = position_to_move(&pos);
    position_make(&pos, c);
}

static void unmake(void) {
    position_unmake(&pos);
    game.count--;
}

/* The side to move passes, and the other side replies. */
static void compare_pass(Cell c) {
    position_pass(&pos);
    compare("after passing");
    if (!position_forbidden(&pos, c)) {
        make(c);
        if (pos.state == STATE_ONGOING) compare("after a move after passing");
        unmake();
    }
    position_unpass(&pos);
}

static int lost_last_stones; /* the mover's last stone was captured */

/* Captures often, and often near the last stone, so that pairs come about. */
static Cell random_move(void) {
    const Bitboard *captures = position_captures(&pos, position_to_move(&pos));
    if (pos.traits.captures && bb_any(captures) && random_below(2)) return random_cell(captures);
    const Cell last = position_last(&pos);
    if (last == NO_CELL || random_below(2)) return random_cell(&pos.board.empty);
    const int x = cell_x(last) + number(2), y = cell_y(last) + number(2);
    return board_stone(&pos.board, x, y) == EMPTY ? cell_at(x, y) : (Cell)NO_CELL;
}

static void play_random(int moves) {
    for (int i = 0; i < moves && pos.state == STATE_ONGOING; i++) {
        const Cell c = random_move();
        if (c == NO_CELL || position_forbidden(&pos, c)) continue;
        if (random_below(8) == 0) compare_pass(c);
        make(c);
        if (pos.state != STATE_ONGOING) return;
        const Cell own = last_of(position_to_move(&pos));
        lost_last_stones += own != NO_CELL && pos.board.stone[own] == EMPTY;
        if (random_below(4)) compare("after a move");
    }
}

/* Games from set-up stones, with moves taken back, on one stack. */
static void follow_games(Rule rule, int size) {
    stack.steps = 0;
    game.count = 0;
    position_init(&pos, rule, &table.pattern, size);
    position_put(&pos, cell_at(size / 2, 0), NEUTRAL);
    position_put(&pos, cell_at(1, 1), BLACK);
    position_put(&pos, cell_at(size - 2, 1), WHITE);
    position_ready(&pos, (const int[COLORS]){0, 0}, BLACK);
    compare("set up, without moves");
    for (int round = 0; round < 6; round++) {
        play_random(size * size / 8);
        for (int back = (int)random_below(20); back > 0 && pos.plies; back--) {
            unmake();
            if (pos.state == STATE_ONGOING) compare("after taking back");
        }
    }
}

/* A game in another view has the same scores. Under renju the colours have different laws. */
static void mirror_game(Rule rule, int size, int view) {
    stack.steps = other_stack.steps = 0;
    position_init(&pos, rule, &table.pattern, size);
    position_init(&mirrored, rule, &table.pattern, size);
    position_ready(&pos, (const int[COLORS]){0, 0}, BLACK);
    position_ready(&mirrored, (const int[COLORS]){0, 0}, view < VIEWS_PLAIN ? BLACK : WHITE);
    for (int i = 0; i < 40 && pos.state == STATE_ONGOING; i++) {
        const int one = eval_score(&table, &pos, &stack);
        const int other_score = eval_score(&table, &mirrored, &other_stack);
        check(one == other_score, "rule %d, view %d, %d plies: %d and %d", rule, view, pos.plies,
              one, other_score);
        const Cell c = random_cell(&pos.board.empty);
        if (position_forbidden(&pos, c)) continue;
        position_make(&pos, c);
        position_make(&mirrored, view_cell(size, cell_x(c), cell_y(c), view));
    }
}

/* --- what the moves change ---------------------------------------------------------------- */

/* The same stones by moves in another order have another score, and without moves a third one: the
 * last stones belong to the question. */
static void order_matters(void) {
    const Cell black[] = {cell_at(7, 7), cell_at(9, 8)}, white[] = {cell_at(8, 7), cell_at(5, 5)};
    int score[3];
    for (int order = 0; order < 3; order++) {
        position_init(&pos, RULE_FREESTYLE, &table.pattern, 15);
        for (int i = 0; order == 2 && i < 2; i++) {
            position_put(&pos, black[i], BLACK);
            position_put(&pos, white[i], WHITE);
        }
        position_ready(&pos, (const int[COLORS]){0, 0}, BLACK);
        for (int i = 0; order < 2 && i < 2; i++) {
            position_make(&pos, black[order ? 1 - i : i]);
            position_make(&pos, white[order ? 1 - i : i]);
        }
        score[order] = eval_score(&table, &pos, NULL);
    }
    check(score[0] != score[1] && score[0] != score[2] && score[1] != score[2],
          "scores %d, %d and %d", score[0], score[1], score[2]);
}

/* A captured stone's square counts, even if the other side has a stone there now. This takes a pass
 * between two moves of that side. */
static void captured_and_occupied_again(void) {
    const Cell captured = cell_at(9, 7);
    position_init(&pos, RULE_NINUKI, &eval_table(RULE_NINUKI)->pattern, 15);
    position_put(&pos, cell_at(8, 7), BLACK);
    position_put(&pos, cell_at(7, 7), WHITE);
    position_ready(&pos, (const int[COLORS]){0, 0}, BLACK);
    position_make(&pos, cell_at(3, 3));
    position_make(&pos, cell_at(12, 12));
    position_make(&pos, captured);
    position_make(&pos, cell_at(10, 7));
    check(pos.board.stone[captured] == EMPTY, "a pair is captured");
    position_pass(&pos);
    position_make(&pos, captured);
    check(recent_move(&pos, BLACK) == captured && recent_move(&pos, WHITE) == captured,
          "the last moves are on one square");
}

/* A part of zeroes changes no score. */
static void silent_part(Rule rule) {
    take_plain(rule);
    memcpy(plain_file, file.at, file.size);
    check(weights_read(&file.weights, (WeightsBytes){plain_file, file.size}, &file.fault),
          "rule %d: %s", rule, file.fault.text);
    memset(&without, 0, sizeof without);
    eval_table_init(&without, &file.weights);
    take_with_recent(rule);
    make_table(&table, rule);
    position_init(&pos, rule, &without.pattern, 15);
    for (int i = 0; i < 30 && pos.state == STATE_ONGOING; i++) {
        const Cell c = random_cell(&pos.board.empty);
        if (position_forbidden(&pos, c)) continue;
        position_make(&pos, c);
        check(eval_score(&without, &pos, NULL) == eval_score(&table, &pos, NULL),
              "rule %d: last stones that say nothing", rule);
    }
}

int main(void) {
    const int sizes[] = {5, 9, 15, 19, 22};
    if (!make_room()) return 1;
    for (int i = 0; i < RULE_COUNT; i++) {
        silent_part(RULES[i]);
        take_random(take_with_recent, RULES[i], NET_WEIGHT_MAX);
        follow_games(RULES[i], 9);
        take_random(take_with_lines_and_recent, RULES[i], 16);
        follow_games(RULES[i], 15);
        take_random(take_with_recent, RULES[i], 16);
        for (int k = 0; k < COUNT(sizes); k++) follow_games(RULES[i], sizes[k]);
        const int views = RULES[i] == RULE_RENJU ? VIEWS_PLAIN : VIEWS;
        for (int view = 0; view < views; view++) mirror_game(RULES[i], 15, view);
    }
    take_random(take_with_recent, RULE_FREESTYLE, 16);
    order_matters();
    captured_and_occupied_again();
    check(bounded < seen / 2, "%d of %d scores are at a bound", bounded, seen);
    check(lost_last_stones > 10, "%d last stones were captured only", lost_last_stones);
    return checks_done();
}
