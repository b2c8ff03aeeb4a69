/* Proofs under rules with captures: a claimed forced win survives every legal reply, open fours
 * that count as won win, and answers to an immediate win are complete. Positions are random, with
 * lines and captured pairs.
 */
#include <stdlib.h>

#include "check.h"
#include "claims.h"
#include "position/ninuki_fives.h"
#include "random_position.h"

enum { NODES = 5000 };

static const Attack ATTACK = {20 * NODES, 60, .threes = false};
static Rule rule;

/* Counts of events. */
static struct {
    int claims, long_claims, near, open_fours, threatened, fifth;
} seen;

static void random_position(void) {
    const int size = 6 + (int)random_below(5);
    const u32 enough = (u32)traits_to_win(rules_traits(rule));
    const int taken[COLORS] = {(int)random_below(enough), (int)random_below(enough)};
    empty_position(rule, size);
    put_crowd(&pos, (Crowd){.rows = 5, .stones = 3, .black = 7, .of = 10, .singles = 2});
    ready(taken[BLACK], taken[WHITE], random_below(4) ? BLACK : WHITE);
}

static bool playable(void) {
    return pos.state == STATE_ONGOING && !pos.five[BLACK] && !pos.five[WHITE];
}

/* --- claims ------------------------------------------------------------------------------ */

static void test_claim(void) {
    const int plies = proof_vcf(proof, &pos, &budget, NODES);
    if (!plies) return;
    check(plies % 2 == 1, "a win takes an odd number of plies, not %d", plies);
    seen.claims++;
    seen.long_claims += plies > 1;
    seen.near += plies > 1 && threat_near_last_capture(&pos, position_to_move(&pos));
    check(claim_holds(ATTACK, 0), "a claim of %d plies stands up to every reply", plies);
}

/* --- wins in sight ------------------------------------------------------------------------ */

static bool has_winning_five(Color color) {
    const Bitboard fives = *position_set(&pos, color, SQUARE_FIVE);
    BB_FOR_EACH(c, &fives)
    if (!pos.traits.five_must_stand || ninuki_fives_win(&pos, color, c)) return true;
    return false;
}

/* After every reply to the open four on c one of its fives wins at once. */
static void test_open_four(Cell c) {
    seen.open_fours++;
    position_make(&pos, c);
    const Color us = other(position_to_move(&pos));
    const Bitboard empty = pos.board.empty;
    bool good = pos.state == STATE_ONGOING;
    BB_FOR_EACH(r, &empty) {
        if (!good || position_forbidden(&pos, r)) continue;
        position_make(&pos, r);
        good = pos.state == STATE_ONGOING && has_winning_five(us);
        position_unmake(&pos);
    }
    position_unmake(&pos);
    check(good, "an open four that counts as won wins");
}

static void test_open_fours(void) {
    const Color us = position_to_move(&pos);
    if (position_count(&pos, other(us), SQUARE_FIVE)) return;
    const Bitboard squares = *position_set(&pos, us, SQUARE_OPEN_FOUR);
    BB_FOR_EACH(c, &squares)
    if (ninuki_fives_after_open_four(&pos, c)) test_open_four(c);
}

/* A legal move outside the answers leaves the other side an immediate win. */
static void test_answers(void) {
    Bitboard answers;
    if (threat_win_now(&pos) != NO_CELL || !threat_answers(&pos, &answers)) return;
    seen.threatened++;
    seen.fifth += threat_against(&pos) == NO_CELL;
    const Bitboard empty = pos.board.empty;
    BB_FOR_EACH(c, &empty) {
        if (bb_has(&answers, c) || position_forbidden(&pos, c)) continue;
        position_make(&pos, c);
        bool loses = pos.state == STATE_MOVER_LOST;
        if (pos.state == STATE_ONGOING || pos.state == STATE_PENDING)
            loses = threat_win_now(&pos) != NO_CELL;
        position_unmake(&pos);
        check(loses, "only the answers stop a win at once, but %d,%d does", cell_x(c), cell_y(c));
    }
}

/* --- keys and undoing --------------------------------------------------------------------- */

/* The key of pos with other counts of captures, set up square by square. */
static u64 key_set_up(const int taken[COLORS], Color to_move) {
    static Position fresh;
    position_init(&fresh, rule, &eval_table(rule)->pattern, pos.board.size);
    for (Cell c = 0; c < CELLS; c++)
        if (pos.board.stone[c] == BLACK || pos.board.stone[c] == WHITE)
            position_put(&fresh, c, (Stone)pos.board.stone[c]);
    position_ready(&fresh, taken, to_move);
    return fresh.board.key;
}

/* The key depends on captures and the side to move, not on the order of moves. */
static void check_key(void) {
    const Color us = position_to_move(&pos);
    const int taken[COLORS] = {pos.board.captures[BLACK], pos.board.captures[WHITE]};
    const int more[COLORS] = {taken[BLACK] + 1, taken[WHITE]};
    const int swapped[COLORS] = {taken[WHITE], taken[BLACK]};
    check(key_set_up(taken, us) == pos.board.key, "played or set up, the key is the same");
    check(key_set_up(taken, other(us)) != pos.board.key, "the side to move is in the key");
    check(key_set_up(more, us) != pos.board.key, "captures are in the key");
    if (taken[BLACK] != taken[WHITE])
        check(key_set_up(swapped, us) != pos.board.key, "and whose they are");
}

/* A capture if there is one, else any legal square; NO_CELL without any. */
static Cell greedy_move(void) {
    Bitboard set = *position_captures(&pos, position_to_move(&pos));
    if (!bb_any(&set)) set = pos.board.empty;
    u32 skip = random_below((u32)bb_count(&set));
    BB_FOR_EACH(c, &set)
    if (skip-- == 0) return position_forbidden(&pos, c) ? (Cell)NO_CELL : c;
    return NO_CELL;
}

/* A game in which both sides capture when they can, played and taken back; returns the captures of
 * both. */
static int test_game(int size) {
    static u64 keys[MAX_GAME_PLIES + 1];
    empty_position(rule, size);
    while (pos.board.empty_count && (pos.state == STATE_ONGOING || pos.state == STATE_PENDING)) {
        const Cell c = greedy_move();
        if (c == NO_CELL) break;
        keys[pos.plies] = pos.board.key;
        const u64 foreseen = position_key_after(&pos, c);
        position_make(&pos, c);
        check(pos.board.key == foreseen, "the key after %d is foreseen", c);
        check_key();
    }
    const int captures = pos.board.captures[BLACK] + pos.board.captures[WHITE];
    bool same = true;
    while (pos.plies) {
        position_unmake(&pos);
        same &= pos.board.key == keys[pos.plies];
    }
    check(same && pos.board.empty_count == size * size && !pos.pattern.top,
          "a game with %d captures is undone", captures);
    check(position_ok(&pos), "and leaves nothing behind");
    return captures;
}

static void test_rule(int positions) {
    memset(&seen, 0, sizeof seen);
    claims_clear();
    for (int i = 0; i < positions; i++) {
        random_position();
        if (!playable()) continue;
        test_claim();
        test_open_fours();
        test_answers();
    }
    const bool stands = rules_traits(rule)->five_must_stand;
    check(seen.long_claims > positions / 100, "%d claims of more than a ply", seen.long_claims);
    check(seen.near > positions / 400, "%d of them near the last capture", seen.near);
    check(!stands || claims_pending > positions / 400, "%d breakable fives in claims",
          claims_pending);
    check(seen.open_fours > positions / 400, "%d open fours", seen.open_fours);
    check(seen.threatened > positions / 100, "%d wins at once to answer", seen.threatened);
    check(seen.fifth > positions / 200, "%d of them by captures", seen.fifth);
    int most = 0;
    for (int i = 0; i < positions / 50; i++) {
        const int captures = test_game(7 + i % 13);
        if (captures > most) most = captures;
    }
    const int enough = traits_to_win(rules_traits(rule));
    check(most >= 2 * enough - 2, "%d captures in one game", most);
}

int main(int argc, char **argv) {
    const int positions = random_positions(argc, argv, ASSERTS ? 400 : 6000);
    if (!claims_begin()) return 1;
    for (int r = 0; r < RULE_COUNT; r++) {
        rule = RULES[r];
        if (rules_traits(rule)->captures) test_rule(positions);
    }
    proof_free(proof);
    return checks_done();
}
