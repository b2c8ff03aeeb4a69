/* Ninuki: standing fives of set-up positions. Immediate wins agree with the rules, a pass gives the
 * position that the rules would set up, answers are complete, and a claimed win survives every
 * reply. Positions are random.
 */
#include <stdlib.h>

#include "check.h"
#include "claims.h"
#include "position/ninuki_fives.h"
#include "random_position.h"

enum { NODES = 3000 };

static const Attack ATTACK = {20 * NODES, 40, .threes = true};

/* Counts of events. */
static struct {
    int own, both, theirs, won, threatened, claims;
} seen;

/* Five or six stones in a row; existing stones stay. */
static void put_five(Color color) {
    const int size = pos.board.size, d = (int)random_below(DIRECTIONS);
    const int length = 5 + (int)random_below(2);
    const int x = (int)random_below((u32)size), y = (int)random_below((u32)size);
    if (!board_inside(&pos.board, x + (length - 1) * DIR_DX[d], y + (length - 1) * DIR_DY[d]))
        return;
    for (int i = 0; i < length; i++) {
        const int px = x + i * DIR_DX[d], py = y + i * DIR_DY[d];
        if (board_stone(&pos.board, px, py) == EMPTY) position_put(&pos, cell_at(px, py), color);
    }
}

static void random_position(void) {
    const int size = 5 + (int)random_below(5);
    const int pairs[COLORS] = {(int)random_below(WIN_PAIRS), (int)random_below(WIN_PAIRS)};
    empty_position(RULE_NINUKI, size);
    if (random_below(4)) put_five(BLACK);
    if (random_below(3) == 0) put_five(WHITE);
    put_crowd(&pos, (Crowd){.rows = 6, .stones = 3, .black = 5, .of = 10, .singles = 1});
    ready(pairs[BLACK], pairs[WHITE], random_below(4) ? BLACK : WHITE);
}

/* --- by the rules alone ------------------------------------------------------------------- */

/* The board after the side to move has played on the empty square c. */
static Board board_after(const Board *b, Cell c) {
    Board after = *b;
    Cell taken[MAX_CAPTURED];
    const Color us = b->to_move;
    const int count = rules_captures(b, pos.rule, c, us, taken);
    for (int i = 0; i < count; i++) board_remove(&after, taken[i]);
    board_put(&after, c, us);
    const int pairs = after.captures[us] + count / 2;
    board_set_captures(&after, us, pairs < MAX_PAIRS ? pairs : MAX_PAIRS);
    board_set_to_move(&after, other(us));
    return after;
}

static bool wins_by_rules(const Board *b, Cell c) {
    if (rules_forbidden(b, RULE_NINUKI, c)) return false;
    const Board after = board_after(b, c);
    const Verdict v = rules_judge(&after, RULE_NINUKI, c);
    return v.status == GAME_WIN && v.winner == (Stone)b->to_move;
}

static bool any_win_by_rules(const Board *b) {
    BB_FOR_EACH(c, &b->empty)
    if (wins_by_rules(b, c)) return true;
    return false;
}

/* --- one position ------------------------------------------------------------------------- */

static void test_win_now(void) {
    const Cell now = threat_win_now(&pos);
    const bool won = any_win_by_rules(&pos.board);
    seen.won += won;
    check((now != NO_CELL) == won, "a win at once is %s", won ? "missed" : "claimed");
    if (now != NO_CELL)
        check(wins_by_rules(&pos.board, now), "%d,%d wins at once", cell_x(now), cell_y(now));
}

static void test_pass(void) {
    if (pos.state != STATE_ONGOING) return;
    position_pass(&pos);
    const Board passed = pos.board;
    const Verdict v = rules_judge_setup(&passed, RULE_NINUKI);
    check((pos.state == STATE_PENDING) == (v.status == GAME_PENDING), "the state after a pass");
    check(position_ok(&pos), "a pass keeps the fields");
    check((threat_win_now(&pos) != NO_CELL) == any_win_by_rules(&passed), "a win after a pass");
    position_unpass(&pos);
    check(pos.state == STATE_ONGOING && position_ok(&pos), "the pass is undone");
    BB_FOR_EACH(c, &passed.empty)
    if (pattern_class(&pos.pattern, passed.to_move, c) == SQUARE_FIVE)
        check(movegen_wins_on(&pos, c) == wins_by_rules(&passed, c),
              "the other side's five on %d,%d", cell_x(c), cell_y(c));
}

/* A legal move outside the answers leaves the other side an immediate win. */
static void test_answers(void) {
    Bitboard answers;
    const Bitboard empty = pos.board.empty;
    if (pos.state != STATE_ONGOING || threat_win_now(&pos) != NO_CELL) return;
    if (!threat_answers(&pos, &answers)) return;
    seen.threatened++;
    BB_FOR_EACH(c, &empty) {
        if (bb_has(&answers, c) || position_forbidden(&pos, c)) continue;
        const Board after = board_after(&pos.board, c);
        const Verdict v = rules_judge(&after, RULE_NINUKI, c);
        const bool lost = v.status == GAME_WIN && v.winner == (Stone)after.to_move;
        check(lost || any_win_by_rules(&after), "%d,%d answers, too", cell_x(c), cell_y(c));
    }
}

/* --- claims ------------------------------------------------------------------------------- */

static void test_claims(void) {
    const int fours = proof_vcf(proof, &pos, &budget, NODES);
    if (fours > 1) {
        seen.claims++;
        check(wins_with(ATTACK, proof->vcf.line[0][0], 0), "a win by fours in %d plies", fours);
    }
    const int threes = fours ? 0 : proof_vct(proof, eval_table(pos.rule), &pos, &budget, NODES);
    if (threes > 1) {
        seen.claims++;
        check(wins_with(ATTACK, proof->vct.line[0], 0), "a win by threes in %d plies", threes);
    }
    if (any_win_by_rules(&pos.board))
        check(fours == 1 && proof_vct(proof, eval_table(pos.rule), &pos, &budget, NODES) == 1,
              "a win at once is one");
}

int main(int argc, char **argv) {
    const int positions = random_positions(argc, argv, ASSERTS ? 1500 : 15000);
    if (!claims_begin()) return 1;
    for (int i = 0; i < positions; i++) {
        random_position();
        const bool own = pos.five[position_to_move(&pos)], theirs = pos.state == STATE_PENDING;
        if (!own && !theirs) continue;
        if (rules_judge_setup(&pos.board, RULE_NINUKI).status == GAME_DRAW) continue;
        seen.own += own && !theirs;
        seen.theirs += theirs && !own;
        seen.both += own && theirs;
        test_win_now();
        test_pass();
        test_answers();
        test_claims();
    }
    if (argc > 1)
        printf("own %d, theirs %d, both %d; won at once %d, threatened %d, longer claims %d\n",
               seen.own, seen.theirs, seen.both, seen.won, seen.threatened, seen.claims);
    check(seen.own > positions / 8, "%d own fives", seen.own);
    check(seen.both > positions / 60, "%d positions with fives of both", seen.both);
    check(seen.theirs > positions / 30, "%d fives of the other side", seen.theirs);
    check(seen.won > positions / 8, "%d wins at once", seen.won);
    check(seen.claims > positions / 100, "%d longer claims", seen.claims);
    proof_free(proof);
    return checks_done();
}
