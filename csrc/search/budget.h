/* budget.h - when a search must end: time, nodes, the stop flag, and what threads share of it. */
#ifndef SEARCH_BUDGET_H
#define SEARCH_BUDGET_H

#include <stdatomic.h>

#include "base/base.h"

/* Nodes between two looks at the clock: under a millisecond even where a node is dear (ninuki). */
enum { POLL_NODES = 32 };

/* What the threads of one search have in common; each word on a cache line of its own. */
typedef struct {
    _Alignas(64) atomic_bool halt;      /* any of them: the search is done */
    _Alignas(64) _Atomic int64_t nodes; /* of all, as far as they have told */
    _Alignas(64) int64_t max_nodes;     /* of all; INT64_MAX = none */
} SharedBudget;

typedef struct {
    const atomic_bool *stop;
    int64_t start_us, hard_us, soft_us; /* from the clock's zero; INT64_MAX = none */
    int64_t max_nodes;                  /* of this thread; INT64_MAX = none */
    int64_t nodes;                      /* of this thread */
    int64_t told;                       /* those of them that `shared` knows */
    SharedBudget *shared;               /* NULL: a search of one thread */
    bool over;
} Budget;

/* Limits in ms and nodes; negative = none. */
void budget_start(Budget *b, const atomic_bool *stop, int64_t hard_ms, int64_t soft_ms,
                  int64_t max_nodes);
/* From now on the limit of nodes is one for all threads. */
void budget_share(Budget *b, SharedBudget *shared);
/* As before budget_share. */
void budget_alone(Budget *b);
/* Begins the budget of another thread of the same search. */
void budget_join(Budget *b, const Budget *first);
/* Cuts what is left down to so many nodes, and to one part in so many of the time that the move
 * should take. */
void budget_narrow(Budget *b, int64_t nodes, int part);
/* Looks at the clock and the flags. */
bool budget_poll(Budget *b);
int64_t budget_elapsed_us(const Budget *b);
/* Nodes of all threads, but for the last few of the other ones. */
int64_t budget_total_nodes(const Budget *b);
/* Whether time that is left over now can be used later. */
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
