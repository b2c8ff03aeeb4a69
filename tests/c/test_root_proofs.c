/* The VCT that goes on between the moves of the root: its limits, its note, announced wins. */
#include <string.h>

#include "api/engine.h"
#include "check.h"
#include "search/root_proofs.h"

enum { SEARCHED = 4000000, CALLS = 40 };

static Root root;
static SearchLimits limits;

/* An engine with a win by threes that takes some 100,000 nodes, after the first look at it and so
 * many nodes of search. */
static TgEngine *prepare(int vct_root_nodes) {
    static const TgSquare black[] = {{9, 5}, {5, 6}, {7, 6}, {9, 6}, {7, 7}, {5, 8}, {6, 9}},
                          white[] = {{8, 5}, {4, 6}, {8, 6}, {5, 7}, {6, 7}, {8, 9}};
    const TgConfig config = {.size = 15, .rule = RULE_RENJU, .threads = 1, .memory_kib = 1024};
    TgEngine *e = NULL;
    SearchResult out;
    check(tg_new(&config, &e) == TG_OK, "a new engine");
    check(tg_set_position(e, black, COUNT(black), white, COUNT(white), NULL, 0, 0, 0, TG_WHITE) ==
              TG_OK,
          "a position");
    check(tg_set_option(e, "vct_root_nodes", 1000) == TG_OK, "an option");
    limits = (SearchLimits){.hard_ms = -1, .soft_ms = -1, .nodes = 20000, .depth = 4, .lines = 1};
    e->searcher.proof = proof_new();
    e->searcher.params = e->params[engine_rule_index(e->pos.rule)];
    root = (Root){.s = &e->searcher, .limits = &limits};
    check(!root_proofs_decide(&root, &out), "a position to be searched");
    e->searcher.params.vct_root_nodes = vct_root_nodes;
    budget_start(&e->searcher.budget, &e->stop, -1, -1, -1);
    e->searcher.budget.nodes = SEARCHED;
    return e;
}

static bool again(void) {
    for (int i = 0; i < CALLS; i++)
        if (root_proofs_again(&root, 0)) return true;
    return false;
}

static void test_the_win_is_found_and_noted(void) {
    TgEngine *e = prepare(200000);
    const int64_t before = root.notes[STAGE_VCT].nodes;
    check(!root.notes[STAGE_VCT].found, "not found at first");
    check(again() && root.proved > 0, "found later");
    const StageNote *note = &root.notes[STAGE_VCT];
    check(note->ran && note->found, "the stage has it");
    check(note->nodes - before == e->searcher.budget.nodes - SEARCHED, "with all its nodes");
    tg_free(e);
}

static void test_a_longer_win_than_announced_is_not_taken(void) {
    TgEngine *e = prepare(200000);
    const Board *b = &e->pos.board;
    const Cell reply = cell_at(9, 5);
    e->searcher.proof->announced =
        (Announced){b->key ^ b->zobrist->stone[BLACK][reply] ^ b->zobrist->to_move, 6};
    check(proof_announced(e->searcher.proof, &e->pos) == 5, "a win in five is announced");
    check(!again() && !root.proved, "a longer one decides nothing");
    check(e->searcher.proof->vct.answer == VCT_WIN, "but there is one");
    tg_free(e);
}

/* The tables of known wins are emptied, so that only the root remembers the win. */
static void test_a_longer_win_is_played_if_nothing_shorter_is_found(void) {
    TgEngine *e = prepare(200000);
    Proof *f = e->searcher.proof;
    const Board *b = &e->pos.board;
    f->announced =
        (Announced){b->key ^ b->zobrist->stone[BLACK][cell_at(9, 5)] ^ b->zobrist->to_move, 6};
    check(!again() && root.longer.plies > 5, "a win in more than five");
    memset(&f->fours, 0, sizeof f->fours);
    memset(&f->threats, 0, sizeof f->threats);
    SearchResult out = {.move = root.move[1].move, .stage = STAGE_SEARCH, .line = {.score = 40}};
    root_proofs_conclude(&root, &out);
    check(out.move == cell_at(6, 8), "the move of the longer win");
    check(out.line.score == SCORE_MATE - root.longer.plies, "its score");
    check(out.stage == STAGE_VCT && f->announced.plies == root.longer.plies - 1, "announced anew");
    out.line.score = SCORE_MATE - 5;
    out.move = root.move[0].move;
    root_proofs_conclude(&root, &out);
    check(out.line.score == SCORE_MATE - 5, "a shorter win stays");
    tg_free(e);
}

static KeptProofs kept;

static void test_a_longer_kept_win_is_not_lost(void) {
    TgEngine *e = prepare(0);
    const Board *b = &e->pos.board;
    const Cell move = cell_at(6, 8);
    SearchResult out = {.move = NO_CELL};
    kept_proofs_note(&kept, &e->pos, SCORE_MATE - 21, &move, 1);
    e->searcher.proof->announced =
        (Announced){b->key ^ b->zobrist->stone[BLACK][cell_at(9, 5)] ^ b->zobrist->to_move, 6};
    root = (Root){.s = &e->searcher, .limits = &limits, .kept = &kept};
    check(!root_proofs_decide(&root, &out), "the search looks for the announced win first");
    out = (SearchResult){.move = root.move[1].move, .stage = STAGE_SEARCH, .line = {.score = 40}};
    root_proofs_conclude(&root, &out);
    check(out.move == move && out.line.score == SCORE_MATE - 21, "and the kept win is played");
    limits.lines = 2;
    root = (Root){.s = &e->searcher, .limits = &limits, .kept = &kept};
    check(!root_proofs_decide(&root, &out), "several lines are searched");
    check(root.move[0].move == move && root.move[0].floor == SCORE_MATE - 21,
          "a line counts as won, whatever was announced");
    tg_free(e);
}

/* The announced win may begin with one of the moves that are left out. */
static void test_the_announced_win_is_no_score_of_a_move_that_was_chosen(void) {
    TgEngine *e = prepare(0);
    Proof *f = e->searcher.proof;
    const Board *b = &e->pos.board;
    f->announced =
        (Announced){b->key ^ b->zobrist->stone[BLACK][cell_at(9, 5)] ^ b->zobrist->to_move, 6};
    memset(&f->fours, 0, sizeof f->fours);
    memset(&f->threats, 0, sizeof f->threats);
    root.count = 1;
    const SearchResult searched = {
        .move = root.move[0].move, .stage = STAGE_SEARCH, .line = {.score = 40}};
    SearchResult out = searched;
    root.hidden = 1;
    root_proofs_conclude(&root, &out);
    check(out.line.score == 40, "the level hides a move");
    root.hidden = 0;
    bb_add(&limits.excluded, cell_at(0, 0));
    root_proofs_conclude(&root, &out);
    check(out.line.score == 40, "the caller excludes a move");
    limits.excluded = (Bitboard){{0}};
    root_proofs_conclude(&root, &out);
    check(out.line.score == SCORE_MATE - 5, "the one legal move keeps the win");
    tg_free(e);
}

static void test_the_option_limits_each_call(void) {
    TgEngine *e = prepare(1000);
    root_proofs_again(&root, 0);
    const int64_t nodes = e->searcher.proof->vct.nodes;
    check(nodes > 0 && nodes < 2000, "%lld nodes", (long long)nodes);
    tg_free(e);
    e = prepare(0);
    check(!again() && e->searcher.budget.nodes == SEARCHED, "none at all");
    tg_free(e);
}

int main(void) {
    test_the_option_limits_each_call();
    test_the_announced_win_is_no_score_of_a_move_that_was_chosen();
    if (ASSERTS) return checks_done(); /* most of the others search for a long win */
    test_the_win_is_found_and_noted();
    test_a_longer_win_than_announced_is_not_taken();
    test_a_longer_win_is_played_if_nothing_shorter_is_found();
    test_a_longer_kept_win_is_not_lost();
    return checks_done();
}
