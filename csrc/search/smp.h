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

enum { MAX_THREADS = 64 };

typedef struct Helper Helper;

/* The threads beside the caller's. All zero but for `wanted` is an empty crew. */
typedef struct {
    int wanted; /* threads asked for, the caller's among them: 1..MAX_THREADS */
    Helper *helper[MAX_THREADS - 1]; /* made when first needed; NULL: not made */
    SharedBudget shared;             /* of the running search */
    SearchLine multipv[MAX_SQUARES]; /* the best lines of the running search, when several */
} Crew;

/* Sets how many threads are wanted; gives back the memory of those that no longer are. */
void smp_resize(Crew *crew, int wanted);
/* Gives all memory back. */
void smp_free(Crew *crew);
/* The helpers forget what other positions have taught. */
void smp_forget(Crew *crew);
/* Searches the moves of the first thread's root with all threads; out->line is the line to follow,
 * out->nodes and out->threads count all of them. With one thread nothing depends on the system. */
void smp_deepen(Crew *crew, Root *first, SearchResult *out);
/* The line to follow of `count` threads' lines, the first thread's before the others; `base` is
 * what a ply of depth weighs beside its score. A proven win of any thread goes before everything.
 */
const SearchLine *smp_vote(const SearchLine *const *line, int count, int base);

#endif
