/* Stones on squares: put, remove, key, bit sets. */
#include <string.h>

#include "check.h"

/* The bit sets and counts agree with stone[] on every square. */
static bool consistent(const Board *b) {
    int empty = 0;
    for (Cell c = 0; c < CELLS; c++) {
        const Stone s = board_stone(b, cell_x(c), cell_y(c));
        if (s != (Stone)b->stone[c]) return false;
        if (bb_has(&b->stones[BLACK], c) != (s == BLACK)) return false;
        if (bb_has(&b->stones[WHITE], c) != (s == WHITE)) return false;
        if (bb_has(&b->empty, c) != (s == EMPTY)) return false;
        empty += s == EMPTY;
    }
    return empty == b->empty_count && empty == bb_count(&b->empty);
}

static bool same(const Board *a, const Board *b) {
    return a->key == b->key && a->size == b->size && a->empty_count == b->empty_count &&
           a->to_move == b->to_move && memcmp(a->captures, b->captures, sizeof a->captures) == 0 &&
           memcmp(a->stone, b->stone, sizeof a->stone) == 0 &&
           memcmp(a->stones, b->stones, sizeof a->stones) == 0 &&
           memcmp(&a->empty, &b->empty, sizeof a->empty) == 0;
}

static void test_every_size(void) {
    for (int size = MIN_SIZE; size <= MAX_SIZE; size++) {
        Board b;
        board_init(&b, size);
        check(consistent(&b), "size %d: empty board", size);
        check(b.empty_count == size * size && b.key == 0 && b.to_move == BLACK, "size %d", size);
        check(board_stone(&b, size, 0) == OFF_BOARD && board_stone(&b, 0, size) == OFF_BOARD &&
                  board_stone(&b, -1, 0) == OFF_BOARD && board_stone(&b, 0, -1) == OFF_BOARD,
              "size %d: beyond the edges", size);
        int seen = 0;
        BB_FOR_EACH(c, &b.empty) {
            check(c == cell_at(seen % size, seen / size), "size %d: order of squares", size);
            check(cell_x(c) == seen % size && cell_y(c) == seen / size, "size %d: x and y", size);
            seen++;
        }
        check(seen == size * size, "size %d: every square once", size);
    }
}

static void test_put_and_remove(void) {
    const Board start = draw_scene((Place){15, 3, 4}, "X.O/.#./O.X", 0).board;
    const Stone kinds[] = {BLACK, WHITE, NEUTRAL};
    BB_FOR_EACH(c, &start.empty) {
        for (int k = 0; k < 3; k++) {
            Board b = start;
            board_put(&b, c, kinds[k]);
            check(consistent(&b) && b.stone[c] == kinds[k], "put on %d", c);
            check(b.key != start.key && b.empty_count == start.empty_count - 1, "put on %d", c);
            board_remove(&b, c);
            check(same(&b, &start), "put and remove on %d", c);
        }
    }
}

static void test_key(void) {
    Board first, second;
    board_init(&first, 19);
    board_init(&second, 19);
    const Cell a = cell_at(3, 3), c = cell_at(18, 0);
    board_put(&first, a, BLACK);
    board_put(&first, c, WHITE);
    board_set_to_move(&first, WHITE);
    board_set_to_move(&second, WHITE);
    board_put(&second, c, WHITE);
    board_put(&second, a, BLACK);
    check(first.key == second.key, "the order of stones does not matter");

    const u64 key = first.key;
    board_set_to_move(&first, WHITE);
    check(first.key == key, "the same side to move again");
    board_set_to_move(&first, BLACK);
    check(first.key != key, "the side to move is in the key");
    board_set_to_move(&first, WHITE);
    board_set_captures(&first, BLACK, 2);
    board_set_captures(&second, WHITE, 2);
    check(first.key != key && first.key != second.key, "pairs count for who took them");
    board_set_captures(&first, BLACK, WIN_PAIRS + 7);
    check(first.captures[BLACK] == WIN_PAIRS + 7 && first.captures[WHITE] == 0, "pairs");
    board_set_captures(&first, BLACK, 0);
    check(first.key == key, "pairs leave the key as they came");
}

/* Equal random numbers would give two positions one key. */
static void test_zobrist(void) {
    const Zobrist *z = zobrist_table();
    check(z == zobrist_table(), "one table");
    bool distinct = true;
    const u64 *all = &z->stone[0][0];
    for (int i = 0; i < 4 * CELLS; i++) {
        distinct = distinct && all[i] != 0 && all[i] != z->to_move;
        for (int j = 0; j < i; j++) distinct = distinct && all[i] != all[j];
    }
    check(distinct, "numbers are distinct");
    check(z->captures[BLACK][0] == 0 && z->captures[WHITE][0] == 0, "no pairs, no change");
}

static u64 next_random(u64 *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ (*state >> 29);
}

static Bitboard random_set(u64 *state) {
    Bitboard b;
    for (int i = 0; i < WORDS; i++) b.w[i] = next_random(state) & next_random(state);
    return b;
}

static void test_shifts(void) {
    u64 state = 1;
    for (int by = 0; by <= 3 * STRIDE + 4; by++) {
        const Bitboard b = random_set(&state);
        const Bitboard up = bb_up(&b, by), down = bb_down(&b, by);
        bool good = true;
        for (Cell c = 0; c < CELLS; c++) {
            good = good && bb_has(&up, c) == (c - by >= 0 && bb_has(&b, (Cell)(c - by)));
            good = good && bb_has(&down, c) == (c + by < CELLS && bb_has(&b, (Cell)(c + by)));
        }
        check(good, "shift by %d", by);
    }
}

static void test_sets(void) {
    u64 state = 2;
    const Bitboard a = random_set(&state), b = random_set(&state);
    Bitboard either = a, both = a, again = {{0}};
    bb_or(&either, &b);
    bb_and(&both, &b);
    check(bb_count(&either) + bb_count(&both) == bb_count(&a) + bb_count(&b), "or and and");
    check(!bb_any(&again) && bb_any(&a), "any");
    Cell previous = NO_CELL;
    bool rising = true;
    BB_FOR_EACH(c, &a) {
        if (previous == NO_CELL) check(c == bb_first(&a), "first");
        rising = rising && c > previous;
        previous = c;
        bb_add(&again, c);
    }
    check(rising && memcmp(&a, &again, sizeof a) == 0, "each square once, rising");
    BB_FOR_EACH(c, &a) bb_flip(&again, c);
    check(!bb_any(&again), "flip");
}

int main(void) {
    test_every_size();
    test_put_and_remove();
    test_key();
    test_zobrist();
    test_shifts();
    test_sets();
    return checks_done();
}
