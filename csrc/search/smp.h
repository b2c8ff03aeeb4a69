/* smp.h - Lazy SMP: several threads search the same position independently, share the transposition
 * table, and vote at the end.
 *
 *      the caller's thread:  stages ── start helpers ── deepen ── halt ── join ── vote
 *      each helper:                                └── deepen ──────────┘
 *
 * Threads live for one search: a manager may suspend the engine between two searches, and starting
 * threads takes no noticeable time (decision 0084).
 */
#ifndef SEARCH_SMP_H
#define SEARCH_SMP_H

#include "search/root.h"

enum { MAX_THREADS = TG_MAX_THREADS };

typedef struct Helper Helper;

/* The threads besides the caller's. Valid when zeroed except for `wanted`. */
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
/* Clears the histories and VCF caches of the helpers. */
void smp_forget(Crew *crew);
/* Searches the moves of the first thread's root with all threads. out->line is the chosen line;
 * out->nodes and out->threads count all threads. With one thread the result is reproducible. */
void smp_deepen(Crew *crew, Root *first, SearchResult *out);
/* Chooses one of the lines of `count` threads; line[0] is the first thread's. `base` is the weight
 * of a ply of depth relative to the score. A proven win of any thread is preferred. */
const SearchLine *smp_vote(const SearchLine *const *line, int count, int base);
/* Moves the lines that reached a depth, and proven wins, to the front; returns their number.
 * Without one all lines stay. */
int smp_keep_finished(const SearchLine *line[], int count, int depth);

#endif
