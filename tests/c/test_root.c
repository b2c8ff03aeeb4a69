/* The root: its state after a search that ends between two windows, and the nodes of its moves.
 */
#define iterative_deepen deepen_of_this_file
#include "search/iterative.c"
#undef iterative_deepen

#include "quiet_engine.h"
#include "search/root_proofs.h"

enum { DEPTH = 12, LOW = 400, LOOKS = ASSERTS ? 12 : 100 };

/* A root with listed moves, the given nodes left, and empty tables. */
static void prepare(TgEngine *e, Root *r, int64_t nodes) {
    static SearchLimits limits;
    SearchResult out;
    limits = (SearchLimits){.hard_ms = -1, .soft_ms = -1, .nodes = -1, .depth = DEPTH, .lines = 1};
    *r = (Root){.s = &e->searcher, .limits = &limits};
    tt_clear(&e->table);
    worker_forget(&e->searcher);
    check(!root_proofs_decide(r, &out), "a position to be searched");
    budget_start(&e->searcher.budget, &e->stop, -1, -1, nodes);
    worker_start(&e->searcher);
}

/* Makes the tables. */
static int score_of(TgEngine *e) {
    const TgLimits limits = {.time_ms = -1, .soft_ms = -1, .depth = DEPTH, .lines = 1, .nodes = -1};
    TgResult found;
    tg_arm(e);
    check(tg_search(e, &limits, &found) == TG_OK && !found.line.mate, "a score to start from");
    return found.line.score;
}

static int64_t nodes_of_first_window(TgEngine *e, int alpha, int beta) {
    Root r;
    prepare(e, &r, -1);
    forget_scores(&r, 0);
    check(search_window(&r, 0, DEPTH, alpha, beta) && r.move[0].score >= beta,
          "the first window is too low for the best move");
    return e->searcher.budget.nodes;
}

/* Whenever the nodes run out after the first window, the first move is one that beat it. */
static void test_a_move_too_good_for_its_window_is_kept(void) {
    TgEngine *e = quiet_engine();
    Root r;
    const int guess = score_of(e) - LOW, width = e->searcher.params.aspiration_window;
    const int64_t first = nodes_of_first_window(e, guess - width, guess + width);
    prepare(e, &r, -1);
    check(search_line(&r, 0, DEPTH, guess), "without a limit it ends");
    const int64_t all = e->searcher.budget.nodes;
    int cut_short = 0;
    for (int64_t nodes = first + 1; nodes < all; nodes += (all - first) / LOOKS / 2) {
        prepare(e, &r, nodes);
        cut_short += !search_line(&r, 0, DEPTH, guess);
        const RootMove *m = &r.move[0];
        check(m->score >= guess + width, "%lld nodes: score %d", (long long)nodes, m->score);
        check(m->pv_count > 0 && m->pv[0] == m->move, "%lld nodes: its line", (long long)nodes);
    }
    check(cut_short > LOOKS, "only %d looks ended after the first window", cut_short);
    tg_free(e);
}

/* A guess that is too high does not change the order. */
static void test_nothing_is_kept_of_a_window_too_high(void) {
    TgEngine *e = quiet_engine();
    Root r;
    const int guess = score_of(e) + LOW, width = e->searcher.params.aspiration_window;
    prepare(e, &r, -1);
    forget_scores(&r, 0);
    check(search_window(&r, 0, DEPTH, guess - width, guess + width), "it ends");
    check(r.move[0].score <= guess - width, "the first window is too high");
    const int64_t first = e->searcher.budget.nodes;
    prepare(e, &r, first + 1);
    check(!search_line(&r, 0, DEPTH, guess), "cut short");
    check(r.move[0].score == -SCORE_INFINITE, "score %d", r.move[0].score);
    tg_free(e);
}

static void swap_moves(Root *r, int i, int j) {
    const RootMove m = r->move[i];
    r->move[i] = r->move[j];
    r->move[j] = m;
}

/* The worst move is searched first, so the next one beats it before its score is known. From then
 * on that move is first, and its line is itself. */
static void test_a_move_that_beats_the_others_is_kept(void) {
    TgEngine *e = quiet_engine();
    Root r;
    score_of(e);
    int64_t all = 0;
    int alone = 0;
    bool beaten = false;
    for (int64_t nodes = 1; !all; nodes += 1 + nodes / LOOKS) {
        prepare(e, &r, nodes);
        swap_moves(&r, 0, r.count - 1);
        swap_moves(&r, 1, r.count - 1);
        const Cell worst = r.move[0].move, second = r.move[1].move;
        forget_scores(&r, 0);
        if (search_window(&r, 0, DEPTH / 2, -SCORE_INFINITE, SCORE_INFINITE)) all = nodes;
        const RootMove *m = &r.move[0];
        check(!beaten || m->move != worst, "%lld nodes: the worst again", (long long)nodes);
        beaten |= m->score > -SCORE_INFINITE && m->move != worst;
        if (!beaten || all || m->pv_count != 1) continue;
        check(m->move == second || alone, "what comes next is the one to beat it");
        check(m->pv[0] == m->move, "its line begins with it");
        alone++;
    }
    check(alone > 0, "none was cut off between the two looks");
    tg_free(e);
}

/* Each node of the iterations belongs to a move. The effort of the best move is its share. */
static void test_the_effort_of_the_best_move(void) {
    TgEngine *e = quiet_engine();
    Root r;
    score_of(e);
    prepare(e, &r, -1);
    check(effort_of_best(&r) == EFFORT_EVEN, "no nodes: the effort is unknown");
    const SearchLine best = deepen_of_this_file(&r);
    int64_t all = 0, of_best = -1;
    for (int i = 0; i < r.count; i++) {
        all += r.move[i].nodes;
        if (r.move[i].move == best.pv[0]) of_best = r.move[i].nodes;
    }
    check(all == e->searcher.budget.nodes && all > 1000, "%lld nodes of moves, %lld in all",
          (long long)all, (long long)e->searcher.budget.nodes);
    check(of_best > 0 && of_best < all, "the best move has a part of the nodes");
    check(effort_of_best(&r) == (int)(100 * of_best / all), "effort %d", effort_of_best(&r));
    SearchLimits two = *r.limits;
    two.lines = 2;
    r.limits = &two;
    check(effort_of_best(&r) == EFFORT_EVEN, "several lines: the effort is unknown");
    two.lines = r.count = 1;
    check(effort_of_best(&r) == 100, "the only move");
    tg_free(e);
}

/* The moves of the root are in the order of the policy network, in a search for one line only. */
static void test_the_policy_network_orders_the_root(void) {
    TgEngine *e = quiet_engine();
    Root r;
    prepare(e, &r, -1);
    check(e->searcher.eval->has_policy, "a policy network");
    Cell before[MAX_SQUARES];
    for (int i = 0; i < r.count; i++) before[i] = r.move[i].move;
    SearchLimits two = *r.limits;
    const SearchLimits *one = r.limits;
    two.lines = 2;
    for (int off = 0; off < 4; off++) {
        r.limits = off == 0 ? &two : one;
        e->searcher.params.policy_root = off != 1;
        e->searcher.params.width = off == 2 ? 10 : 0;
        r.stage = off == 3 ? STAGE_BLOCK : STAGE_SEARCH;
        sort_by_policy(&r);
        for (int i = 0; i < r.count; i++)
            check(r.move[i].move == before[i], "case %d: move %d of another order", off, i);
    }
    r.stage = STAGE_SEARCH;
    sort_by_policy(&r);
    PolicyNode policy;
    eval_policy(e->searcher.eval, e->searcher.pos, &e->searcher.accumulators, &policy);
    const MoveScores scores = eval_moves(e->searcher.eval, e->searcher.pos, &policy);
    int others = 0;
    for (int i = 0; i < r.count; i++) {
        others += r.move[i].move != before[i];
        check(r.move[i].score == -SCORE_INFINITE, "no score yet");
        check(i == 0 ||
                  eval_move(&scores, r.move[i - 1].move) >= eval_move(&scores, r.move[i].move),
              "move %d has a higher score than the one before", i);
    }
    check(others > 2, "the order has changed");
    tg_free(e);
}

int main(void) {
    test_the_policy_network_orders_the_root();
    test_the_effort_of_the_best_move();
    test_a_move_that_beats_the_others_is_kept();
    test_a_move_too_good_for_its_window_is_kept();
    test_nothing_is_kept_of_a_window_too_high();
    return checks_done();
}
