/* params.h - every number that a search can be told to change, in one table.
 *
 * A switch's comment ends with what the whole engine loses without it, in Elo at 10,000 nodes a
 * move, 150 games, errors of 27 to 60 (docs/strength.md, "what the engine loses without each
 * part").
 */
#ifndef BASE_PARAMS_H
#define BASE_PARAMS_H

#include "base/base.h"

/*       field            name              value  low  high */
#define PARAMS(ROW)                                                                                \
    ROW(alphabeta, "prune.alphabeta", 1, 0, 1)   /* windows at all; 0: plain negamax; over 700 */  \
    ROW(deepening, "prune.deepening", 1, 0, 1)   /* 0: the depth limit at once; over 700 */        \
    ROW(tt_order, "prune.tt_order", 1, 0, 1)     /* the table's move first; 139 */                 \
    ROW(tt_cutoff, "prune.tt", 1, 0, 1)          /* table cutoffs; 103 */                          \
    ROW(pvs, "prune.pvs", 1, 0, 1)               /* null windows after the first move; 459 */      \
    ROW(aspiration, "prune.aspiration", 1, 0, 1) /* narrow window at the root; -30 */              \
    ROW(vcf, "prune.vcf", 1, 0, 1)               /* VCF at the horizon; 42 */                      \
    ROW(vcf_lean, "prune.vcf_lean", 1, 0, 1)     /* ... without lone fours; 75 */                  \
    ROW(vct, "prune.vct", 1, 0, 1)               /* VCT at the root; -37 */                        \
    ROW(against, "prune.against", 1, 0, 1)       /* root: only what stops the other's VCF; -7 */   \
    ROW(defence, "prune.defence", 1, 0, 1)       /* only answers to a threatened open four; 23 */  \
    ROW(stand_pat, "prune.stand_pat", 1, 0, 1)   /* no VCF at a horizon that is good enough; 14 */ \
    ROW(killers, "prune.killers", 1, 0, 1)       /* killers and countermoves first; -5 */          \
    ROW(history, "prune.history", 1, 0, 1)       /* moves that cut off elsewhere first; -30 */     \
    ROW(conthist, "prune.conthist", 0, 0, 1)     /* ... as answers; -24 to 17: off */              \
    ROW(policy, "prune.policy", 1, 0, 1)         /* a network says how good moves look; 26 */      \
    ROW(threat_ext, "prune.threat_ext", 1, 0, 1) /* an answer to a five costs no depth; 61 */      \
    ROW(singular, "prune.singular", 0, 0, 1)   /* a far better move goes deeper; -48 to -5: off */ \
    ROW(nmp, "prune.nmp", 0, 0, 1)             /* null move; -19 to 7: off */                      \
    ROW(fhr, "prune.fhr", 1, 0, 1)             /* less depth far above beta; -30 */                \
    ROW(lmr, "prune.lmr", 1, 0, 1)             /* late move reductions; 47 */                      \
    ROW(lmr_score, "prune.lmr_score", 1, 0, 1) /* ... by how far a move's score lies behind; 5 */  \
    ROW(lmr_pv, "prune.lmr_pv", 1, 0, 1)       /* ... on the principal variation, too; 26 */       \
    ROW(lmr_root, "prune.lmr_root", 1, 0, 1)   /* ... at the root, too; 42 */                      \
    ROW(again, "prune.again", 1, 0, 1) /* ... and a second look by the score of the first; -2 */   \
    ROW(lmp, "prune.lmp", 1, 0, 1)     /* late quiet moves left out; 0 */                          \
    ROW(lmp_gap, "prune.lmp_gap", 1, 0, 1)   /* ... and those far behind the best; -5 */           \
    ROW(lmp_all, "prune.lmp_all", 1, 0, 1)   /* ... and of all moves the last; 179 */              \
    ROW(futility, "prune.futility", 1, 0, 1) /* quiet moves of hopeless nodes; 16 */               \
    ROW(rfp, "prune.rfp", 1, 0, 1)           /* nodes far above beta; 54 */                        \
    ROW(razoring, "prune.razoring", 1, 0, 1) /* hopeless nodes: VCF or nothing; -40 */             \
    ROW(iir, "prune.iir", 1, 0, 1)           /* less depth where the table knows nothing; -23 */   \
    ROW(confirm, "prune.confirm", 1, 0, 1)   /* a win is believed when two depths see it; 0 */     \
    ROW(known, "prune.known", 1, 0, 1)       /* proofs are kept from move to move; not measured */ \
    ROW(width, "width", 0, 0, MAX_SQUARES)   /* levels: moves looked at; 0 = all */                \
    ROW(plain_sight, "plain_sight", 0, 0, 1) /* levels: at the root each line by itself */         \
    ROW(eager, "eager", 0, 0, 10)            /* ... and the other side's shapes so many less */    \
    ROW(aspiration_window, "aspiration_window", 47, 1, 10000)                                      \
    ROW(aspiration_growth, "aspiration_growth", 3, 2, 100)      /* wider when it was too narrow */ \
    ROW(vcf_nodes, "vcf_nodes", 60, 0, 1000000)                 /* of one VCF at the horizon */    \
    ROW(vcf_root_nodes, "vcf_root_nodes", 200000, 0, 100000000) /* at most, at the root */         \
    ROW(vct_root_nodes, "vct_root_nodes", 200000, 0, 100000000) /* at most, at the root */         \
    ROW(futility_base, "futility_base", 100, 0, 10000)                                             \
    ROW(futility_step, "futility_step", 148, 0, 10000) /* per ply */                               \
    ROW(futility_depth, "futility_depth", 6, 0, 100)                                               \
    ROW(rfp_step, "rfp_step", 27, 0, 10000)        /* per ply */                                   \
    ROW(rfp_rising, "rfp_rising", 77, -1000, 1000) /* percent of a ply free, improving */          \
    ROW(rfp_depth, "rfp_depth", 30, 0, 100)                                                        \
    ROW(razoring_base, "razoring_base", 125, 0, 10000) /* worth 29 Elo (20,000 nodes) */           \
    ROW(razoring_step, "razoring_step", 20, 0, 10000)  /* per ply */                               \
    ROW(razoring_depth, "razoring_depth", 2, 0, 100)                                               \
    ROW(lmp_base, "lmp_base", 5, 0, 1000)                                                          \
    ROW(lmp_step, "lmp_step", 3, 0, 1000)          /* per ply squared, halved */                   \
    ROW(lmr_gap, "lmr_gap", 233, 1, 100000)        /* move score behind the best, per ply less */  \
    ROW(gap_base, "gap_base", 318, 0, 100000)      /* pruned when further behind than this */      \
    ROW(gap_step, "gap_step", 105, 0, 100000)      /* ... and this per ply */                      \
    ROW(lmr_scale, "lmr_scale", 25, 0, 1000)       /* percent of log2 depth * log2 index */        \
    ROW(lmr_on_pv, "lmr_on_pv", 100, -1000, 1000)  /* percent of a ply less ... */                 \
    ROW(lmr_threat, "lmr_threat", 67, -1000, 1000) /* ... on threats */                            \
    ROW(lmr_cut, "lmr_cut", 30, -1000, 1000)       /* ... more where a cut is expected */          \
    ROW(lmr_attack, "lmr_attack", 43, -1000, 1000) /* ... less when one threat follows another */  \
    ROW(lmr_worse, "lmr_worse", 92, -1000, 1000)   /* ... more where the score does not rise */    \
    ROW(again_margin, "again_margin", 78, -9999, 9999) /* a reduced look so far above alpha */     \
    ROW(again_step, "again_step", 11, 0, 9999)         /* ... and this per ply of reduction */     \
    ROW(again_gain, "again_gain", 67, 0, 90)           /* ... is repeated so much deeper */        \
    ROW(lmp_worse, "lmp_worse", 77, 0, 200)          /* percent of the bound on all moves there */ \
    ROW(rfp_guard, "rfp_guard", 4, 0, 4)             /* levels of danger: worth 76 */              \
    ROW(lmp_all_base, "lmp_all_base", 3, 0, 1000)    /* the bound on all moves */                  \
    ROW(lmp_all_step, "lmp_all_step", 97, 0, 10000)  /* percent of a steep ply */                  \
    ROW(nmp_depth, "nmp_depth", 4, 1, 100)           /* null move */                               \
    ROW(nmp_margin, "nmp_margin", 0, -10000, 10000)  /* above beta */                              \
    ROW(nmp_base, "nmp_base", 3, 0, 100)             /* plies less, and ... */                     \
    ROW(nmp_div, "nmp_div", 4, 1, 100)               /* ... one more for so many of depth */       \
    ROW(se_depth, "se_depth", 6, 1, 100)             /* singular extension */                      \
    ROW(se_margin, "se_margin", 4, 0, 1000)          /* per ply below what the table says */       \
    ROW(se_double, "se_double", 40, 0, 10000)        /* so far below it: two plies */              \
    ROW(fhr_base, "fhr_base", 100, -10000, 10000)    /* fail-high reduction: worth 35 */           \
    ROW(fhr_step, "fhr_step", 20, 0, 10000)          /* per ply */                                 \
    ROW(fhr_depth, "fhr_depth", 4, 1, 100)           /* from this depth */                         \
    ROW(policy_depth, "policy_depth", 2, 1, 100)     /* plies to the horizon, at least */          \
    ROW(killer_score, "killer_score", 139, 0, 10000) /* in units of move score */                  \
    ROW(history_score, "history_score", 68, 0, 1000) /* for half of the best history */            \
    ROW(first_gain, "first_gain", 52, -100, 90)      /* the table's move off the PV: more depth */ \
    ROW(raised_less, "raised_less", 48, 0, 300)      /* less depth once alpha has risen */         \
    ROW(time_stable, "time_stable", 8, 0, 100)       /* percent of the planned time less ... */    \
    ROW(time_least, "time_least", 60, 1, 100) /* ... down to this, per depth with the same move */ \
    ROW(time_changed, "time_changed", 60, 0, 1000) /* percent more when the move has changed */    \
    ROW(time_fall, "time_fall", 40, 0, 1000)       /* percent more per 100 that the score falls */ \
    ROW(time_forced, "time_forced", 50, 1, 100)    /* percent when a win must be stopped */        \
    ROW(vote_base, "vote_base", 200, 1, 100000)    /* threads: what a depth weighs beside score */

/* What ninuki does otherwise, each found by matches under that rule (docs/strength.md). */
#define NINUKI_PARAMS(ROW)                                                                         \
    ROW(vcf_lean, 0)                                                                               \
    ROW(aspiration_window, 100)                                                                    \
    ROW(vcf_nodes, 15)                                                                             \
    ROW(vcf_root_nodes, 30000) /* where captures answer, a failure takes long to tell */           \
    ROW(vct_root_nodes, 10000)                                                                     \
    ROW(futility_step, 120)                                                                        \
    ROW(rfp_step, 105)                                                                             \
    ROW(razoring_base, 120)                                                                        \
    ROW(razoring_step, 54)                                                                         \
    ROW(lmp_base, 2)                                                                               \
    ROW(lmp_step, 4)                                                                               \
    ROW(lmr_gap, 217)                                                                              \
    ROW(gap_base, 433)                                                                             \
    ROW(gap_step, 146)                                                                             \
    ROW(lmr_scale, 37)                                                                             \
    ROW(lmr_on_pv, 58)                                                                             \
    ROW(lmr_threat, 131)                                                                           \
    ROW(lmr_cut, 135)                                                                              \
    ROW(lmr_worse, 34)                                                                             \
    ROW(lmp_worse, 74)                                                                             \
    ROW(rfp_guard, 0)                                                                              \
    ROW(lmp_all_base, 5)                                                                           \
    ROW(lmp_all_step, 96)                                                                          \
    ROW(fhr_step, 9)                                                                               \
    ROW(killer_score, 108)                                                                         \
    ROW(history_score, 64)                                                                         \
    ROW(first_gain, 20)                                                                            \
    ROW(raised_less, 25)                                                                           \
    ROW(rfp_rising, 0) /* from here on: not tuned under ninuki */                                  \
    ROW(lmr_attack, 0)                                                                             \
    ROW(again_gain, 0)                                                                             \
    ROW(policy_depth, 3)

typedef struct {
#define FIELD(field, name, value, low, high) int32_t field;
    PARAMS(FIELD)
#undef FIELD
} Params;

/* What a row takes, under one rule. */
typedef struct {
    const char *name;
    int32_t standard; /* the value that the rule begins with */
    int32_t low, high;
} ParamInfo;

void params_default(Params *p, Rule rule);
/* Sets the row of that name; false when there is none or it does not take the value. */
bool params_set(Params *p, const char *name, int64_t value);
/* The value of a row. */
int32_t params_get(const Params *p, int index);
/* Fills in what the row takes under a rule; false after the last row. */
bool params_info(int index, Rule rule, ParamInfo *out);

#endif
