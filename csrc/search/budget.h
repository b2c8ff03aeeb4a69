/* budget.h - when a search must end: time, nodes, the stop flag. */
#ifndef SEARCH_BUDGET_H
#define SEARCH_BUDGET_H

#include <stdatomic.h>

#include "base/base.h"

/* Nodes between two looks at the clock: under a millisecond even where a node is dear (ninuki). */
enum { POLL_NODES = 32 };

typedef struct {
    const atomic_bool *stop;
    int64_t start_us, hard_us, soft_us; /* from the clock's zero; INT64_MAX = none */
    int64_t max_nodes;                  /* INT64_MAX = none */
    int64_t nodes;
    bool over;
} Budget;

/* Limits in ms and nodes; negative = none. */
void budget_start(Budget *b, const atomic_bool *stop, int64_t hard_ms, int64_t soft_ms,
                  int64_t max_nodes);
/* Looks at the clock and the flag. */
bool budget_poll(Budget *b);
int64_t budget_elapsed_us(const Budget *b);
/* Whether another iteration is worth beginning. */
bool budget_soft_over(const Budget *b);

/* Counts a node; true when the search must end. */
static inline bool budget_node(Budget *b) {
    b->nodes++;
    if (b->nodes >= b->max_nodes) b->over = true;
    if (b->nodes % POLL_NODES == 0) budget_poll(b);
    return b->over;
}

#endif
