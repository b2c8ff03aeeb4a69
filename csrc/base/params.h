/* params.h - every number that a search can be told to change, in one table. */
#ifndef BASE_PARAMS_H
#define BASE_PARAMS_H

#include "base/base.h"

/*       field            name              value  low  high */
#define PARAMS(ROW)                                                                                \
    ROW(alphabeta, "prune.alphabeta", 1, 0, 1)   /* windows at all; 0: plain negamax */            \
    ROW(deepening, "prune.deepening", 1, 0, 1)   /* 0: the depth limit at once */                  \
    ROW(tt_order, "prune.tt_order", 1, 0, 1)     /* the table's move first */                      \
    ROW(tt_cutoff, "prune.tt", 1, 0, 1)          /* table cutoffs */                               \
    ROW(pvs, "prune.pvs", 1, 0, 1)               /* null windows after the first move */           \
    ROW(aspiration, "prune.aspiration", 1, 0, 1) /* narrow window at the root */                   \
    ROW(vcf, "prune.vcf", 1, 0, 1)               /* VCF at the horizon */                          \
    ROW(vct, "prune.vct", 1, 0, 1)               /* VCT at the root */                             \
    ROW(against, "prune.against", 1, 0, 1)       /* root: only what stops the other's VCF */       \
    ROW(defence, "prune.defence", 1, 0, 1)       /* only answers to a threatened open four */      \
    ROW(killers, "prune.killers", 1, 0, 1)       /* killers, countermoves and history */           \
    ROW(lmr, "prune.lmr", 1, 0, 1)               /* late move reductions */                        \
    ROW(lmp, "prune.lmp", 1, 0, 1)               /* late move pruning */                           \
    ROW(futility, "prune.futility", 1, 0, 1)     /* quiet moves of hopeless nodes */               \
    ROW(rfp, "prune.rfp", 1, 0, 1)               /* nodes far above beta */                        \
    ROW(razoring, "prune.razoring", 1, 0, 1)     /* hopeless nodes: VCF or nothing */              \
    ROW(iir, "prune.iir", 1, 0, 1)               /* less depth where the table knows nothing */    \
    ROW(aspiration_window, "aspiration_window", 100, 1, 10000)                                     \
    ROW(vcf_nodes, "vcf_nodes", 200, 0, 1000000) /* of one VCF at the horizon */                   \
    ROW(vcf_root_nodes, "vcf_root_nodes", 200000, 0, 100000000)                                    \
    ROW(vct_root_nodes, "vct_root_nodes", 200000, 0, 100000000)                                    \
    ROW(futility_base, "futility_base", 100, 0, 10000)                                             \
    ROW(futility_step, "futility_step", 120, 0, 10000) /* per ply */                               \
    ROW(futility_depth, "futility_depth", 6, 0, 100)                                               \
    ROW(rfp_step, "rfp_step", 130, 0, 10000) /* per ply */                                         \
    ROW(rfp_depth, "rfp_depth", 6, 0, 100)                                                         \
    ROW(razoring_base, "razoring_base", 250, 0, 10000)                                             \
    ROW(razoring_step, "razoring_step", 150, 0, 10000) /* per ply */                               \
    ROW(razoring_depth, "razoring_depth", 3, 0, 100)                                               \
    ROW(lmp_base, "lmp_base", 5, 0, 1000)                                                          \
    ROW(lmp_step, "lmp_step", 3, 0, 1000)     /* per ply squared, halved */                        \
    ROW(lmr_gap, "lmr_gap", 250, 1, 100000)   /* move score behind the best, per ply less */       \
    ROW(gap_base, "gap_base", 350, 0, 100000) /* pruned when further behind than this */           \
    ROW(gap_step, "gap_step", 120, 0, 100000) /* ... and this per ply */                           \
    ROW(lmr_scale, "lmr_scale", 45, 0, 1000)  /* percent of log2 depth * log2 index */

typedef struct {
#define FIELD(field, name, value, low, high) int32_t field;
    PARAMS(FIELD)
#undef FIELD
} Params;

void params_default(Params *p);
/* Sets the row of that name; false when there is none or it does not take the value. */
bool params_set(Params *p, const char *name, int64_t value);
/* The name of a row, NULL after the last. */
const char *params_name(int index);

#endif
