/* Keys of positions: equal for equal boards in any order of moves, different for different ones.
 */
#include <string.h>

#include "check.h"
#include "inviting_move.h"

static u64 key_of_order(Rule rule, const Cell cells[], const int order[], int count) {
    empty_position(rule, 12);
    ready(0, 0, BLACK);
    for (int i = 0; i < count; i++) {
        position_make(&pos, cells[order[i]]);
        if (i + 1 < count && order[i + 1] % 2 == order[i] % 2) position_pass(&pos);
    }
    if (position_to_move(&pos) != BLACK) position_pass(&pos);
    return pos.board.key;
}

/* Even cells get black stones, odd ones white stones, in any order. */
static void test_key_forgets_the_order(void) {
    const Cell cells[] = {cell_at(0, 0), cell_at(11, 0), cell_at(3, 7), cell_at(7, 3),
                          cell_at(5, 5), cell_at(9, 2),  cell_at(1, 9), cell_at(10, 10)};
    enum { CELL_COUNT = COUNT(cells) };
    int order[CELL_COUNT];
    for (int i = 0; i < CELL_COUNT; i++) order[i] = i;
    const u64 key = key_of_order(RULE_FREESTYLE, cells, order, CELL_COUNT);
    for (int times = 0; times < 200; times++) {
        for (int i = CELL_COUNT - 1; i > 0; i--) {
            const int j = (int)random_below((u32)i + 1), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        if (order[0] % 2) continue; /* Black begins */
        check(key_of_order(times % 2 ? RULE_NINUKI : RULE_CARO, cells, order, CELL_COUNT) == key,
              "key by another order");
    }
    ready(0, 0, WHITE);
    check(pos.board.key != key, "the side to move is in the key");
}

static void test_key_knows_captures(Rule rule) {
    static u64 keys[WIN_STONES * WIN_STONES * 2];
    const int enough = traits_to_win(rules_traits(rule));
    int count = 0;
    for (int black = 0; black < enough; black++)
        for (int white = 0; white < enough; white++)
            for (int side = 0; side < 2; side++) {
                empty_position(rule, 9);
                position_put(&pos, cell_at(4, 4), BLACK);
                ready(black, white, side ? WHITE : BLACK);
                keys[count++] = pos.board.key;
            }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) check(keys[i] != keys[j], "keys %d and %d", i, j);
}

/* A captured pair and a pair never placed differ only in the count of pairs. */
static void test_key_after_a_capture(void) {
    empty_position(RULE_NINUKI, 9);
    position_put(&pos, cell_at(2, 2), WHITE);
    position_put(&pos, cell_at(3, 3), WHITE);
    position_put(&pos, cell_at(4, 4), BLACK);
    ready(0, 1, BLACK);
    position_make(&pos, cell_at(1, 1));
    const u64 key = pos.board.key;
    empty_position(RULE_NINUKI, 9);
    position_put(&pos, cell_at(1, 1), BLACK);
    position_put(&pos, cell_at(4, 4), BLACK);
    ready(1, 1, WHITE);
    check(pos.board.key == key, "key after a capture");
    ready(0, 1, WHITE);
    check(pos.board.key != key, "key without the capture");
}

/* In random games exactly equal boards have equal keys. */
static void test_keys_differ(void) {
    static Board boards[2000];
    int count = 0;
    for (int game = 0; game < 50; game++) {
        empty_position(RULE_NINUKI, 7);
        ready(0, 0, BLACK);
        for (int i = 0; i < 40 && pos.board.empty_count; i++) {
            position_make(&pos, inviting_move());
            boards[count++] = pos.board;
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            Board *a = &boards[i], *b = &boards[j];
            const bool equal = a->to_move == b->to_move &&
                               memcmp(a->captures, b->captures, sizeof a->captures) == 0 &&
                               memcmp(a->stone, b->stone, sizeof a->stone) == 0;
            if ((a->key == b->key) != equal) check(false, "keys of boards %d and %d", i, j);
        }
    check(count > 1000, "boards were compared");
}

int main(void) {
    test_key_forgets_the_order();
    test_key_knows_captures(RULE_NINUKI);
    test_key_knows_captures(RULE_KERYO);
    test_key_after_a_capture();
    test_keys_differ();
    return checks_done();
}
