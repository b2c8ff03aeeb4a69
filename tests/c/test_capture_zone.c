/* Rules with captures: a move outside the zone of a forced win does not affect the win, even with
 * captures, and every VCT claim survives every legal reply. Positions are random, with lines and
 * captured pairs.
 */
#include <stdlib.h>

#include "check.h"
#include "claims.h"
#include "random_position.h"

enum { NODES = 20000, CLAIM_NODES = 4000, REPLY_NODES = 200000 };

static const Attack ATTACK = {REPLY_NODES, 60, .threes = true, .breaks = true};
static Rule rule;

/* Counts of zones and their squares, of claims, and of searches with too few nodes. */
static struct {
    int zones, small, with_captures, claims, long_claims, gave_up;
    int64_t squares, of;
} seen;

/* Rows with gaps, then single stones: threes, fours and pairs are likely. */
static void random_position(int size, u32 singles) {
    const u32 enough = (u32)traits_to_win(rules_traits(rule));
    const int taken[COLORS] = {(int)random_below(enough), (int)random_below(enough)};
    empty_position(rule, size);
    for (u32 i = 0, n = 2 + random_below(5); i < n; i++) {
        const Color color = random_below(10) < 6 ? BLACK : WHITE;
        const int d = (int)random_below(DIRECTIONS), length = 3 + (int)random_below(3);
        int x = (int)random_below((u32)size), y = (int)random_below((u32)size);
        for (int k = 0; k < length; k++, x += DIR_DX[d], y += DIR_DY[d])
            if (random_below(3)) put_if_free(&pos, x, y, color);
    }
    for (u32 i = 0, n = random_below(singles); i < n; i++)
        put_if_free(&pos, (int)random_below((u32)size), (int)random_below((u32)size),
                    random_below(20) ? (Color)random_below(2) : NEUTRAL);
    ready(taken[BLACK], taken[WHITE], (Color)random_below(2));
}

static bool playable(void) {
    return pos.state == STATE_ONGOING && !pos.five[BLACK] && !pos.five[WHITE];
}

/* --- zones ------------------------------------------------------------------------------- */

/* The win must exist after a move outside the zone. */
static bool still_wins(Cell c) {
    position_make(&pos, c);
    const bool wins = pos.state == STATE_ONGOING && proof_vcf(proof, &pos, &budget, REPLY_NODES);
    const bool cut = !wins && pos.state == STATE_ONGOING && proof->vcf.aborted;
    position_unmake(&pos);
    seen.gave_up += cut;
    return wins || cut;
}

static void test_zone(void) {
    Bitboard answers;
    /* an immediate win needs no zone */
    if (threat_win_now(&pos) != NO_CELL) return;
    const int plies = proof_against(proof, &pos, &budget, NODES, &answers);
    if (plies < 3) return;
    const Bitboard empty = pos.board.empty;
    const int squares = bb_count(&answers);
    seen.zones++;
    seen.small += squares < pos.board.empty_count;
    seen.with_captures += position_capture_count(&pos, position_to_move(&pos)) > 0;
    seen.squares += squares;
    seen.of += pos.board.empty_count;
    BB_FOR_EACH(c, &empty) {
        if (bb_has(&answers, c) || position_forbidden(&pos, c)) continue;
        check(still_wins(c), "%d,%d is outside the zone of a win in %d and stops it", cell_x(c),
              cell_y(c), plies);
    }
}

/* --- VCT --------------------------------------------------------------------------------- */

static void test_claim(void) {
    if (proof_vcf(proof, &pos, &budget, NODES)) return;
    const int plies = proof_vct(proof, eval_table(pos.rule), &pos, &budget, CLAIM_NODES);
    if (!plies) return;
    check(plies % 2 == 1, "a win takes an odd number of plies, not %d", plies);
    seen.claims++;
    seen.long_claims += plies > 7;
    check(claim_holds(ATTACK, 0), "a claim of %d plies stands up to every reply", plies);
}

static void test_rule(int positions, bool loud) {
    memset(&seen, 0, sizeof seen);
    claims_clear();
    for (int i = 0; i < positions; i++) {
        const int size = 8 + (int)random_below(5);
        random_position(size, (u32)(size * size / 3));
        if (playable()) test_zone();
        random_position(7, 20);
        if (playable()) test_claim();
    }
    if (loud)
        printf("rule %d: zones %d, smaller than the board %d, with captures %d, squares %d of %d; "
               "claims %d, long %d; gave up %d\n",
               rule, seen.zones, seen.small, seen.with_captures, (int)seen.squares, (int)seen.of,
               seen.claims, seen.long_claims, seen.gave_up);
    check(seen.small > positions / 40, "%d zones smaller than the board", seen.small);
    check(seen.with_captures > positions / 80, "%d where captures answer", seen.with_captures);
    check(seen.claims > positions / 80, "%d claims", seen.claims);
    check(seen.gave_up <= seen.zones / 5, "%d times the nodes did not do", seen.gave_up);
}

int main(int argc, char **argv) {
    const int positions = random_positions(argc, argv, ASSERTS ? 40 : 600);
    if (!claims_begin()) return 1;
    for (int r = 0; r < RULE_COUNT; r++) {
        rule = RULES[r];
        if (rules_traits(rule)->captures) test_rule(positions, argc > 1);
    }
    proof_free(proof);
    return checks_done();
}
