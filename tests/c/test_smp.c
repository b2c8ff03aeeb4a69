/* Searches with several threads, and their time, mostly through the public interface. The thread
 * sanitizer runs this program.
 */
#include <pthread.h>
#include <string.h>

#include "base/platform.h"
#include "check.h"
#include "include/tengen.h"
#include "search/smp.h"
#include "search/timeman.h"

enum { NODES = 6000, THREADS = 2, PLACES = 3, SPARE = 2 * POLL_NODES };

static void set_position(TgEngine *e) {
    static const TgSquare black[] = {{7, 7}, {8, 6}, {5, 9}}, white[] = {{8, 8}, {6, 7}, {9, 5}};
    check(tg_set_position(e, black, COUNT(black), white, COUNT(white), NULL, 0, 0, 0, TG_BLACK) ==
              TG_OK,
          "a position");
}

static TgEngine *new_engine(Rule rule, int threads) {
    const TgConfig config = {
        .size = 15, .rule = (int32_t)rule, .threads = threads, .memory_kib = 1024};
    TgEngine *e = NULL;
    check(tg_new(&config, &e) == TG_OK, "rule %d: a new engine", rule);
    set_position(e);
    return e;
}

static TgResult search(TgEngine *e, TgLimits limits) {
    TgResult r;
    memset(&r, 0, sizeof r);
    tg_arm(e);
    check(tg_search(e, &limits, &r) == TG_OK, "a search");
    check(tg_legal(e, r.move) == TG_OK, "a legal move: %d,%d", r.move.x, r.move.y);
    return r;
}

static TgLimits by_nodes(int64_t nodes) {
    return (TgLimits){.time_ms = -1, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = nodes};
}

/* --- several threads ----------------------------------------------------------------------- */

static void test_node_limit(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        TgEngine *e = new_engine(RULES[r], THREADS);
        const TgResult found = search(e, by_nodes(NODES));
        check(found.threads == THREADS && found.threads_refused == 0, "rule %d: %d threads",
              RULES[r], found.threads);
        if (!found.line.mate)
            check(found.line.nodes >= NODES && found.line.nodes <= NODES + THREADS * SPARE,
                  "rule %d: %lld nodes", RULES[r], (long long)found.line.nodes);
        tg_free(e);
    }
}

/* A small limit holds to the node, and the search is that of one thread. */
static void test_a_low_limit_needs_no_help(void) {
    TgEngine *one = new_engine(RULE_FREESTYLE, 1), *four = new_engine(RULE_FREESTYLE, 4);
    const TgResult a = search(one, by_nodes(1000)), b = search(four, by_nodes(1000));
    check(b.threads == 1, "%d threads", b.threads);
    check(a.line.nodes == b.line.nodes && a.move.x == b.move.x && a.move.y == b.move.y &&
              a.line.score == b.line.score,
          "one thread and four of which three are not needed");
    tg_free(one);
    tg_free(four);
}

static void test_time_limit(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        TgEngine *e = new_engine(RULES[r], THREADS);
        search(e, (TgLimits){.time_ms = 150, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = -1});
        search(e, (TgLimits){.time_ms = 0, .soft_ms = 0, .depth = -1, .lines = 1, .nodes = -1});
        tg_free(e);
    }
}

/* The number of threads may change between two searches of one engine. */
static void test_other_numbers_of_threads(void) {
    static const int NUMBERS[] = {3, 1, 4, 2};
    TgEngine *e = new_engine(RULE_NINUKI, 1);
    for (int i = 0; i < COUNT(NUMBERS); i++) {
        check(tg_set_option(e, "threads", NUMBERS[i]) == TG_OK, "%d threads", NUMBERS[i]);
        check(search(e, by_nodes(NODES)).threads == NUMBERS[i], "%d threads search", NUMBERS[i]);
        if (i == 1) {
            check(tg_reset(e, 15, RULE_RENJU) == TG_OK, "a reset");
            set_position(e);
        }
        if (i == 2) check(tg_clear_table(e) == TG_OK, "the table cleared");
    }
    tg_free(e);
}

/* An empty board has one sensible move, which comes soon within any limits. */
static void test_a_single_move_needs_little_search(void) {
    TgEngine *e = new_engine(RULE_FREESTYLE, THREADS);
    check(tg_reset(e, 15, RULE_FREESTYLE) == TG_OK, "a reset");
    const TgResult r = search(e, by_nodes(1000000));
    check(r.move.x == 7 && r.move.y == 7 && r.line.nodes < 6000 && r.threads == 1, "the middle");
    tg_free(e);
}

static bool same_cell(TgSquare a, TgSquare b) {
    return a.x == b.x && a.y == b.y;
}

/* Several lines are reported at once, best first, and no move occurs twice. */
static void check_places(const TgLine *told, int32_t count, int32_t lines) {
    check(count % lines == 0, "%d lines are no whole groups of %d", count, lines);
    for (int32_t i = 0; i < count; i++) {
        const int32_t first = i / lines * lines;
        check(told[i].line == i - first, "place %d, not %d", told[i].line, i - first);
        for (int32_t j = first; j < i; j++) {
            check(told[j].score >= told[i].score, "line %d is not below line %d", i, j);
            check(!same_cell(told[j].pv[0], told[i].pv[0]), "lines %d and %d differ", j, i);
        }
    }
}

/* One thread reports every depth, with increasing nodes; the last reported first move is played. */
static void check_progress(int32_t lines) {
    TgEngine *e = new_engine(RULE_FREESTYLE, 3);
    TgLine told[256];
    int32_t count = 0, first = 0;
    TgLimits limits = by_nodes(-1);
    limits.depth = 4;
    limits.lines = lines;
    const TgResult r = search(e, limits);
    check(r.line.depth == 4 || r.line.mate, "depth %d", r.line.depth);
    check(tg_progress(e, 0, told, COUNT(told), &count) == TG_OK && count > 0, "progress");
    for (int i = 0; i < count; i++) {
        if (told[i].line == 0) first = i;
        if (i == 0) continue;
        check(told[i].seq == told[i - 1].seq + 1, "one after the other");
        if (lines > 1) continue; /* old lines stay among new ones */
        if (i < count - 1) check(told[i].depth >= told[i - 1].depth, "deeper and deeper");
        check(told[i].nodes >= told[i - 1].nodes, "nodes are of all threads");
    }
    check(same_cell(told[first].pv[0], r.move), "the first line told last is played");
    if (lines > 1) check_places(told, count, lines);
    tg_free(e);
}

static void test_progress(void) {
    check_progress(1);
    check_progress(PLACES);
}

static void *think(void *engine) {
    TgResult r;
    const TgLimits limits = by_nodes(-1);
    check(tg_search(engine, &limits, &r) == TG_OK, "an unlimited search");
    check(tg_legal(engine, r.move) == TG_OK, "a legal move after a stop");
    return NULL;
}

static void wait_us(int64_t us) {
    const int64_t until = platform_now_us() + us;
    while (platform_now_us() < until) continue;
}

static void test_stop(void) {
    static const int64_t AFTER_US[] = {0, 50, 200, 1000, 50000};
    TgEngine *e = new_engine(RULE_FREESTYLE, 3);
    for (int i = 0; i < COUNT(AFTER_US); i++) {
        pthread_t thread;
        tg_clear_table(e);
        tg_arm(e);
        pthread_create(&thread, NULL, think, e);
        wait_us(AFTER_US[i]);
        const int64_t stopped = platform_now_us();
        tg_stop(e);
        pthread_join(thread, NULL);
        check(platform_now_us() - stopped < 1000000, "a stop after %d us", (int)AFTER_US[i]);
    }
    tg_free(e);
}

/* --- the vote ------------------------------------------------------------------------------ */

static SearchLine line_of(Cell move, int depth, int score) {
    return (SearchLine){.depth = depth, .score = score, .pv_count = 1, .pv = {move}};
}

/* The thread whose line is chosen. */
static int voted(const SearchLine lines[], int count) {
    const SearchLine *line[MAX_THREADS];
    for (int i = 0; i < count; i++) line[i] = &lines[i];
    return (int)(smp_vote(line, count, 200) - lines);
}

static void test_vote(void) {
    const int win = SCORE_MATE - 7;
    const struct {
        const char *what;
        int expected, count;
        SearchLine line[4];
    } CASES[] = {
        {"one thread", 0, 1, {line_of(1, 5, 10)}},
        {"all equal: the first", 0, 2, {line_of(1, 5, 10), line_of(2, 5, 10)}},
        {"deeper", 1, 2, {line_of(1, 5, 10), line_of(2, 7, 10)}},
        {"better", 1, 2, {line_of(1, 5, 10), line_of(2, 5, 90)}},
        {"the same move, deeper", 1, 2, {line_of(1, 5, 90), line_of(1, 6, 10)}},
        {"two against one", 1, 3, {line_of(1, 6, 10), line_of(2, 5, 10), line_of(2, 5, 10)}},
        {"a proven win against depth",
         1,
         3,
         {line_of(1, 20, 900), line_of(2, 3, win), line_of(1, 20, 900)}},
        {"the shorter win", 1, 2, {line_of(1, 20, win - 2), line_of(2, 3, win)}},
        {"nothing finished", 1, 2, {line_of(1, 0, 0), line_of(2, 1, -500)}},
        {"not a loss", 1, 2, {line_of(1, 9, -win), line_of(2, 8, -50)}},
        {"nobody finished", 0, 2, {line_of(1, 0, 0), line_of(2, 0, 0)}},
    };
    for (int i = 0; i < COUNT(CASES); i++) {
        const int got = voted(CASES[i].line, CASES[i].count);
        check(got == CASES[i].expected, "vote: %s: line %d", CASES[i].what, got);
    }
}

/* --- time ---------------------------------------------------------------------------------- */

static Params params;

/* The percentage after iterations with these moves and scores. effort: of the best move. */
static int percent_after(const Cell moves[], const int scores[], int count, int effort,
                         bool forced) {
    TimeManager t;
    timeman_start(&t, forced);
    for (int i = 0; i < count; i++)
        timeman_note(&t, &params, moves[i], scores[i], effort, 1000 * (i + 1));
    return timeman_percent(&t, &params);
}

static void test_share_of_the_time(void) {
    enum { N = 8 };
    static const Cell same[N] = {1, 1, 1, 1, 1, 1, 1, 1}, late[N] = {1, 1, 1, 1, 1, 1, 1, 2},
                      early[N] = {1, 2, 2, 2, 2, 2, 2, 2};
    static const int level[N] = {5, 5, 5, 5, 5, 5, 5, 5}, falls[N] = {5, 5, 5, 5, 5, 5, 5, -195},
                     rises[N] = {5, 5, 5, 5, 5, 5, 5, 205};
    const int even = percent_after(same, level, N, EFFORT_EVEN, false),
              half = params.time_effort / 2;
    check(even == 100, "nothing happens: %d %%", even);
    check(percent_after(same, level, N, 100, false) == 100 - half, "no other move counts");
    check(percent_after(same, level, N, 0, false) == 100 + half, "other moves take all nodes");
    check(percent_after(late, level, N, EFFORT_EVEN, false) == 100 + params.time_changed,
          "a new best move");
    check(percent_after(early, level, N, EFFORT_EVEN, false) < 103, "a new best move long ago");
    check(percent_after(same, falls, N, EFFORT_EVEN, false) == 100 + 2 * params.time_fall,
          "a falling score");
    check(percent_after(same, rises, N, EFFORT_EVEN, false) == 100, "a rising score");
    check(percent_after(same, level, N, EFFORT_EVEN, true) == params.time_forced, "forced");
    const int all = 100 + params.time_changed + 2 * params.time_fall;
    check(percent_after(late, falls, N, 100, false) == all * (100 - half) / 100, "all together");
}

/* With the extreme values of the options, too. */
static void test_some_time_is_always_left(void) {
    static const Cell same[2] = {1, 1};
    static const int level[2] = {5, 5};
    const Params standard = params;
    check(params_set(&params, "time_effort", 180) && params_set(&params, "time_forced", 1),
          "the least time");
    for (int effort = 0; effort <= 100; effort++)
        check(percent_after(same, level, 2, effort, true) > 0, "no time at effort %d", effort);
    params = standard;
}

/* A budget after the given ms. */
static Budget running(int64_t ran_ms, int64_t soft_ms, int64_t hard_ms) {
    static atomic_bool stop;
    Budget b;
    budget_start(&b, &stop, hard_ms, soft_ms, -1);
    b.start_us -= ran_ms * 1000;
    if (soft_ms >= 0) b.soft_us -= ran_ms * 1000;
    if (hard_ms >= 0) b.hard_us -= ran_ms * 1000;
    return b;
}

/* After two iterations, of which the first ended after this part of the time. */
static bool up_after_two(int64_t first_ms, int64_t ran_ms, int64_t soft_ms, int64_t hard_ms) {
    const Budget b = running(ran_ms, soft_ms, hard_ms);
    TimeManager t;
    timeman_start(&t, false);
    timeman_note(&t, &params, 1, 0, EFFORT_EVEN, first_ms * 1000);
    timeman_note(&t, &params, 1, 0, EFFORT_EVEN, ran_ms * 1000);
    return timeman_is_up(&t, &params, &b);
}

static bool up_after(int64_t ran_ms, int64_t soft_ms, int64_t hard_ms) {
    return up_after_two(ran_ms / 8, ran_ms, soft_ms, hard_ms);
}

static void test_when_the_time_is_up(void) {
    check(!up_after(400, 1000, 9000), "before the planned time");
    check(up_after(1000, 1000, 9000), "after it");
    check(up_after(500, 1000, 1500), "an iteration that would be cut off");
    /* a third iteration of 20 s is expected, 8 s of it must fit */
    check(!up_after_two(45000, 60000, 69000, 200000), "half of the next iteration fits");
    check(up_after_two(45000, 60000, 67000, 200000), "a third of it fits");
    check(up_after_two(45000, 60000, 69000, 79000), "the next one would be cut off");
    check(!up_after(900, 1000, 1000), "nothing to save: all is used");
    check(!up_after(900, -1, 1000), "no soft limit: all is used");
    check(!up_after(90000, -1, -1), "no limit of time");
}

static void test_the_depth_limit_decides_who_votes(void) {
    const SearchLine low = line_of(1, 3, 50), deep = line_of(2, 4, 20), won = line_of(3, 2, 29990);
    const SearchLine *all[] = {&low, &low, &deep, &won}, *none[] = {&low, &low};
    check(smp_keep_finished(all, 4, 4) == 2 && all[0] == &deep && all[1] == &won,
          "the line of the depth and the win");
    check(smp_keep_finished(none, 2, 4) == 2 && none[0] == &low, "all, if none reached the depth");
}

int main(void) {
    params_default(&params, RULE_FREESTYLE);
    test_the_depth_limit_decides_who_votes();
    test_vote();
    test_share_of_the_time();
    test_some_time_is_always_left();
    test_when_the_time_is_up();
    test_node_limit();
    test_a_low_limit_needs_no_help();
    test_other_numbers_of_threads();
    test_a_single_move_needs_little_search();
    test_progress();
    test_time_limit();
    test_stop();
    return checks_done();
}
