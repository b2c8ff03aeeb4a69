/* worker.h - the state of one searching thread. */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include "base/params.h"
#include "search/budget.h"
#include "search/movepick.h"
#include "search/proof.h"
#include "search/tt.h"

/* The state of one thread, and pointers to what the threads share. */
typedef struct {
    Position *pos;
    const EvalTable *eval;
    Table *table;
    Params params;
    Budget budget;
    History history;
    VcfCache vcf_cache;
    Vcf vcf;
    Proof *proof; /* proof searches at the root; owned by the engine */
    int seldepth;
    Cell excluded[MAX_PLY + 1];     /* singular extension: the move that a ply leaves out */
    int evals[MAX_PLY + 1];         /* static scores from the root to this node */
    bool gives_threat[MAX_PLY + 1]; /* whether the move made at a ply was a threat */
    bool forced[MAX_PLY + 1]; /* the moves of a ply were answers to a threatened win; root: false */
    AccumulatorStack accumulators; /* sums of the value network, from the root to this node */
    int null_ply;                  /* ply of the last null move; -1: none */
    int pv_length[MAX_PLY + 1];
    Cell pv[MAX_PLY + 1][MAX_PLY + 1];
    MovePicker picker[MAX_PLY];
} Searcher;

/* Prepares the first node of a search. */
void worker_start(Searcher *s);
/* Clears the histories and the VCF cache. */
void worker_forget(Searcher *s);

#endif
