/* Memory and threads that the system refuses: each request of a run through the whole public
 * interface is refused in turn. Nothing may break or leak, and the caller gets an error.
 *
 * This program is linked without base/platform.c. It has its own, which calls `refused` first.
 */
#define platform_alloc real_alloc
#define platform_free real_free
#define platform_thread_start real_thread_start
#include "../../csrc/base/platform.c"
#undef platform_alloc
#undef platform_free
#undef platform_thread_start
void *platform_alloc(size_t bytes);
void platform_free(void *memory, size_t bytes);
bool platform_thread_start(Thread *t, size_t stack_bytes, void *(*work)(void *), void *argument);

#include <string.h>

#include "check.h"
#include "include/tengen.h"

/* Enough nodes for helpers, and a small depth that ends the search at once. */
enum { NODES = 5000, DEPTH = 2, THREADS = 3, TABLE_KIB = 1024, MOST_REQUESTS = 1000 };

/* --- the system -------------------------------------------------------------------------- */

/* The refused requests: `refuse_count` of them, from number `refuse_from` on; 0 = none. */
static int requests, refuse_from, refuse_count, refusals;
static int64_t blocks, held; /* allocated and not freed */

static bool refused(void) {
    requests++;
    if (!refuse_from || requests < refuse_from || requests >= refuse_from + refuse_count)
        return false;
    refusals++;
    return true;
}

void *platform_alloc(size_t bytes) {
    void *memory = refused() ? NULL : real_alloc(bytes);
    if (memory) {
        blocks++;
        held += (int64_t)bytes;
    }
    return memory;
}

void platform_free(void *memory, size_t bytes) {
    if (memory) {
        blocks--;
        held -= (int64_t)bytes;
    }
    real_free(memory, bytes);
}

bool platform_thread_start(Thread *t, size_t stack_bytes, void *(*work)(void *), void *argument) {
    return !refused() && real_thread_start(t, stack_bytes, work, argument);
}

/* --- a walk through the public interface ------------------------------------------------- */

/* The status of a call that began after the given number of refusals. */
static TgStatus told(const char *call, TgStatus status, int refusals_before) {
    const bool lacked = refusals > refusals_before;
    check(status == TG_OK || (lacked && status == TG_ERR_MEMORY), "%s: status %d, request %d of %d",
          call, status, refuse_from, refuse_count);
    return status;
}

static int32_t worth(const TgEngine *e) {
    int32_t score = 0;
    check(tg_evaluate(e, &score) == TG_OK, "an evaluation");
    return score;
}

/* Either the result has a move and names the refused resources, or the status says why not. */
static void search(TgEngine *e) {
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = DEPTH, .lines = 1, .nodes = NODES};
    const int before = refusals;
    const int32_t score = worth(e);
    TgResult r;
    tg_arm(e);
    if (told("tg_search", tg_search(e, &limits, &r), before) == TG_OK) {
        check(tg_legal(e, r.move) == TG_OK, "a legal move: %d,%d", r.move.x, r.move.y);
        const bool lacks = r.threads_refused > 0 || r.table_refused_kib > 0;
        check(refusals == before || lacks, "a refusal that nobody hears of");
        check(refusals > 0 || !lacks, "a refusal that never was");
    }
    check(worth(e) == score, "the position stays");
}

static void prove(TgEngine *e) {
    TgSquare line[TG_MAX_SIZE * TG_MAX_SIZE];
    int32_t count, answer;
    int before = refusals;
    told("tg_vcf", tg_vcf(e, 500, line, COUNT(line), &count, &answer), before);
    before = refusals;
    told("tg_vct", tg_vct(e, 500, -1, line, COUNT(line), &count, &answer), before);
}

/* Every call that may request a resource, each after the call that frees it. */
static void walk(int32_t rule) {
    static const TgSquare black[] = {{7, 7}, {8, 6}, {5, 9}}, white[] = {{8, 8}, {6, 7}, {9, 5}};
    const TgConfig config = {.size = 15, .rule = rule, .threads = THREADS, .memory_kib = TABLE_KIB};
    TgEngine *e = NULL;
    if (told("tg_new", tg_new(&config, &e), 0) != TG_OK) {
        check(!e, "no engine");
        return;
    }
    check(tg_set_position(e, black, COUNT(black), white, COUNT(white), NULL, 0, 0, 0, TG_BLACK) ==
              TG_OK,
          "a position");
    prove(e);
    check(tg_clear_table(e) == TG_OK, "forgetting");
    search(e);
    search(e);
    check(tg_resize_table(e, 2 * TABLE_KIB) == TG_OK, "another size");
    search(e);
    check(tg_set_option(e, "threads", 2) == TG_OK, "fewer threads");
    check(tg_set_option(e, "threads", THREADS) == TG_OK, "more threads");
    search(e);
    check(tg_reset(e, 19, rule) == TG_OK, "another board");
    search(e);
    tg_free(e);
}

/* Refuses `count` requests from each one on in turn, until the run has fewer. */
static int walks(int32_t rule, int count) {
    refuse_count = count;
    for (refuse_from = 1; refuse_from < MOST_REQUESTS; refuse_from++) {
        requests = refusals = 0;
        walk(rule);
        check(blocks == 0 && held == 0, "rule %d, request %d: %lld blocks, %lld bytes lost", rule,
              refuse_from, (long long)blocks, (long long)held);
        if (!refusals) return refuse_from - 1;
    }
    return 0;
}

int main(void) {
    static const int32_t rules[] = {RULE_FREESTYLE, RULE_NINUKI};
    for (int i = 0; i < COUNT(rules); i++) {
        const int one = walks(rules[i], 1), all = walks(rules[i], MOST_REQUESTS);
        printf("rule %d: %d requests refused alone, %d with all after them\n", rules[i], one, all);
        check(one >= 12 && all >= 1, "rule %d: %d and %d requests", rules[i], one, all);
    }
    return checks_done();
}
