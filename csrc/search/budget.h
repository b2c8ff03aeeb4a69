/* budget.h - the limits of a search: time, nodes, the stop flag; shared between threads. */
#ifndef SEARCH_BUDGET_H
#define SEARCH_BUDGET_H

#include <stdatomic.h>

#include "base/base.h"

/* Nodes between two polls of the clock: under a millisecond even where a node is slow (ninuki). */
enum { POLL_NODES = 32 };

/* Shared by the threads of one search; each field has its own cache line. */
typedef struct {
    _Alignas(64) atomic_bool halt;      /* set by any thread: the search is done */
    _Alignas(64) _Atomic int64_t nodes; /* of all threads, as last reported */
    _Alignas(64) int64_t max_nodes;     /* of all threads; INT64_MAX = none */
} SharedBudget;

typedef struct {
    const atomic_bool *stop;
    int64_t start_us, hard_us, soft_us; /* from the clock's zero; INT64_MAX = none */
    int64_t max_nodes;                  /* of this thread; INT64_MAX = none */
    int64_t nodes;                      /* of this thread */
    int64_t reported;                   /* of these, already added to `shared` */
    SharedBudget *shared;               /* NULL: a search of one thread */
    bool over;
} Budget;

/* Limits in ms and nodes; negative = none. */
void budget_start(Budget *b, const atomic_bool *stop, int64_t hard_ms, int64_t soft_ms,
                  int64_t max_nodes);
/* Makes the node limit a limit of all threads together. */
void budget_share(Budget *b, SharedBudget *shared);
/* Undoes budget_share. */
void budget_unshare(Budget *b);
/* Starts the budget of another thread of the same search. */
void budget_join(Budget *b, const Budget *first);
/* Limits the rest of the search to `nodes` nodes and 1 / `part` of the remaining planned time. */
void budget_narrow(Budget *b, int64_t nodes, int part);
/* Polls the clock and the flags; true when the search must end. */
bool budget_poll(Budget *b);
int64_t budget_elapsed_us(const Budget *b);
/* Nodes of all threads; those of the others may lag by POLL_NODES. */
int64_t budget_total_nodes(const Budget *b);
/* Whether time saved now can be used for later moves. */
static inline bool budget_saves(const Budget *b) {
    return b->soft_us < b->hard_us;
}

/* Counts a node; true when the search must end. */
static inline bool budget_node(Budget *b) {
    b->nodes++;
    if (b->nodes >= b->max_nodes) b->over = true;
    if (b->nodes % POLL_NODES == 0) budget_poll(b);
    return b->over;
}

#endif
