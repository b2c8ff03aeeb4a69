/* States of games: wins, pending fives, draws, set-up positions, and counts of games. check.h
 * explains the drawings.
 */
#include "check.h"
#include "include/tengen.h"
#include "rules/rules.h"
#include "rules/traits.h"

_Static_assert((int)GAME_ONGOING == (int)TG_ONGOING && (int)GAME_PENDING == (int)TG_PENDING &&
                   (int)GAME_WIN == (int)TG_WIN && (int)GAME_DRAW == (int)TG_DRAW,
               "GameStatus has the public numbers");
_Static_assert((int)REASON_NONE == (int)TG_REASON_NONE && (int)REASON_FIVE == (int)TG_REASON_FIVE &&
                   (int)REASON_CAPTURES == (int)TG_REASON_CAPTURES &&
                   (int)REASON_FIVE_NOT_BROKEN == (int)TG_REASON_FIVE_NOT_BROKEN &&
                   (int)REASON_BOARD_FULL == (int)TG_REASON_BOARD_FULL &&
                   (int)REASON_NO_LEGAL_MOVE == (int)TG_REASON_NO_LEGAL_MOVE,
               "Reason has the public numbers");

typedef struct {
    const char *why, *rows;
    Place place;
    int black_pairs, white_pairs;
    GameStatus status;
    Stone winner;
    Reason reason;
} Case;

#define ONGOING GAME_ONGOING, EMPTY, REASON_NONE
#define PENDING GAME_PENDING, EMPTY, REASON_NONE
#define FIVE_BY(colour) GAME_WIN, colour, REASON_FIVE
#define PAIRS_BY(colour) GAME_WIN, colour, REASON_CAPTURES
#define STANDS_FOR(colour) GAME_WIN, colour, REASON_FIVE_NOT_BROKEN
#define FULL_BOARD GAME_DRAW, EMPTY, REASON_BOARD_FULL
#define NO_MOVE GAME_DRAW, EMPTY, REASON_NO_LEGAL_MOVE

static Scene draw_case(const Case *k, int view) {
    Scene s = draw_scene(k->place, k->rows, view);
    board_set_captures(&s.board, view_stone(BLACK, view), k->black_pairs);
    board_set_captures(&s.board, view_stone(WHITE, view), k->white_pairs);
    return s;
}

static void check_verdict(const Case *k, int view, Verdict v) {
    check(v.status == k->status && v.winner == view_stone(k->winner, view) && v.reason == k->reason,
          "%s, view %d: status %d, winner %d, reason %d", k->why, view, v.status, v.winner,
          v.reason);
}

/* ---- ninuki, after the marked stone ---- */

static const Case NINUKI[] = {
    {"nothing", "XXXx", MID, 0, 0, ONGOING},
    {"five", "XXxXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"breakable", "..O/..X/XXxXX", MID, 0, 0, PENDING},
    {"breakable on a diagonal", "..O/...X/XXxXX", MID, 0, 0, PENDING},
    {"bracket taken by nobody's stone", "..O/..X/XXxXX/..#", MID, 0, 0, FIVE_BY(BLACK)},
    {"bracket taken by an own stone", "..O/..X/XXxXX/..X", MID, 0, 0, FIVE_BY(BLACK)},
    {"three in a row below", "..O/..X/..X/XXxXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"a single stone", "..O/XXxXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"on the edge", "..O/..X/XXxXX", {9, 2, 6}, 0, 0, FIVE_BY(BLACK)},
    {"capture elsewhere", "XXxXX//.OXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"capture elsewhere with four pairs taken", "XXxXX//.OXX", MID, 0, 4, FIVE_BY(BLACK)},
    {"six, broken in the middle", "..O/..X/XXxXXX", MID, 0, 0, PENDING},
    {"six, five of it left", "O/X/XXxXXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"two fives, one breakable", "..X/..X/..X/O.X/X.X/XXxXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"two fives, one pair breaks both", "..X/..X/..X/.OX/XXxXX/...X", MID, 0, 0, PENDING},
    {"two fives, one move takes a pair of each", "..O/XXxXX/..X//..X/XXXXX/..O", MID, 0, 0,
     PENDING},
    {"two fives, two moves needed", "..O/XXxXX/..X////..X/XXXXX/..O", MID, 0, 0, FIVE_BY(BLACK)},
    {"the breaking move makes a double three", "..O/..X/XXxXX/.O.O/..O/..O", MID, 0, 0, PENDING},
    {"older five of the mover", "XXXXX//...x", MID, 0, 0, FIVE_BY(BLACK)},
    {"older five of the mover, breakable", "..O/..X/XXXXX//...x", MID, 0, 0, PENDING},
    {"an older five that cannot be broken", "..O/..X/XXxXX////XXXXX", MID, 0, 0, FIVE_BY(BLACK)},
    {"fifth pair", "x", MID, 5, 0, PAIRS_BY(BLACK)},
    {"sixth pair", "x", MID, 6, 4, PAIRS_BY(BLACK)},
    {"four pairs each", "x", MID, 4, 4, ONGOING},
    {"fifth pair and a breakable five", "..O/..X/XXxXX", MID, 5, 0, PAIRS_BY(BLACK)},
    {"fifth pair in reply, five stands", "XXXXX//..o", MID, 0, 5, PAIRS_BY(WHITE)},
    {"reply elsewhere", "..O/..X/XXXXX//o", MID, 0, 0, STANDS_FOR(BLACK)},
    {"reply elsewhere, six stand", "XXXXXX//o", MID, 0, 0, STANDS_FOR(BLACK)},
    {"reply makes five, five stands", "..O/..X/XXXXX//OOoOO", MID, 0, 0, STANDS_FOR(BLACK)},
    {"reply breaks", "..O/../XX.XX/..o", MID, 0, 1, ONGOING},
    {"reply breaks and makes five", "..O/../XX.XX/OOoOO", MID, 0, 1, FIVE_BY(WHITE)},
    {"reply breaks, its five is breakable", "..O/../XX.XX/OOoOO/O", MID, 0, 1, PENDING},
    {"five fills the board", "XXxXX/#####/#####/#####/#####", {5, 0, 0}, 0, 0, FIVE_BY(BLACK)},
    {"full", "XXxX#/#####/#####/#####/#####", {5, 0, 0}, 0, 0, FULL_BOARD},
    {"one square left", "XXxX./#####/#####/#####/#####", {5, 0, 0}, 0, 0, ONGOING},
};

static void test_ninuki(void) {
    for (int i = 0; i < COUNT(NINUKI); i++)
        for (int view = 0; view < VIEWS; view++) {
            Scene s = draw_case(&NINUKI[i], view);
            board_set_to_move(&s.board, other((Color)s.board.stone[s.star]));
            check_verdict(&NINUKI[i], view, rules_judge(&s.board, RULE_NINUKI, s.star));
        }
}

/* ---- ninuki, set up from outside; the side of the O stones is to move ---- */

static const Case SETUPS[] = {
    {"empty board", "", MID, 0, 0, ONGOING},
    {"five that can be broken", "..O/..X/XXXXX", MID, 0, 0, PENDING},
    {"five that cannot", "XXXXX", MID, 0, 0, PENDING},
    {"fives of both", "XXXXX/OOOOO", MID, 0, 0, PENDING},
    {"five of the side to move", "OOOOO", MID, 0, 0, ONGOING},
    {"six of the side to move", "OOOOOO", MID, 0, 0, ONGOING},
    {"five pairs", "X", MID, 5, 0, PAIRS_BY(BLACK)},
    {"five pairs of the side to move", "XXXXX", MID, 0, 5, PAIRS_BY(WHITE)},
    {"more than five", "X", MID, 7, 4, PAIRS_BY(BLACK)},
    {"four pairs", "X", MID, 4, 4, ONGOING},
    {"full", "XXOX#/#####/#####/#####/#####", {5, 0, 0}, 0, 0, FULL_BOARD},
};

static void test_setups(void) {
    for (int i = 0; i < COUNT(SETUPS); i++)
        for (int view = 0; view < VIEWS; view++) {
            Scene s = draw_case(&SETUPS[i], view);
            board_set_to_move(&s.board, view_stone(WHITE, view));
            check_verdict(&SETUPS[i], view, rules_judge_setup(&s.board, RULE_NINUKI));
            for (int r = 0; r < RULE_COUNT; r++) {
                const Verdict v = rules_judge_setup(&s.board, RULES[r]);
                const bool full = s.board.empty_count == 0;
                check(rules_traits(RULES[r])->captures ||
                          v.status == (full ? GAME_DRAW : GAME_ONGOING),
                      "%s, rule %d: nothing is decided", SETUPS[i].why, RULES[r]);
            }
        }
}

static void test_can_break(void) {
    Scene s = draw_scene((Place)MID, "..O/..X/XXXXX", 0);
    check(rules_can_break(&s.board, RULE_NINUKI, WHITE) &&
              !rules_can_break(&s.board, RULE_NINUKI, BLACK),
          "can break");
    s = draw_scene((Place)MID, "XXXXX//.OXX", 0);
    check(!rules_can_break(&s.board, RULE_NINUKI, WHITE), "a capture that breaks nothing");
}

/* ---- draws under the other rules ---- */

static const Case RENJU[] = {
    {"white stone, nothing", "o", MID, 0, 0, ONGOING},
    {"the last square is forbidden",
     "XXX*XX/o#####/######/######/######/######",
     {6, 0, 0},
     0,
     0,
     NO_MOVE},
    {"the last square is a five",
     "XX*XX#/o#####/######/######/######/######",
     {6, 0, 0},
     0,
     0,
     ONGOING},
    {"two squares, one forbidden",
     "XXX*XX/o####./######/######/######/######",
     {6, 0, 0},
     0,
     0,
     ONGOING},
    {"full", "XXXOXX/o#####/######/######/######/######", {6, 0, 0}, 0, 0, FULL_BOARD},
    {"won on the last square",
     "OOoOO#/######/######/######/######/######",
     {6, 0, 0},
     0,
     0,
     FIVE_BY(WHITE)},
};

static void test_renju(void) {
    for (int i = 0; i < COUNT(RENJU); i++)
        for (int view = 0; view < VIEWS_PLAIN; view++) {
            Scene s = draw_case(&RENJU[i], view);
            for (Cell c = 0; c < CELLS; c++) /* the drawing marks two squares: take the stone */
                if (s.board.stone[c] == WHITE) s.star = c;
            check_verdict(&RENJU[i], view, rules_judge(&s.board, RULE_RENJU, s.star));
            if (RENJU[i].status == GAME_WIN) continue;
            check_verdict(&RENJU[i], view, rules_judge_setup(&s.board, RULE_RENJU));
            if (RENJU[i].status != GAME_DRAW || s.board.empty_count == 0) continue;
            check(rules_judge(&s.board, RULE_STANDARD, s.star).status == GAME_ONGOING,
                  "%s: no other rule forbids it", RENJU[i].why);
            board_set_to_move(&s.board, WHITE);
            check(rules_judge_setup(&s.board, RULE_RENJU).status == GAME_ONGOING,
                  "%s: White may play there", RENJU[i].why);
        }
}

/* ---- games counted out, like a chess engine's perft ---- */

/* Captures during a game. */
static int play(Board *b, Rule rule, Cell c) {
    const Color mover = b->to_move;
    Cell captured[MAX_CAPTURED];
    const int n = rules_traits(rule)->captures ? rules_captures(b, rule, c, mover, captured) : 0;
    for (int i = 0; i < n; i++) board_remove(b, captured[i]);
    board_put(b, c, mover);
    board_set_captures(b, mover, b->captures[mover] + traits_count(rules_traits(rule), n));
    board_set_to_move(b, other(mover));
    return n;
}

typedef struct {
    long sequences, wins, pending, captured;
    long forbidden[4]; /* by Forbidden; ninuki's under FORBIDDEN_DOUBLE_THREE */
} Tally;

static void count_games(const Board *b, Rule rule, int depth, Tally *t) {
    BB_FOR_EACH(c, &b->empty) {
        if (rules_forbidden(b, rule, c)) {
            t->forbidden[rule == RULE_RENJU ? rules_renju_forbidden(b, c)
                                            : FORBIDDEN_DOUBLE_THREE]++;
            continue;
        }
        Board next = *b;
        t->captured += play(&next, rule, c);
        const Verdict v = rules_judge(&next, rule, c);
        t->wins += v.status == GAME_WIN;
        t->pending += v.status == GAME_PENDING;
        if (v.status == GAME_WIN || v.status == GAME_DRAW || depth == 1)
            t->sequences++;
        else
            count_games(&next, rule, depth - 1, t);
    }
}

/* Crowded boards, Black to move; a second program counted the numbers. */
#define BANS_8 "..OO.X.O/...XXO../..X.XOOO/XX...OO./.X..XXOX/..XXX.XX/..X.OX../.X.OX.#X"
#define FIVES_8 "OXX.XXO./.XX.XXX./O.OXXX.O/X......X/.OO.OO.X/X.XXOX.O/O..OO.O./.XO.XX.O"
#define PAIRS_8 "...XXOXO/..OO..XX/.OX.OOXX/.OX...X./.X..X.O./.X.XX.../X..X...O/..#.OO.#"
#define MIXED_6 "X..X.O/.XXO../OX..XX/..OXO./X.O.OX/O.XX#."

static const struct {
    const char *rows;
    int size, depth;
    Rule rule;
    Tally tally;
} COUNTS[] = {
    {FIVES_8, 8, 2, RULE_FREESTYLE, {554, 46, 0, 0, {0, 0, 0, 0}}},
    {FIVES_8, 8, 2, RULE_STANDARD, {577, 24, 0, 0, {0, 0, 0, 0}}},
    {FIVES_8, 8, 2, RULE_RENJU, {553, 45, 0, 0, {0, 1, 0, 0}}},
    {FIVES_8, 8, 2, RULE_CARO, {577, 47, 0, 0, {0, 0, 0, 0}}},
    {FIVES_8, 8, 2, RULE_CARO_STANDARD, {600, 24, 0, 0, {0, 0, 0, 0}}},
    {FIVES_8, 8, 2, RULE_NINUKI, {577, 62, 7, 192, {0, 0, 0, 0}}},
    {BANS_8, 8, 2, RULE_STANDARD, {814, 2, 0, 0, {0, 0, 0, 0}}},
    {BANS_8, 8, 2, RULE_RENJU, {669, 2, 0, 0, {0, 1, 3, 1}}},
    {BANS_8, 8, 2, RULE_NINUKI, {843, 80, 3, 248, {0, 0, 0, 1}}},
    {PAIRS_8, 8, 2, RULE_RENJU, {930, 2, 0, 0, {0, 0, 0, 2}}},
    {PAIRS_8, 8, 2, RULE_NINUKI, {998, 61, 2, 250, {0, 0, 0, 2}}},
    {MIXED_6, 6, 3, RULE_RENJU, {2730, 26, 0, 0, {0, 0, 0, 0}}},
    {MIXED_6, 6, 3, RULE_NINUKI, {2854, 0, 25, 568, {0, 0, 0, 0}}},
};

static void test_counts(void) {
    for (int i = 0; i < COUNT(COUNTS); i++)
        for (int view = 0; view < VIEWS; view++) {
            if (COUNTS[i].rule == RULE_RENJU && view == VIEWS_PLAIN) break;
            Scene s = draw_scene((Place){COUNTS[i].size, 0, 0}, COUNTS[i].rows, view);
            board_set_to_move(&s.board, view_stone(BLACK, view));
            const Tally *want = &COUNTS[i].tally;
            Tally t = {0};
            count_games(&s.board, COUNTS[i].rule, COUNTS[i].depth, &t);
            bool good = t.sequences == want->sequences && t.wins == want->wins &&
                        t.pending == want->pending && t.captured == want->captured;
            for (int k = FORBIDDEN_NONE; k <= FORBIDDEN_DOUBLE_THREE; k++)
                good = good && t.forbidden[k] == want->forbidden[k];
            check(good,
                  "%s, rule %d, depth %d, view %d: %ld sequences, %ld wins, %ld pending, %ld "
                  "captured, forbidden %ld %ld %ld",
                  COUNTS[i].rows, COUNTS[i].rule, COUNTS[i].depth, view, t.sequences, t.wins,
                  t.pending, t.captured, t.forbidden[1], t.forbidden[2], t.forbidden[3]);
        }
}

int main(void) {
    test_ninuki();
    test_setups();
    test_can_break();
    test_renju();
    test_counts();
    return checks_done();
}
