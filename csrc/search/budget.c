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
    b->nodes = 0;
    b->over = false;
    budget_poll(b);
}

bool budget_poll(Budget *b) {
    if (atomic_load_explicit(b->stop, memory_order_relaxed)) b->over = true;
    if (b->hard_us != INT64_MAX && platform_now_us() >= b->hard_us) b->over = true;
    return b->over;
}

int64_t budget_elapsed_us(const Budget *b) {
    return platform_now_us() - b->start_us;
}

bool budget_soft_over(const Budget *b) {
    return b->soft_us != INT64_MAX && platform_now_us() >= b->soft_us;
}
