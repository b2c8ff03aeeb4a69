/* bench_make.c - the cost of one make and unmake of a move, with shapes, in the middle of a game.
 * Positions come from a fixed seed: each stone is the one with the best shapes out of a dozen
 * squares near the last one. Prints the best of five rounds, because other processes share the
 * core.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/platform.h"
#include "eval/evaluate.h"
#include "position/movegen.h"

enum { GAMES = 60, ROUNDS = 5, REPEATS = 20, MIN_STONES = 30, MORE_STONES = 40, TRIES = 12 };

static u32 next_random(u64 *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (u32)(*state >> 16);
}

static Cell random_near(const Position *p, Cell last, u64 *seed) {
    for (int i = 0;; i++) {
        int x = cell_x(last) + (int)(next_random(seed) % 7) - 3;
        int y = cell_y(last) + (int)(next_random(seed) % 7) - 3;
        if (i > 50) {
            x = (int)next_random(seed) % p->board.size;
            y = (int)next_random(seed) % p->board.size;
        }
        if (board_stone(&p->board, x, y) == EMPTY) return cell_at(x, y);
    }
}

/* The best of a dozen squares by shapes, without a five if possible. */
static Cell choose(const Position *p, const EvalTable *t, Cell last, u64 *seed) {
    Cell best = NO_CELL;
    int best_score = 0;
    const MoveScores scores = eval_moves(t, p, NULL);
    for (int i = 0; i < TRIES; i++) {
        const Cell c = random_near(p, last, seed);
        const bool five = pattern_class(&p->pattern, BLACK, c) == SQUARE_FIVE ||
                          pattern_class(&p->pattern, WHITE, c) == SQUARE_FIVE;
        const int score = five ? -EVAL_MAX : eval_move(&scores, c);
        if (best != NO_CELL && score <= best_score) continue;
        best = c;
        best_score = score;
    }
    return best;
}

static void set_up(Position *p, Rule rule, int size, u64 *seed) {
    const EvalTable *t = eval_table(rule);
    position_init(p, rule, &t->pattern, size);
    const int stones = MIN_STONES + (int)(next_random(seed) % MORE_STONES);
    Cell last = cell_at(size / 2, size / 2);
    for (int i = 0; i < stones; i++) {
        last = choose(p, t, last, seed);
        position_make(p, last);
    }
}

static int shuffled_candidates(const Position *p, Cell out[MAX_SQUARES], u64 *seed) {
    const Bitboard set = movegen_candidates(p);
    int count = 0;
    BB_FOR_EACH(c, &set) out[count++] = c;
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)(next_random(seed) % (u32)(i + 1));
        const Cell c = out[i];
        out[i] = out[j];
        out[j] = c;
    }
    return count;
}

/* Nanoseconds of one pair, over all games of a round. */
static double round_ns(Position *p, Rule rule, int size) {
    u64 seed = 1234567;
    Cell cell[MAX_SQUARES];
    int64_t time_us = 0, pairs = 0;
    for (int g = 0; g < GAMES; g++) {
        set_up(p, rule, size, &seed);
        const int count = shuffled_candidates(p, cell, &seed);
        const int64_t start = platform_now_us();
        for (int k = 0; k < REPEATS; k++)
            for (int i = 0; i < count; i++) {
                position_make(p, cell[i]);
                position_unmake(p);
            }
        time_us += platform_now_us() - start;
        pairs += (int64_t)REPEATS * count;
    }
    return (double)time_us * 1000 / (double)pairs;
}

static double best_ns(Position *p, Rule rule, int size) {
    double best = round_ns(p, rule, size);
    for (int i = 1; i < ROUNDS; i++) {
        const double ns = round_ns(p, rule, size);
        if (ns < best) best = ns;
    }
    return best;
}

int main(void) {
    Position *p = malloc(sizeof *p);
    if (!p) return 1;
    printf("rule            15x15      20x20   (ns for make + unmake)\n");
#define ROW(name)                                                                                  \
    printf("%-14s %6.0f     %6.0f\n", #name, best_ns(p, RULE_##name, 15),                          \
           best_ns(p, RULE_##name, 20));
    FOR_EACH_RULE(ROW)
    free(p);
    return 0;
}
