/* node.h - the recursive search: negamax with PVS below the root. */
#ifndef SEARCH_NODE_H
#define SEARCH_NODE_H

#include "base/params.h"
#include "search/movepick.h"
#include "search/proof.h"
#include "search/threat.h"
#include "search/tt.h"

/* All that one searching thread owns, and the table that it shares. */
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
    Cell excluded[MAX_PLY + 1];    /* the move left out while the others are measured against it */
    int evals[MAX_PLY + 1];        /* static scores on the way from the root */
    bool loud[MAX_PLY + 1];        /* whether the move made there was a threat of its own */
    AccumulatorStack accumulators; /* of the networks, on the way from the root */
    int null_ply;                  /* where a side has just passed; -1: nowhere */
    int pv_length[MAX_PLY + 1];
    Cell pv[MAX_PLY + 1][MAX_PLY + 1];
    MovePicker picker[MAX_PLY];
} Searcher;

/* Before the first node of a search: nothing is known of the way to the root. */
void node_start(Searcher *s);
/* Forgets what other positions have taught. */
void node_forget(Searcher *s);
/* The value of the position, `ply` moves below the root, looked at `depth` hundredths of a ply
 * deep, within (alpha, beta) and beyond it a bound; meaningless once the budget is over. `cut`: it
 * is expected to reach beta. Leaves its line in s->pv[ply]. */
int node_search(Searcher *s, int ply, int depth, int alpha, int beta, bool cut);

#endif
