/* The rules, case by case, mostly in all views; check.h explains the drawings.
 */
#include "check.h"
#include "rules/rules.h"
#include "rules/traits.h"

/* ---- wins ---- */

/* The rules under which the marked black stone wins; in swapped views white, which differs under
 * renju */
enum { F = 1, S = 2, RB = 4, RW = 8, C = 16, CS = 32, N = 64, ALL = 127 };
enum { OVER = F | RW | C | N, CLOSED = ALL & ~(C | CS) };

static const struct {
    const char *why, *rows;
    Place place;
    int wins;
} WINS[] = {
    {"five, last in the middle", "XXxXX", MID, ALL},
    {"five, last at the end", "xXXXX", MID, ALL},
    {"four", "XXxX", MID, 0},
    {"five with a gap", "XX.xXX", MID, 0},
    {"a stone of the other colour within", "XXOxXX", MID, 0},
    {"nobody's stone within", "XX#xXX", MID, 0},
    {"six", "XXxXXX", MID, OVER},
    {"nine", "XXXXxXXXX", MID, OVER},
    {"closed at both ends", "OXXxXXO", MID, CLOSED},
    {"closed at one end", "OXXxXX", MID, ALL},
    {"the second end is one square off", "OXXxXX.O", MID, ALL},
    {"nobody's stone closes nothing", "#XXxXXO", MID, ALL},
    {"nor do two", "#XXxXX#", MID, ALL},
    {"six, closed at both ends", "OXXXxXXO", MID, OVER},
    {"the edge closes nothing", "XXxXXO", {15, 0, 3}, ALL},
    {"edge and corner, the length of the board", "XXxXX", {5, 0, 0}, ALL},
    {"six from edge to edge", "XXxXXX", {6, 0, 5}, OVER},
    {"diagonal from a corner", "x/.X/..X/...X/....X", {9, 0, 0}, ALL},
    {"diagonal, closed at both ends", "O/.X/..X/...x/....X/.....X/......O", {7, 0, 0}, CLOSED},
    {"a row does not go on in the next", ".......XXx/XX", {10, 0, 3}, 0},
    {"six one way, five the other", "..X/..X/XXxXXX/..X/..X", MID, ALL},
    {"closed one way, open the other", "...X/...X/OXXxXXO/...X/...X", MID, ALL},
};

static bool expected_win(int wins, Rule rule, int view) {
    switch (rule) {
    case RULE_FREESTYLE:
    case RULE_PENTE:
    case RULE_KERYO:
        return wins & F;
    case RULE_STANDARD:
        return wins & S;
    case RULE_RENJU:
        return wins & (view < VIEWS_PLAIN ? RB : RW);
    case RULE_CARO:
        return wins & C;
    case RULE_CARO_STANDARD:
        return wins & CS;
    case RULE_NINUKI:
        return wins & N;
    }
    return false;
}

static void test_wins(void) {
    for (int i = 0; i < COUNT(WINS); i++)
        for (int view = 0; view < VIEWS; view++) {
            Scene s = draw_scene(WINS[i].place, WINS[i].rows, view);
            const Color mover = (Color)s.board.stone[s.star];
            board_set_to_move(&s.board, other(mover));
            for (int r = 0; r < RULE_COUNT; r++) {
                const bool wins = expected_win(WINS[i].wins, RULES[r], view);
                check(rules_is_win(&s.board, RULES[r], s.star) == wins, "%s, rule %d, view %d",
                      WINS[i].why, RULES[r], view);
                const Verdict v = rules_judge(&s.board, RULES[r], s.star);
                check(wins ==
                          (v.status == GAME_WIN && v.winner == mover && v.reason == REASON_FIVE),
                      "judged: %s, rule %d, view %d", WINS[i].why, RULES[r], view);
            }
            check(rules_any_five(&s.board, mover) == ((WINS[i].wins & F) != 0) &&
                      !rules_any_five(&s.board, other(mover)),
                  "any five: %s, view %d", WINS[i].why, view);
        }
}

static void test_runs(void) {
    const Scene s = draw_scene((Place){7, 0, 0}, ".X.../.XXxXX#/..XX/.X.X", 0);
    const int lengths[DIRECTIONS] = {5, 3, 1, 3};
    for (int d = 0; d < DIRECTIONS; d++)
        check(rules_run(&s.board, s.star, d) == lengths[d], "run in direction %d", d);
    check(rules_run(&s.board, cell_at(1, 1), 2) == 3, "run on the diagonal");
    check(rules_run(&s.board, cell_at(1, 3), 3) == 3, "run on the other diagonal");
    check(rules_run(&s.board, cell_at(1, 3), 0) == 1, "run of one");
}

/* ---- captures ---- */

typedef struct {
    const char *why, *rows;
    Place place;
} Capture;

static const Capture CAPTURES[] = {
    {"row", "*ccX", MID},
    {"diagonal", "*/.c/..c/...X", MID},
    {"one", "*OX", MID},
    {"three", "*OOOX", MID},
    {"four", "*OOOOX", MID},
    {"no bracket", "*OO", MID},
    {"far bracket", "*OO.X", MID},
    {"not next to it", "*.OOX", MID},
    {"the edge is no bracket", "*OO", {9, 6, 2}},
    {"from the corner", "*ccX", {9, 0, 0}},
    {"with the corner's stone", "*ccX", {9, 5, 0}},
    {"rows do not go on", ".*O/OX", {9, 6, 3}},
    {"diagonals do not go on", "*/.O/../X../.X", {9, 7, 3}},
    {"nobody's stone is no bracket", "*OO#", MID},
    {"nobody's stone is no pair", "*O#X", MID},
    {"nor are two", "*##X", MID},
    {"own stone in between", "*OXOX", MID},
    {"two ways on one line", "Xcc*ccX", MID},
    {"pair one way, three the other", "Xcc*OOOX", MID},
    {"a long bracket", "*ccXX", MID},
    {"neighbours of the pair stay", ".O/*ccX/.O", MID},
    {"eight ways", "X..X..X/.c.c.c/..ccc/Xcc*ccX/..ccc/.c.c.c/X..X..X", MID},
    {"two pairs that touch", "*/cc/c.c/X..X", MID},
};

/* Under rules that capture triples. */
static const Capture TRIPLES[] = {
    {"two", "*ccX", MID},
    {"three", "*cccX", MID},
    {"three on a diagonal", "*/.c/..c/...c/....X", MID},
    {"one", "*OX", MID},
    {"four", "*OOOOX", MID},
    {"five", "*OOOOOX", MID},
    {"no bracket", "*OOO", MID},
    {"far bracket", "*OOO.X", MID},
    {"not next to it", "*.OOOX", MID},
    {"a gap in the row", "*OO.OX", MID},
    {"the edge is no bracket", "*OOO", {9, 5, 2}},
    {"from the corner", "*cccX", {9, 0, 0}},
    {"with the corner's stone", "*cccX", {9, 4, 0}},
    {"nobody's stone is no bracket", "*OOO#", MID},
    {"nobody's stone is in no row", "*OO#X", MID},
    {"own stone in between", "*OXOOX", MID},
    {"two ways on one line", "Xccc*cccX", MID},
    {"pair one way, three the other", "Xcc*cccX", MID},
    {"three one way, four the other", "Xccc*OOOOX", MID},
    {"neighbours of the three stay", ".O/*cccX/.O", MID},
    {"eight ways",
     "X...X...X/.c..c..c/..c.c.c/...ccc/Xccc*cccX/...ccc/..c.c.c/.c..c..c/X...X...X",
     {9, 0, 0}},
};

static void test_captures_of(Rule rule, const Capture *all, int count) {
    for (int i = 0; i < count; i++)
        for (int view = 0; view < VIEWS; view++) {
            const Scene s = draw_scene(all[i].place, all[i].rows, view);
            Cell out[MAX_CAPTURED];
            const int n = rules_captures(&s.board, rule, s.star, view_stone(BLACK, view), out);
            bool good = n == s.named_count;
            for (int j = 0; j < n; j++) {
                bool named = false;
                for (int k = 0; k < s.named_count; k++) named = named || s.named[k] == out[j];
                good = good && named && (j == 0 || out[j - 1] < out[j]);
            }
            check(good, "rule %d, captures: %s, view %d", rule, all[i].why, view);
        }
}

static void test_captures(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        const RuleTraits *traits = rules_traits(RULES[r]);
        if (!traits->captures) continue;
        if (traits->triples)
            test_captures_of(RULES[r], TRIPLES, COUNT(TRIPLES));
        else
            test_captures_of(RULES[r], CAPTURES, COUNT(CAPTURES));
    }
}

/* The fast code for a five that must stand knows captures of pairs only. */
static void test_traits_go_together(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        const RuleTraits *traits = rules_traits(RULES[r]);
        check(traits->captures || (!traits->five_must_stand && !traits->triples),
              "rule %d: a trait of captures without captures", RULES[r]);
        check(!traits->triples || (traits->counts_stones && !traits->five_must_stand),
              "rule %d: triples need stones counted, and a five that need not stand", RULES[r]);
    }
}

/* ---- ninuki's double three ---- */

static const struct {
    const char *why, *rows;
    Place place;
    int threes;     /* free threes, in all directions together */
    bool forbidden; /* for the side of the X stones */
} THREES[] = {
    {"three", "X*X", MID, 1, false},
    {"new stone at the end", "*XX", MID, 1, false},
    {"gap, new stone alone", "*.XX", MID, 1, false},
    {"gap, new stone in the pair", "*X.X", MID, 1, false},
    {"gap, new stone at the pair's end", "X*.X", MID, 1, false},
    {"two", "*X", MID, 0, false},
    {"four", "XX*X", MID, 0, false},
    {"four with a gap", "X*X.X", MID, 0, false},
    {"four with a gap, new stone alone", "*.XXX", MID, 0, false},
    {"gaps on both sides", "X.*.X", MID, 0, false},
    {"gaps on both sides, four stones", "X.*X.X", MID, 0, false},
    {"gap of two", "X*..X", MID, 0, false},
    {"a second gap on one side", "X.X.X*", MID, 1, false},
    {"a stone beyond the empty end", "X*X..X", MID, 1, false},
    {"closed", "OX*X", MID, 0, false},
    {"closed by nobody's stone", "#X*X", MID, 0, false},
    {"gapped and closed", "X*.XO", MID, 0, false},
    {"gap filled by the opponent", "X*OX", MID, 0, false},
    {"closed further off on both sides", "O.X*X.O", MID, 1, false},
    {"closed by the edge", "X*X", {9, 0, 4}, 0, false},
    {"gapped, closed by the edge", "*.XX", {9, 5, 4}, 0, false},
    {"one square from the edge", ".X*X", {9, 0, 4}, 1, false},
    {"one square on either side", ".X*X.", {5, 0, 0}, 1, false},
    {"cross", ".X/X*X/.X", MID, 2, true},
    {"diagonals", "X.X/.*/X.X", MID, 2, true},
    {"three threes", "XX/X*X/.XX", MID, 3, true},
    {"both gapped", "*X.X//X/X", MID, 2, true},
    {"in the corner", "/.*XX/.X/.X", {9, 0, 0}, 2, true},
    {"against the edge", "*XX/X/X", {9, 0, 0}, 0, false},
    {"three and four", "...X/XXX*/...X", MID, 1, false},
    {"one free, one closed", ".X/X*.X/.O", MID, 1, false},
    {"a capture excuses", "..X/.X*X/..XO/....O/.....X", MID, 2, false},
    {"half a capture does not", "..X/.X*X/..XO/....O", MID, 2, true},
    {"moving in between does not", "X.X/O*XO/X.X", MID, 2, true},
    {"five does not", "...X.X/XXXX*/...X.X", MID, 2, true},
    {"threes that stood before", "..X/..X/..X/*/..XXX", MID, 0, false},
};

static void test_threes(void) {
    for (int i = 0; i < COUNT(THREES); i++)
        for (int view = 0; view < VIEWS; view++) {
            Scene s = draw_scene(THREES[i].place, THREES[i].rows, view);
            const Color mover = view_stone(BLACK, view);
            int threes = 0;
            for (int d = 0; d < DIRECTIONS; d++)
                threes += rules_free_three(&s.board, s.star, mover, d);
            check(threes == THREES[i].threes, "%d threes: %s, view %d", threes, THREES[i].why,
                  view);
            check(rules_double_three(&s.board, s.star, mover) == (THREES[i].threes >= 2),
                  "double three: %s, view %d", THREES[i].why, view);
            board_set_to_move(&s.board, mover);
            for (int r = 0; r < RULE_COUNT; r++)
                check(RULES[r] == RULE_RENJU ||
                          rules_forbidden(&s.board, RULES[r], s.star) ==
                              (RULES[r] == RULE_NINUKI && THREES[i].forbidden),
                      "forbidden: %s, rule %d, view %d", THREES[i].why, RULES[r], view);
        }
}

/* ---- renju's forbidden moves ---- */

static const struct {
    const char *why, *rows;
    Place place;
    Forbidden kind;
} FORBIDDEN_MOVES[] = {
    {"first stone", "*", MID, FORBIDDEN_NONE},
    {"five", "XX*XX", MID, FORBIDDEN_NONE},
    {"six", "XX*XXX", MID, FORBIDDEN_OVERLINE},
    {"six from edge to edge", "XX*XXX", {6, 0, 0}, FORBIDDEN_OVERLINE},
    {"five excuses six", "..X/..X/XX*XXX/..X/..X", MID, FORBIDDEN_NONE},
    {"two fours", "..X..X/..X.X/..XX/..*", MID, FORBIDDEN_DOUBLE_FOUR},
    {"five excuses two fours", "..X..X/..X.X/..XX/XX*XX", MID, FORBIDDEN_NONE},
    {"two closed fours", "....X/....X/....X/OXXX*", MID, FORBIDDEN_DOUBLE_FOUR},
    {"two fours in a line", "X.X*X.X", MID, FORBIDDEN_DOUBLE_FOUR},
    {"the same, new stone off the middle", "X.XX*.X", MID, FORBIDDEN_DOUBLE_FOUR},
    {"the same, new stone outside: one four", "*.XXX.X", MID, FORBIDDEN_NONE},
    {"two fours that share two", "XX.X*.XX", MID, FORBIDDEN_DOUBLE_FOUR},
    {"two fours that share one", "XXX.*.XXX", MID, FORBIDDEN_DOUBLE_FOUR},
    {"straight four is one", "XX*X", MID, FORBIDDEN_NONE},
    {"dead four", "...X/...X/...X/OXX*XO", MID, FORBIDDEN_NONE},
    {"four dead by nobody's stones", "...X/...X/...X/#XX*X#", MID, FORBIDDEN_NONE},
    {"four dead by the edge", ".X/.X/.X/X*XXO", {15, 0, 4}, FORBIDDEN_NONE},
    {"completed to six only", "....X/....X/....X/X.XX*X.X", MID, FORBIDDEN_NONE},
    {"completed to six on one side", "....X/....X/....X/X.XX*X", MID, FORBIDDEN_DOUBLE_FOUR},
    {"four and three", "...X/...X/...X/..X*X", MID, FORBIDDEN_NONE},
    {"two threes", ".X/X*X/.X", MID, FORBIDDEN_DOUBLE_THREE},
    {"two threes with gaps", "*X.X//X/X", MID, FORBIDDEN_DOUBLE_THREE},
    {"three threes", "XX/X*X/.XX", MID, FORBIDDEN_DOUBLE_THREE},
    {"closed three", "..X/OX*X/..X", MID, FORBIDDEN_NONE},
    {"closed by nobody's stone", "..X/#X*X/..X", MID, FORBIDDEN_NONE},
    {"no room for a straight four", "...X/O.X*X.O/...X", MID, FORBIDDEN_NONE},
    {"no room between nobody's stones", "...X/#.X*X.#/...X", MID, FORBIDDEN_NONE},
    {"just room", "...X/O.X*X..O/...X", MID, FORBIDDEN_DOUBLE_THREE},
    {"room on the far side only", ".....X/O..XX*.O/.....X", MID, FORBIDDEN_DOUBLE_THREE},
    {"just room at the edge", "..X/.X*X..O/..X", {15, 0, 4}, FORBIDDEN_DOUBLE_THREE},
    {"at the edge", ".X/X*X/.X", {15, 0, 4}, FORBIDDEN_NONE},
    {"ends that would make six", "....X/X..X*X..X/....X", MID, FORBIDDEN_NONE},
    {"one end that would", "....X/X..X*X/....X", MID, FORBIDDEN_DOUBLE_THREE},
    /* From here on the row is a three only if the square two steps to the right is allowed. */
    {"allowed though a three", "...../.....X/...X.X/O.X*X../...X", MID, FORBIDDEN_DOUBLE_THREE},
    {"there a double four", ".....X/.....X/...X.X/O.X*X../...X", MID, FORBIDDEN_NONE},
    {"there a five", ".....X/.....X/...X.X/O.X*X../...X.X", MID, FORBIDDEN_NONE},
    {"there an overline", ".....X/.....X/...X.X/O.X*X../...X.X/.....X", MID, FORBIDDEN_NONE},
    {"there a double three", "/.....X.X/...X.XX/O.X*X../...X", MID, FORBIDDEN_NONE},
    {"there a double three that is none, one square of it being an overline",
     ".........O//.....X.X/...X.XX/O.X*X../...X/....X/....X/....X/....X",
     {15, 4, 2},
     FORBIDDEN_DOUBLE_THREE},
};

static void test_forbidden(void) {
    for (int i = 0; i < COUNT(FORBIDDEN_MOVES); i++)
        for (int view = 0; view < VIEWS_PLAIN; view++) {
            Scene s = draw_scene(FORBIDDEN_MOVES[i].place, FORBIDDEN_MOVES[i].rows, view);
            const Forbidden found = rules_renju_forbidden(&s.board, s.star);
            check(found == FORBIDDEN_MOVES[i].kind, "forbidden %d: %s, view %d", found,
                  FORBIDDEN_MOVES[i].why, view);
            check(rules_forbidden(&s.board, RULE_RENJU, s.star) == (found != FORBIDDEN_NONE),
                  "forbidden: %s", FORBIDDEN_MOVES[i].why);
            board_set_to_move(&s.board, WHITE);
            check(!rules_forbidden(&s.board, RULE_RENJU, s.star), "White: %s",
                  FORBIDDEN_MOVES[i].why);
            check(!rules_forbidden(&s.board, RULE_FREESTYLE, s.star), "freestyle: %s",
                  FORBIDDEN_MOVES[i].why);
        }
}

/* ---- the traits in the public header ---- */

static void check_traits(Rule rule, unsigned public_traits, const char *name) {
    const RuleTraits *t = rules_traits(rule);
    unsigned traits = 0;
    if (t->captures) traits |= TG_TRAIT_CAPTURES;
    if (traits_laws(t) == 2) traits |= TG_TRAIT_TWO_LAWS;
    if (t->triples) traits |= TG_TRAIT_TRIPLES;
    if (t->counts_stones) traits |= TG_TRAIT_COUNTED_STONES;
    if (t->forbids[BLACK] != FORBIDS_NOTHING) traits |= TG_TRAIT_FORBIDDEN_BLACK_MOVES;
    if (t->forbids[WHITE] != FORBIDS_NOTHING) traits |= TG_TRAIT_FORBIDDEN_WHITE_MOVES;
    check(traits == public_traits, "TG_TRAITS_%s is %u, not %u", name, public_traits, traits);
}

static void test_traits(void) {
#define CHECK(name) check_traits(RULE_##name, TG_TRAITS_##name, #name);
    FOR_EACH_RULE(CHECK)
#undef CHECK
}

int main(void) {
    test_traits();
    test_wins();
    test_runs();
    test_captures();
    test_traits_go_together();
    test_threes();
    test_forbidden();
    return checks_done();
}
