/* The search below the root: damped scores, and what a cutoff by the table teaches. */
#include "search/alphabeta.h"

#include "quiet_engine.h"
#include "search/leaf.h"

enum { DEEP = 4 * PLY, FAR = 100 };

static TgEngine *new_engine(void) {
    TgEngine *e = quiet_engine();
    const TgLimits limits = {.time_ms = -1, .soft_ms = -1, .depth = 1, .lines = 1, .nodes = -1};
    TgResult found;
    tg_arm(e);
    check(tg_search(e, &limits, &found) == TG_OK, "a search makes the tables");
    tt_clear(&e->table);
    return e;
}

/* A search of the position one ply below the root, with empty histories. */
static int search(TgEngine *e, int depth, int alpha, int beta) {
    Searcher *s = &e->searcher;
    worker_forget(s);
    budget_start(&s->budget, &e->stop, -1, -1, -1);
    worker_start(s);
    return alphabeta_search(s, 1, depth, alpha, beta, true);
}

static TableEntry entry_of(TgEngine *e) {
    TableEntry entry = {.bound = BOUND_NONE};
    check(tt_probe(&e->table, e->searcher.pos->board.key, &entry), "the table has the position");
    return entry;
}

static void test_a_damped_score_stays_outside_of_the_window(void) {
    TgEngine *e = new_engine();
    Searcher *s = &e->searcher;
    s->params.damping = 1;
    for (int bound = -300; bound <= 300; bound += 7)
        for (int far = 0; far <= 900; far += 13)
            for (int part = 0; part < 12; part++) {
                const int above = leaf_damped(s, bound + far, bound, part, part + 1);
                const int below = leaf_damped(s, bound - far, bound, part, part + 1);
                check(above >= bound && above <= bound + far, "%d above %d: %d", far, bound, above);
                check(below <= bound && below >= bound - far, "%d below %d: %d", far, bound, below);
            }
    check(leaf_damped(s, 100, 40, 1, 3) == 60, "a third of the distance");
    const int win = SCORE_MATE - 7;
    check(leaf_damped(s, win, 40, 1, 2) == win && leaf_damped(s, -win, 40, 1, 2) == -win,
          "a proven score");
    check(leaf_damped(s, 100, -win, 1, 2) == 100, "a proven bound");
    s->params.damping = 0;
    check(leaf_damped(s, 100, 40, 1, 3) == 100, "switched off");
    tg_free(e);
}

/* At the horizon the score is damped; the static score in the table is not. */
static void test_the_static_score_is_kept_whole(void) {
    for (int on = 0; on < 2; on++) {
        TgEngine *e = new_engine();
        e->searcher.params.damping = on;
        worker_start(&e->searcher);
        const int eval = leaf_static_score(&e->searcher), beta = eval - FAR;
        const int wanted = on ? beta + FAR / 2 : eval;
        const int found = search(e, 0, beta - 1, beta);
        check(found == wanted, "%d, not %d", found, wanted);
        const TableEntry entry = entry_of(e);
        check(entry.eval == eval && entry.score == wanted && entry.bound == BOUND_LOWER,
              "in the table: eval %d, score %d", entry.eval, entry.score);
        tg_free(e);
    }
}

/* A cutoff by a search of four plies keeps four fifths of its distance to beta, reverse futility a
 * third. With damping off the same searches give more. */
static void test_cutoffs_are_damped(void) {
    for (int futile = 0; futile < 2; futile++) {
        int found[2], beta = 0;
        for (int on = 0; on < 2; on++) {
            TgEngine *e = new_engine();
            Params *q = &e->searcher.params;
            q->damping = on;
            q->rfp = futile;
            q->iir = q->fail_high_reduction = q->razoring = 0;
            q->rfp_threat_classes = 0;
            if (!beta) {
                worker_start(&e->searcher);
                beta = leaf_static_score(&e->searcher) - 3 * FAR;
            }
            found[on] = search(e, DEEP, beta - 1, beta);
            tg_free(e);
        }
        check(found[1] >= beta && found[1] < found[0], "%d: beta %d, damped %d, whole %d", futile,
              beta, found[1], found[0]);
        if (futile) check(found[1] == beta + (found[0] - beta) / 3, "%d", found[1]);
    }
}

static void test_a_cutoff_of_the_table_teaches_the_history(void) {
    for (int on = 0; on < 2; on++) {
        TgEngine *e = new_engine();
        Searcher *s = &e->searcher;
        s->params.tt_history = on;
        s->params.rfp = s->params.iir = s->params.fail_high_reduction = 0; /* keep the depth */
        worker_start(s);
        const int beta = leaf_static_score(s) - FAR;
        check(search(e, DEEP, beta - 1, beta) >= beta, "a cutoff");
        const TableEntry entry = entry_of(e);
        check(entry.bound == BOUND_LOWER && entry.move != NO_CELL, "a move that cuts off");
        search(e, DEEP, beta - 1, beta);
        check(s->budget.nodes == 1, "the table answers");
        const int learned = s->history.quiet[BLACK][entry.move];
        check(on ? learned == 2 * 4 * 4 : learned == 0, "learned: %d", learned);
        tg_free(e);
    }
}

int main(void) {
    test_a_damped_score_stays_outside_of_the_window();
    test_the_static_score_is_kept_whole();
    test_cutoffs_are_damped();
    test_a_cutoff_of_the_table_teaches_the_history();
    return checks_done();
}
