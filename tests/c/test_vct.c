/* The VCT from call to call: what a search keeps when its nodes run out, and what a walk through a
 * win does when the table has lost it or is wrong.
 */
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "eval/evaluate.h"
#include "search/proof.h"
#include "search/vct_moves.h"
#include "search/vct_table.h"

enum { ENOUGH = 2000000, FEW = 5000 };

/* The side to move, and a drawing. */
typedef struct {
    Rule rule;
    Color to_move;
    int size;
    const char *stones;
} Quiz;

/* A win that takes some 200,000 nodes: fours and threes alone fail. */
static const Quiz WIN = {RULE_RENJU, WHITE, 15,
                         ".............../"
                         ".............../"
                         ".............../"
                         ".............../"
                         ".............../"
                         "........OX...../"
                         "....OX.XOX...../"
                         ".....OOX......./"
                         ".....X........./"
                         "......X.O....../"
                         ".............../"
                         ".............../"
                         ".............../"
                         ".............../"
                         ".............../"};

/* Threes, and no win. */
static const Quiz NONE = {RULE_STANDARD, WHITE, 15,
                          ".............../"
                          ".............../"
                          ".............../"
                          "......X......../"
                          ".....XXX......./"
                          "......OOXX...../"
                          "......X.OO...../"
                          ".........O...../"
                          "..........O..../"
                          ".........O.X.../"
                          ".............../"
                          ".............../"
                          ".............../"
                          ".............../"
                          ".............../"};

/* A five can be made, and the game then ends at once. */
static const Quiz FIVE_TO_MAKE = {RULE_PENTE, BLACK, 7,
                                  "......./"
                                  ".XXXX../"
                                  "......./"
                                  "...OO../"
                                  "......./"
                                  "O.....O/"
                                  "......./"};

/* White answers a three that makes an open four on one side only. */
static const Quiz THREE_TO_STOP = {RULE_STANDARD, WHITE, 15,
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".....OO......../"
                                   "......O......../"
                                   "...O.XXX......./"
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".............../"
                                   ".............../"};

/* Black has fours in the upper row, which White has closed, and threes with the two below. */
static const Quiz FOURS_AND_THREES = {RULE_STANDARD, BLACK, 15,
                                      ".............../"
                                      ".............../"
                                      "..OXXX........./"
                                      ".............../"
                                      ".............../"
                                      ".............../"
                                      ".............../"
                                      ".............../"
                                      ".............../"
                                      "........XX...../"
                                      ".............../"
                                      ".............../"
                                      "...........O.O./"
                                      ".............../"
                                      ".............O./"};

static Position pos;
static Proof *proof;
static atomic_bool stop_flag;

static void set_up(const Quiz *s) {
    const int no_pairs[COLORS] = {0, 0};
    position_init(&pos, s->rule, &eval_table(s->rule)->pattern, s->size);
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            const char drawn = s->stones[y * (s->size + 1) + x];
            if (drawn != '.') position_put(&pos, cell_at(x, y), drawn == 'X' ? BLACK : WHITE);
        }
    position_ready(&pos, no_pairs, s->to_move);
    proof_clear(proof);
}

static Budget budget; /* the search keeps its address */

static int search(int64_t max_nodes) {
    budget_start(&budget, &stop_flag, -1, -1, -1);
    return proof_vct(proof, eval_table(pos.rule), &pos, &budget, max_nodes);
}

static VctEntry *root_entry(void) {
    for (int i = 0; i < VCT_SLOTS; i++)
        if (proof->vct.entry[i].key == pos.board.key && proof->vct.entry[i].age)
            return &proof->vct.entry[i];
    return NULL;
}

/* one: the nodes of a single call that finds the win. */
static void test_small_calls_lose_little(int64_t one) {
    set_up(&WIN);
    int64_t many = 0;
    int calls = 0;
    for (bool found = false; !found && many < ENOUGH; calls++) {
        found = search(FEW) > 0;
        many += proof->vct.nodes;
    }
    check(calls > 4, "the win takes several small calls, not %d", calls);
    check(many < one + one / 2, "small calls take %lld nodes, one takes %lld", (long long)many,
          (long long)one);
}

static void test_a_cut_keeps_the_numbers_of_the_path(void) {
    set_up(&WIN);
    check(!search(FEW), "the win takes more nodes");
    const VctEntry *root = vct_find(&proof->vct, pos.board.key);
    check(root && root->proof > 1 && root->proof < VCT_ENDLESS, "the root has its numbers");
}

static void test_no_win_is_kept(void) {
    set_up(&NONE);
    check(!search(ENOUGH) && proof->vct.answer == VCT_NO_WIN, "no win is proved");
    check(proof->vct.nodes > FEW / 10, "the proof takes some nodes");
    check(!search(ENOUGH) && proof->vct.answer == VCT_NO_WIN, "a second call says the same");
    check(proof->vct.nodes == 0, "... at once, not after %lld nodes", (long long)proof->vct.nodes);
}

static void test_the_end_of_the_game_is_no_answer_for_another_position(void) {
    set_up(&FIVE_TO_MAKE);
    check(!search(1) && proof->vct.answer == VCT_NOT_FOUND, "one node is too few");
    position_make(&pos, cell_at(5, 1));
    check(pos.state == STATE_MOVER_WON, "the five ends the game");
    check(!search(ENOUGH) && proof->vct.answer == VCT_NO_WIN, "nobody wins after the end");
    position_unmake(&pos);
    check(search(ENOUGH) == 1, "the five is found when it is taken back");
}

static void test_a_wrong_proof_is_dropped(void) {
    set_up(&NONE);
    check(!search(FEW / 100) && proof->vct.answer == VCT_NOT_FOUND, "not settled yet");
    VctEntry *root = root_entry();
    check(root != NULL, "the root is in the table");
    if (!root) return;
    root->proof = 0;
    root->disproof = VCT_ENDLESS;
    check(!search(ENOUGH), "a win that does not hold is not claimed");
    check(proof->vct.answer == VCT_NO_WIN, "... and the search goes on to the true answer");
}

/* --- a solved position: the table has the win, and its length is `plies` ---------------------- */

static void test_a_proof_that_is_read_stays(int plies) {
    check(search(FEW) == plies, "a second call finds the win again");
    const VctEntry *root = root_entry();
    check(root && root->age == proof->vct.age, "its entry counts as new");
    check(root && root->work > 0, "its entry has the nodes that it took");
}

static void test_the_wins_get_what_the_table_has(int plies) {
    memset(&proof->threats, 0, sizeof proof->threats);
    check(search(FEW) == plies, "the table has the win");
    const Win *known = wins_find(&proof->threats, pos.board.key);
    check(known && known->plies == plies, "the wins have it, too");
}

/* The table keeps the root of the win alone. */
static void test_the_line_keeps_the_limit(int plies) {
    VctEntry root = {.key = 0}, *at = root_entry();
    if (at) root = *at;
    memset(proof->vct.entry, 0, sizeof proof->vct.entry);
    memset(proof->no_win, 0, sizeof proof->no_win);
    if (at) *at = root;
    check(search(FEW) == plies, "the root has the win");
    check(proof->vct.length > 0, "its line has a move");
    check(proof->vct.nodes <= 2 * FEW, "the line took %lld nodes", (long long)proof->vct.nodes);
}

static void test_a_solved_position(void) {
    set_up(&WIN);
    const int plies = search(ENOUGH);
    const int64_t nodes = proof->vct.nodes;
    check(plies > 0, "one call finds the win");
    test_a_proof_that_is_read_stays(plies);
    test_the_wins_get_what_the_table_has(plies);
    test_the_line_keeps_the_limit(plies);
    test_small_calls_lose_little(nodes);
}

/* The first guesses of the attacker's moves at the root. */
static const VctFrame *guesses(const EvalTable *eval) {
    Vct *v = &proof->vct;
    v->pos = &pos;
    v->eval = eval;
    check(vct_attacker_moves(v, &v->frame[0]) == VCT_OPEN, "the attacker has moves");
    return &v->frame[0];
}

/* Of two threes the one with the better score is tried first. */
static void test_the_attacker_begins_with_good_moves(void) {
    set_up(&WIN);
    const EvalTable *eval = eval_table(pos.rule);
    const MoveScores scores = eval_moves(eval, &pos, NULL);
    const VctFrame *f = guesses(NULL);
    for (int i = 1; i < f->count; i++)
        check(f->cost[i] == f->cost[0], "without scores all threes are alike");
    f = guesses(eval);
    int apart = 0;
    for (int i = 0; i < f->count; i++)
        for (int j = 0; j < f->count; j++) {
            if (eval_move(&scores, f->move[i]) <= eval_move(&scores, f->move[j])) continue;
            check(f->cost[i] <= f->cost[j], "the better move costs no more");
            apart += f->cost[i] < f->cost[j];
        }
    check(f->count > 1 && apart > 0, "%d moves, %d pairs apart", f->count, apart);
}

/* The best reply is the first to be tried, and a reply that scores far less is tried later. */
static void test_the_defender_begins_with_good_replies(void) {
    set_up(&THREE_TO_STOP);
    const EvalTable *eval = eval_table(pos.rule);
    Vct *v = &proof->vct;
    VctFrame *f = &v->frame[1];
    check(!search(1), "one node finds nothing");
    v->max_nodes = ENOUGH;
    v->cut = false;
    v->ply = 1;
    check(vct_defender_moves(v, f) == VCT_OPEN && f->count > 1, "there are %d replies", f->count);
    v->ply = 0;
    const MoveScores scores = eval_moves(eval, &pos, NULL);
    int best = 0, apart = 0;
    for (int i = 1; i < f->count; i++)
        if (eval_move(&scores, f->move[i]) > eval_move(&scores, f->move[best])) best = i;
    check(f->cost[best] == 1, "the best reply costs 1, not %d", f->cost[best]);
    for (int i = 0; i < f->count; i++) apart += f->cost[i] > 1;
    check(apart > 0, "no reply costs more than the best");
}

/* A position that is worse than the root is a costlier guess, by the same for each of its moves. */
static void test_a_spent_attack_costs_more(void) {
    set_up(&WIN);
    Vct *v = &proof->vct;
    const EvalTable *eval = eval_table(pos.rule);
    v->standing = eval_without_network(eval, &pos);
    const VctFrame before = *guesses(eval);
    v->standing += 500;
    const VctFrame *after = guesses(eval);
    for (int i = 0; i < after->count; i++)
        check(after->cost[i] == before.cost[i] + 5, "500 points worse cost 5 more");
    v->standing = INT32_MAX / 2;
    const int most = guesses(eval)->cost[0] - before.cost[0];
    check(most > 5 && most < 100, "the guess is limited: %d more", most);
}

/* A lone four costs a step more than a lone three, for good. */
static void test_a_lone_four_has_the_longest_step(void) {
    set_up(&FOURS_AND_THREES);
    const VctFrame *f = guesses(eval_table(pos.rule));
    const Color us = position_to_move(&pos);
    int fours = 0, threes = 0;
    for (int i = 0; i < f->count; i++) {
        const SquareClass kind = pattern_class(&pos.pattern, us, f->move[i]);
        fours += kind == SQUARE_FOUR;
        threes += kind == SQUARE_THREE;
        if (kind == SQUARE_FOUR) check(f->step[i] == 2, "a four's step: %d", f->step[i]);
        if (kind == SQUARE_THREE) check(f->step[i] == 1, "a three's step: %d", f->step[i]);
    }
    check(fours > 0 && threes > 0, "%d fours and %d threes", fours, threes);
}

/* After a move in the upper row, those of the lower group are distant. The root has no last move.
 */
static void test_moves_on_other_lines_are_distant(void) {
    set_up(&FOURS_AND_THREES);
    const VctFrame *f = guesses(eval_table(pos.rule));
    for (int i = 0; i < f->count; i++) check(!f->distant[i], "the root has no last move");
    Vct *v = &proof->vct;
    vct_make(v, cell_at(6, 2));
    vct_make(v, cell_at(7, 2));
    f = guesses(eval_table(pos.rule));
    int near = 0, distant = 0;
    for (int i = 0; i < f->count; i++) {
        const bool lower = cell_y(f->move[i]) > 6;
        check(f->distant[i] == lower, "%d,%d", cell_x(f->move[i]), cell_y(f->move[i]));
        near += !lower;
        distant += lower;
    }
    check(distant > 0, "%d moves near the last one, %d distant", near, distant);
    vct_unmake(v);
    vct_unmake(v);
}

int main(void) {
    proof = proof_new();
    if (!proof) return 1;
    if (!ASSERTS) test_a_solved_position(); /* two long searches */
    test_the_attacker_begins_with_good_moves();
    test_the_defender_begins_with_good_replies();
    test_a_spent_attack_costs_more();
    test_a_lone_four_has_the_longest_step();
    test_moves_on_other_lines_are_distant();
    test_a_cut_keeps_the_numbers_of_the_path();
    if (!ASSERTS) test_no_win_is_kept(); /* a long proof */
    test_the_end_of_the_game_is_no_answer_for_another_position();
    test_a_wrong_proof_is_dropped();
    proof_free(proof);
    return checks_done();
}
