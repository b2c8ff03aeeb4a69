/* worker.h - the state of one searching thread. */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include "base/params.h"
#include "search/budget.h"
#include "search/movepick.h"
#include "search/proof.h"
#include "search/tt.h"

/* All that one thread owns, and the table that the threads share. */
typedef struct {
    Position *pos;
    const EvalTable *eval;
    Table *table;
    Params params;
    Budget budget;
    History history;
    VcfCache vcf_cache;
    Vcf vcf;
    Proof *proof; /* for the root; the engine's */
    int seldepth;
    Cell excluded[MAX_PLY + 1];     /* singular extension: the move that a ply leaves out */
    int evals[MAX_PLY + 1];         /* static scores on the way from the root */
    bool gives_threat[MAX_PLY + 1]; /* whether the move made at a ply was a threat of its own */
    AccumulatorStack accumulators;  /* sums of the value network on the way from the root */
    int null_ply;                   /* ply of the last null move; -1: none */
    int pv_length[MAX_PLY + 1];
    Cell pv[MAX_PLY + 1][MAX_PLY + 1];
    MovePicker picker[MAX_PLY];
} Searcher;

/* Prepares the first node of a search. */
void worker_start(Searcher *s);
/* Clears the histories and the VCF cache. */
void worker_forget(Searcher *s);

#endif
