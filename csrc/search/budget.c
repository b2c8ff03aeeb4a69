#include "search/budget.h"

#include "base/platform.h"

static int64_t deadline(int64_t start_us, int64_t ms) {
    return ms < 0 ? INT64_MAX : start_us + ms * 1000;
}

void budget_start(Budget *b, const atomic_bool *stop, int64_t hard_ms, int64_t soft_ms,
                  int64_t max_nodes) {
    b->stop = stop;
    b->start_us = platform_now_us();
    b->hard_us = deadline(b->start_us, hard_ms);
    b->soft_us = soft_ms < 0 ? b->hard_us : deadline(b->start_us, soft_ms);
    b->max_nodes = max_nodes < 0 ? INT64_MAX : max_nodes;
    b->nodes = b->reported = 0;
    b->shared = NULL;
    b->over = false;
    budget_poll(b);
}

void budget_share(Budget *b, SharedBudget *shared) {
    shared->max_nodes = b->max_nodes;
    atomic_init(&shared->halt, false);
    atomic_init(&shared->nodes, 0);
    b->shared = shared;
    b->max_nodes = INT64_MAX;
}

void budget_unshare(Budget *b) {
    b->max_nodes = b->shared->max_nodes;
    b->shared = NULL;
}

void budget_join(Budget *b, const Budget *first) {
    *b = *first;
    b->nodes = b->reported = 0;
}

void budget_narrow(Budget *b, int64_t nodes, int part) {
    if (b->max_nodes - b->nodes > nodes) b->max_nodes = b->nodes + nodes;
    if (b->soft_us == INT64_MAX) return;
    const int64_t now = platform_now_us();
    const int64_t end = b->soft_us > now ? now + (b->soft_us - now) / part : now;
    if (end < b->hard_us) b->hard_us = end;
}

/* Adds this thread's new nodes to the shared count; true when the search must end. */
static bool shared_over(Budget *b) {
    const int64_t fresh = b->nodes - b->reported;
    b->reported = b->nodes;
    const int64_t before =
        atomic_fetch_add_explicit(&b->shared->nodes, fresh, memory_order_relaxed);
    return before + fresh >= b->shared->max_nodes ||
           atomic_load_explicit(&b->shared->halt, memory_order_relaxed);
}

bool budget_poll(Budget *b) {
    if (b->shared && shared_over(b)) b->over = true;
    if (atomic_load_explicit(b->stop, memory_order_relaxed)) b->over = true;
    if (b->hard_us != INT64_MAX && platform_now_us() >= b->hard_us) b->over = true;
    return b->over;
}

int64_t budget_elapsed_us(const Budget *b) {
    return platform_now_us() - b->start_us;
}

int64_t budget_total_nodes(const Budget *b) {
    if (!b->shared) return b->nodes;
    return atomic_load_explicit(&b->shared->nodes, memory_order_relaxed) + b->nodes - b->reported;
}
