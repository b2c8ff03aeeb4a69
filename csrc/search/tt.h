/* tt.h - the transposition table, shared by threads without locks.
 *
 *   slot:  [ key XOR data | data ]       halves of two writes do not match: the reader ignores them
 *   data:  move 10 | score 16 | eval 16 | depth 8 | bound 2 | age 8         (bits, low to high)
 *
 * Four slots share a cache line. A new entry replaces the shallowest and oldest of them.
 */
#ifndef SEARCH_TT_H
#define SEARCH_TT_H

#include <stdatomic.h>

#include "base/base.h"

typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

typedef struct {
    _Atomic u64 check, data;
} TableSlot;

typedef struct {
    TableSlot *slot;
    size_t buckets; /* of four slots */
    u8 age;         /* raised with each search */
} Table;

typedef struct {
    Cell move; /* NO_CELL: none */
    int score, eval, depth;
    Bound bound;
} TableEntry;

enum { TT_MIN_KIB = 64, TT_FLOOR_KIB = 1024 };

/* Allocates kib, TT_MIN_KIB or more. If the system refuses, tries half of it, down to TT_FLOOR_KIB;
 * false if the system refuses that too. */
bool tt_init(Table *t, int64_t kib);
/* Asks the system for huge pages; call it before the first access. From 32 MiB on they make
 * searches 5 % faster, but the first access takes longer. */
void tt_prefer_huge_pages(Table *t);
/* The allocated size. */
int64_t tt_kib(const Table *t);
void tt_free(Table *t);
/* Empties the table; its pages stay allocated. */
void tt_clear(Table *t);
/* Starts a new search: entries of older ones may be replaced first. */
void tt_new_search(Table *t);
bool tt_probe(const Table *t, u64 key, TableEntry *out);
void tt_store(Table *t, u64 key, const TableEntry *e);
/* The fill level: slots written by the running search, per thousand. */
int tt_permille(const Table *t);

static inline void tt_prefetch(const Table *t, u64 key) {
    __builtin_prefetch(&t->slot[(size_t)(((unsigned __int128)key * t->buckets) >> 64) * 4]);
}

#endif
