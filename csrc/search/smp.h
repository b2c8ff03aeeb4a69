/* smp.h - Lazy SMP: several threads search the same position, each for itself, and find in the
 * shared table what the others have found; at the end they vote.
 *
 *      the caller's thread:  stages ── start helpers ── deepen ── halt ── join ── vote
 *      each helper:                                └── deepen ──────────┘
 *
 * Threads live for one search. Nothing of ours runs between two of them, where a manager may have
 * suspended us; and starting costs less than it would take to notice (decision 0084).
 */
#ifndef SEARCH_SMP_H
#define SEARCH_SMP_H

#include "search/root.h"

enum { MAX_THREADS = TG_MAX_THREADS };

typedef struct Helper Helper;

/* The threads besides the caller's. Zeroed except for `wanted`, it is an empty crew. */
typedef struct {
    int wanted;                      /* threads including the caller's: 1..MAX_THREADS */
    Helper *helper[MAX_THREADS - 1]; /* allocated on first use; NULL: not yet */
    SharedBudget shared;             /* of the running search */
    SearchLine multipv[MAX_SQUARES]; /* the best lines of the running search, in multi-PV */
} Crew;

/* Sets the number of threads and frees the memory of the others. */
void smp_resize(Crew *crew, int wanted);
/* Frees all memory. */
void smp_free(Crew *crew);
/* Clears the histories of the helpers. */
void smp_forget(Crew *crew);
/* Searches the moves of the first thread's root with all threads; out->line is the line to follow,
 * out->nodes and out->threads count all of them. With one thread nothing depends on the system. */
void smp_deepen(Crew *crew, Root *first, SearchResult *out);
/* Chooses one of the lines of `count` threads, the first thread's first; `base` is the weight of a
 * ply of depth beside the score. A proven win of any thread comes first. */
const SearchLine *smp_vote(const SearchLine *const *line, int count, int base);

#endif
