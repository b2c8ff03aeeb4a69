/* Proofs: a move outside the zone of a win by fours does not affect the win; a VCT claim survives
 * every reply; wins of lean searches are wins; limits hold. Positions are random, with lines.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "eval/evaluate.h"
#include "random_position.h"
#include "rules/rules.h"
#include "search/proof.h"
#include "search/threats.h"

enum { ZONED_RULES = 5, NODES = 20000 };

static Position pos;
static Proof *proof;
static Budget budget;
static atomic_bool stop_flag;

static void random_position(Rule rule, int size) {
    const int no_pairs[COLORS] = {0, 0};
    position_init(&pos, rule, &eval_table(rule)->pattern, size);
    put_crowd(&pos, (Crowd){.rows = 7, .stones = 4, .black = 1, .of = 2, .singles = 3});
    position_ready(&pos, no_pairs, (Color)random_below(2));
}

static int fours(int64_t nodes) {
    return proof_vcf(proof, &pos, &budget, nodes);
}

/* --- zones ------------------------------------------------------------------------------- */

/* The move is in the zone, or the win still exists. */
static bool zone_holds(const Bitboard *answers, Cell c) {
    if (bb_has(answers, c) || position_forbidden(&pos, c)) return true;
    position_make(&pos, c);
    const bool wins = fours(NODES) > 0 || proof->vcf.aborted;
    position_unmake(&pos);
    return wins;
}

/* Checks one random position; returns whether its zone is smaller than the board. */
static bool test_zone(Rule rule) {
    random_position(rule, 7 + (int)random_below(5));
    /* an immediate five of either side makes the test pointless */
    if (pos.pattern.count[BLACK][SQUARE_FIVE] || pos.pattern.count[WHITE][SQUARE_FIVE])
        return false;
    Bitboard answers;
    if (!proof_against(proof, &pos, &budget, NODES, &answers)) return false;
    const int size = pos.board.size;
    bool good = true;
    BB_FOR_EACH(c, &pos.board.empty)
    if (good && !zone_holds(&answers, c)) {
        good = false;
        check(false, "rule %d size %d: %d,%d stops a win by fours outside its zone", rule, size,
              cell_x(c), cell_y(c));
    }
    check(good, "rule %d: a zone leaves nothing out", rule);
    return bb_count(&answers) < pos.board.empty_count;
}

/* Narrows the zone of a win in one random position. Every square outside still loses. Returns the
 * squares that it has taken out. */
static int test_narrow_zone(Rule rule) {
    random_position(rule, 7 + (int)random_below(5));
    if (pos.pattern.count[BLACK][SQUARE_FIVE] || pos.pattern.count[WHITE][SQUARE_FIVE]) return 0;
    const VcfTable table = {proof->no_win, PROOF_VCF_SLOTS - 1};
    const Color defender = position_to_move(&pos);
    Zone zone;
    position_pass(&pos);
    const int plies = vcf_prove(&proof->vcf, &pos, table, &budget, NODES, &zone, NULL);
    const Bitboard whole = zone_close(&zone, &pos, defender);
    Bitboard narrow = whole;
    const int longest = plies ? vcf_narrow_zone(&proof->vcf, plies, defender, &narrow) : 0;
    check(longest >= plies, "%d plies, %d the longest", plies, longest);
    position_unpass(&pos);
    if (!plies) return 0;
    bool good = true;
    BB_FOR_EACH(c, &whole)
    if (!zone_holds(&narrow, c)) good = false;
    check(good, "rule %d: a reply outside the zone of another win stops both", rule);
    return bb_count(&whole) - bb_count(&narrow);
}

/* Renju, Black to move; '#' is neutral. White threatens an open four on 6,2. If Black has played on
 * 4,3, his answer on 3,2 is a double four and he has no legal move left: a draw. */
static void test_a_stone_that_takes_the_last_legal_move(void) {
    static const char *const ROWS[] = {
        "########X#", "########X#", "###.OO.O.#", "###X.##XX#", "###X#X#XX#",
        "###X##XXX#", "XXX.XX#.##", "#######X##", "#######X##", "##########",
    };
    const int no_pairs[COLORS] = {0, 0}, size = 10;
    position_init(&pos, RULE_RENJU, &eval_table(RULE_RENJU)->pattern, size);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if (ROWS[y][x] != '.')
                position_put(&pos, cell_at(x, y),
                             ROWS[y][x] == 'X'   ? BLACK
                             : ROWS[y][x] == 'O' ? WHITE
                                                 : NEUTRAL);
    position_ready(&pos, no_pairs, BLACK);
    Bitboard answers;
    check(proof_against(proof, &pos, &budget, NODES, &answers) == 3, "White threatens a four");
    check(bb_has(&answers, cell_at(4, 3)), "the stone that leads to a draw is an answer");
    position_make(&pos, cell_at(4, 3));
    position_make(&pos, cell_at(6, 2));
    BB_FOR_EACH(c, &pos.board.empty)
    check(position_forbidden(&pos, c), "Black has no move, not even %d,%d", cell_x(c), cell_y(c));
    position_unmake(&pos);
    position_unmake(&pos);
}

/* --- lean -------------------------------------------------------------------------------- */

static Vcf horizon;
static VcfCache cache;

static int fours_at_horizon(bool lean) {
    return vcf_search(&horizon, &pos, &cache, &budget, NODES, lean);
}

/* A lean win does not begin with a four of a class without a second useful shape, except a four of
 * White under renju that makes the answer forbidden. */
static bool begins_lean(void) {
    const Cell c = horizon.line[0][0];
    const Color us = position_to_move(&pos);
    if (pos.rule == RULE_RENJU && us == WHITE) return true;
    int others = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        others += pattern_shape(&pos.pattern, us, c, d) >= SHAPE_THREE_CLOSED;
    return pattern_class(&pos.pattern, us, c) != SQUARE_FOUR || others >= 2;
}

/* Counts the wins of the full search by side and by whether the lean search finds them. Entries of
 * a lean search in the cache must not hide a win from a full one. */
static void test_lean(Rule rule, int wins[COLORS][2]) {
    random_position(rule, 9 + (int)random_below(7));
    vcf_cache_clear(&cache);
    const int whole = fours_at_horizon(false);
    if (horizon.aborted) return;
    vcf_cache_clear(&cache);
    const int lean = fours_at_horizon(true);
    check(lean == 0 || whole > 0, "rule %d: a lean win is a win", rule);
    check(lean < 3 || begins_lean(), "rule %d: a lean win begins with no lone four", rule);
    check(fours_at_horizon(false) == whole, "rule %d: lean failures are believed", rule);
    if (whole) wins[position_to_move(&pos)][lean > 0]++;
}

/* By plain scanning: why the single square that stops White's four on c is forbidden for Black. */
static Forbidden forbidden_answer(Cell c) {
    Forbidden kind = FORBIDDEN_NONE;
    position_make(&pos, c);
    if (position_count(&pos, WHITE, SQUARE_FIVE) == 1)
        kind = rules_renju_forbidden(&pos.board, bb_first(position_set(&pos, WHITE, SQUARE_FIVE)));
    position_unmake(&pos);
    return kind;
}

/* A lean search finds White's win whose only answer is forbidden. Counts the kinds. */
static void test_forbidden_answers(int kinds[]) {
    Bitboard answers;
    random_position(RULE_RENJU, 7 + (int)random_below(9));
    if (position_to_move(&pos) != WHITE || threat_answers(&pos, &answers) ||
        position_count(&pos, WHITE, SQUARE_FIVE))
        return;
    const Bitboard fours = *position_set(&pos, WHITE, SQUARE_FOUR);
    BB_FOR_EACH(c, &fours) {
        const Forbidden kind = forbidden_answer(c);
        if (kind == FORBIDDEN_NONE) continue;
        kinds[kind]++;
        vcf_cache_clear(&cache);
        check(fours_at_horizon(true) > 0 || horizon.aborted,
              "renju: the answer to %d,%d is forbidden, kind %d", cell_x(c), cell_y(c), kind);
    }
}

static void test_lean_with_forbidden_answers(int positions) {
    int kinds[FORBIDDEN_DOUBLE_THREE + 1] = {0};
    for (int i = 0; i < positions; i++) test_forbidden_answers(kinds);
    for (int kind = FORBIDDEN_NONE + 1; kind <= FORBIDDEN_DOUBLE_THREE; kind++)
        check(kinds[kind] > positions / 9000, "renju: %d answers forbidden, kind %d", kinds[kind],
              kind);
}

/* An open three in the middle: its zone is the three's own squares, not its whole line. */
static void test_the_zone_of_a_three(void) {
    enum { SIZE = 15, MOST = 4 };
    for (int i = 0; i < ZONED_RULES; i++) {
        const int no_pairs[COLORS] = {0, 0};
        position_init(&pos, RULES[i], &eval_table(RULES[i])->pattern, SIZE);
        for (int x = 6; x < 9; x++) position_put(&pos, cell_at(x, 7), WHITE);
        position_put(&pos, cell_at(0, 0), BLACK);
        position_put(&pos, cell_at(3, 12), BLACK);
        position_ready(&pos, no_pairs, BLACK);
        Bitboard answers;
        check(proof_against(proof, &pos, &budget, NODES, &answers) > 0, "a three threatens");
        const int squares = bb_count(&answers);
        check(squares <= MOST || !pos.traits.closed_five_wins, "rule %d: %d squares", RULES[i],
              squares);
        check(bb_has(&answers, cell_at(5, 7)) || bb_has(&answers, cell_at(9, 7)),
              "rule %d: its ends are answers", RULES[i]);
    }
}

/* --- VCT --------------------------------------------------------------------------------- */

static int threats(int64_t nodes) {
    return proof_vct(proof, eval_table(pos.rule), &pos, &budget, nodes);
}

/* Every legal reply to the first move of a claim is refuted by a further claim. */
static bool test_claim(Rule rule) {
    random_position(rule, 9 + (int)random_below(3));
    if (fours(NODES) || proof->vcf.aborted) return false;
    if (!threats(NODES)) return false;
    const Cell first = proof->vct.line[0];
    check(!position_forbidden(&pos, first), "rule %d: a claim begins with a legal move", rule);
    position_make(&pos, first);
    const Bitboard empty = pos.board.empty;
    bool good = true;
    BB_FOR_EACH(c, &empty) {
        if (!good || position_forbidden(&pos, c)) continue;
        good = !position_count(&pos, position_to_move(&pos), SQUARE_FIVE);
        position_make(&pos, c);
        if (good) good = threats(10 * NODES) > 0;
        position_unmake(&pos);
    }
    position_unmake(&pos);
    check(good, "rule %d: a claim stands up to every reply", rule);
    return true;
}

static void test_random(Rule rule, int positions) {
    int zones = 0, claims = 0;
    for (int i = 0; i < positions; i++) {
        zones += test_zone(rule);
        claims += test_claim(rule);
    }
    check(zones > positions / 50, "rule %d: %d zones", rule, zones);
    check(claims > positions / 200, "rule %d: %d claims", rule, claims);
}

static void test_random_narrow(int positions) {
    int narrowed = 0;
    for (int i = 0; i < positions; i++) narrowed += test_narrow_zone(RULES[i % ZONED_RULES]);
    check(narrowed > positions / 50, "other wins take %d squares out of zones", narrowed);
}

static void test_random_lean(Rule rule, int positions) {
    int wins[COLORS][2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < positions; i++) test_lean(rule, wins);
    for (Color c = BLACK; c <= WHITE; c++) {
        const int *of = wins[c];
        check(of[true] > positions / 80, "rule %d: %d wins of lean searches", rule, of[true]);
        check(of[false] > 0, "rule %d: %d wins that need lone fours", rule, of[false]);
    }
}

/* --- limits ------------------------------------------------------------------------------ */

static void test_limits(void) {
    random_state = 5;
    do random_position(RULE_FREESTYLE, 11);
    while (fours(NODES) || threats(NODES) < 7);
    check(threats(1) >= 7, "a win that was found is known without a search");
    proof_clear(proof);
    check(threats(1) == 0, "one node proves nothing");
    check(proof->vct.nodes <= 2, "a limit of one node is kept, %d", (int)proof->vct.nodes);
    atomic_store(&stop_flag, true);
    budget_start(&budget, &stop_flag, -1, -1, -1);
    check(threats(NODES) == 0, "a stopped search claims nothing");
    atomic_store(&stop_flag, false);
    budget_start(&budget, &stop_flag, -1, -1, -1);
    const int plies = threats(NODES);
    check(plies > 0, "and forgets that it was stopped");
    atomic_store(&stop_flag, true);
    budget_start(&budget, &stop_flag, -1, -1, -1);
    check(threats(NODES) == plies, "a stop does not take away what is known");
    atomic_store(&stop_flag, false);
    budget_start(&budget, &stop_flag, -1, -1, -1);
}

int main(int argc, char **argv) {
    const int positions = random_positions(argc, argv, ASSERTS ? 40 : 150);
    proof = proof_new();
    if (!proof) return 1;
    budget_start(&budget, &stop_flag, -1, -1, -1);
    for (int i = 0; i < ZONED_RULES; i++) test_random(RULES[i], positions);
    for (int i = 0; i < ZONED_RULES; i++) test_random_lean(RULES[i], 40 * positions);
    test_lean_with_forbidden_answers(600 * positions);
    test_random_narrow(10 * positions);
    test_the_zone_of_a_three();
    test_a_stone_that_takes_the_last_legal_move();
    test_limits();
    proof_free(proof);
    return checks_done();
}
