/* params.h - every parameter of the search, in one table.
 *
 * The comment of a row ends with its measured worth in Elo: the engine with it against the engine
 * without it, freestyle 15x15, 10,000 nodes a move, 150 to 300 games, with the 95% error
 * (docs/experiments/log.csv). "SPSA": tuned together with some 30 other parameters, not measured
 * alone. Together they are worth 54 +- 30 (freestyle), 85 +- 36 (standard), 63 +- 33 (renju) and 48
 * +- 28 (ninuki) at 50 ms a move.
 */
#ifndef BASE_PARAMS_H
#define BASE_PARAMS_H

#include "base/base.h"

/* Switches, 0 or 1: prune.FIELD.        field, value */
#define SWITCHES(ROW)                                                                              \
    ROW(alphabeta, 1)              /* windows; 0: plain negamax; 798 */                            \
    ROW(deepening, 1)              /* 0: starts at the depth limit; 869 */                         \
    ROW(tt_order, 1)               /* the move of the table first; 139 +- 51 */                    \
    ROW(tt, 1)                     /* table cutoffs; 103 +- 48 */                                  \
    ROW(pvs, 1)                    /* null windows after the first move; 459 +- 117 */             \
    ROW(aspiration, 1)             /* narrow window at the root; -30 +- 44 */                      \
    ROW(vcf, 1)                    /* VCF at the horizon and the root; 42 +- 50 */                 \
    ROW(vcf_lean, 1)               /* ... without lone fours; 75 +- 47 */                          \
    ROW(vct, 1)                    /* VCT at the root; -37 +- 39 */                                \
    ROW(vcf_defence, 1)            /* root: only moves that stop a VCF; -7 +- 45 */                \
    ROW(open_four_defence, 1)      /* only answers to a threatened open four; 23 +- 49 */          \
    ROW(stand_pat, 1)              /* no VCF at a horizon that reaches beta; 14 +- 39 */           \
    ROW(killers, 1)                /* killers and countermoves first; -5 +- 50 */                  \
    ROW(history, 1)                /* order by history; -30 +- 49 */                               \
    ROW(tt_history, 0)             /* table cutoffs teach the history; decision 0144 */            \
    ROW(conthist, 0)               /* continuation history; off: -24 to 17 */                      \
    ROW(policy, 1)                 /* the policy network orders moves; 26 +- 46 */                 \
    ROW(policy_root, 0)            /* ... at the root, too; decision 0144 */                       \
    ROW(threat_ext, 1)             /* an answer to a five costs no depth; 61 +- 45 */              \
    ROW(singular, 0)               /* singular extension; off: -48 to -5 */                        \
    ROW(nmp, 0)                    /* null move; off: -19 to 7 */                                  \
    ROW(fail_high_reduction, 1)    /* one ply less far above beta; -30 +- 49 */                    \
    ROW(damping, 0)                /* scores outside the window drawn to it; decision 0144 */      \
    ROW(lmr, 1)                    /* late move reductions; 47 +- 46 */                            \
    ROW(lmr_score, 1)              /* ... by move score; 5 +- 43 */                                \
    ROW(lmr_pv, 1)                 /* ... in PV nodes; 26 +- 49 */                                 \
    ROW(lmr_root, 1)               /* ... at the root; 42 +- 48 */                                 \
    ROW(lmr_research, 1)           /* ... with a deeper research; -2 +- 41 */                      \
    ROW(move_count_pruning, 1)     /* of quiet moves; 0 +- 51 */                                   \
    ROW(move_score_pruning, 1)     /* quiet moves far behind the best score; -5 +- 47 */           \
    ROW(move_count_pruning_all, 1) /* of all moves; 179 +- 60 */                                   \
    ROW(futility, 1)               /* quiet moves of hopeless nodes; 16 +- 28 */                   \
    ROW(rfp, 1)                    /* reverse futility; 54 +- 46 */                                \
    ROW(razoring, 1)               /* hopeless nodes: VCF or nothing; -40 +- 44 */                 \
    ROW(iir, 1)                    /* less depth without a table move; -23 +- 43 */                \
    ROW(confirm_win, 1)            /* a win counts once two depths find it; 0 +- 51 */             \
    ROW(kept_proofs, 1)            /* proofs kept from move to move; not measured alone */

/* Numbers: FIELD.        field, value, low, high */
#define NUMBERS(ROW)                                                                               \
    ROW(width, 0, 0, MAX_SQUARES)             /* levels: moves searched; 0: all */                 \
    ROW(beginner_order, 0, 0, 1)              /* levels: root order of a beginner */               \
    ROW(beginner_bias, 0, 0, 10)              /* levels: own shapes first */                       \
    ROW(aspiration_window, 47, 1, 10000)      /* half of the first window; SPSA */                 \
    ROW(aspiration_growth, 3, 2, 100)         /* factor after a failure; not measured alone */     \
    ROW(vcf_nodes, 60, 0, 1000000)            /* of one VCF at the horizon; 50: 9 +- 66 */         \
    ROW(vcf_root_nodes, 200000, 0, 100000000) /* at most, at the root; not measured alone */       \
    ROW(vct_root_nodes, 200000, 0, 100000000) /* at most, of each call; not measured alone */      \
    ROW(futility_base, 100, 0, 10000)         /* SPSA */                                           \
    ROW(futility_step, 148, 0, 10000)         /* per ply; SPSA */                                  \
    ROW(futility_depth, 6, 0, 100)            /* not measured alone */                             \
    ROW(rfp_step, 27, 0, 10000)               /* per ply; SPSA */                                  \
    ROW(rfp_improving, 77, -1000, 1000)       /* percent of a ply, improving; 12 +- 42 */          \
    ROW(rfp_depth, 30, 0, 100)                /* not measured alone */                             \
    ROW(razoring_base, 125, 0, 10000)         /* SPSA; 30 at first: 29 +- 52 */                    \
    ROW(razoring_step, 20, 0, 10000)          /* per ply; SPSA */                                  \
    ROW(razoring_depth, 2, 0, 100)            /* not measured alone */                             \
    ROW(move_count_base, 5, 0, 1000)          /* SPSA */                                           \
    ROW(move_count_step, 3, 0, 1000)          /* per ply squared, halved; SPSA */                  \
    ROW(lmr_gap, 233, 1, 100000)              /* move score per ply; SPSA */                       \
    ROW(move_score_base, 318, 0, 100000)      /* move score; SPSA */                               \
    ROW(move_score_step, 105, 0, 100000)      /* per ply; SPSA */                                  \
    ROW(lmr_scale, 25, 0, 1000)               /* percent of log2 depth * log2 index; SPSA */       \
    ROW(lmr_root_scale, 25, 0, 1000)          /* ... at the root; decision 0144 */                 \
    ROW(lmr_on_pv, 100, -1000, 1000)          /* percent of a ply less on the PV; SPSA */          \
    ROW(lmr_threat, 67, -1000, 1000)          /* ... less on threats; SPSA */                      \
    ROW(lmr_cut_node, 30, -1000, 1000)        /* ... more in cut nodes; SPSA */                    \
    ROW(lmr_threat_sequence, 43, -1000,                                                            \
        1000) /* ... less in a sequence of threats; -38 +- 40, 28 +- 35 */                         \
    ROW(lmr_not_improving, 92, -1000, 1000)   /* ... more if not improving; SPSA */                \
    ROW(lmr_after_forced, 0, -1000, 1000)     /* ... less after forced moves; decision 0144 */     \
    ROW(lmr_research_margin, 78, -9999, 9999) /* score above alpha; SPSA */                        \
    ROW(lmr_research_step, 11, 0, 9999)       /* per ply of reduction; SPSA */                     \
    ROW(lmr_research_extension, 67, 0, 90)    /* percent of a ply; SPSA */                         \
    ROW(move_count_not_improving, 77, 0, 200) /* percent of the bound on all moves; SPSA */        \
    ROW(rfp_threat_classes, 4, 0, 4)          /* 0 to 4 classes of threats; 0: -9 +- 52 */         \
    ROW(move_count_all_base, 3, 0, 1000)      /* SPSA */                                           \
    ROW(move_count_all_step, 97, 0, 10000)    /* percent of a steep ply; SPSA */                   \
    ROW(move_count_pv, 200, 1, 400)           /* percent of it in PV nodes; decision 0144 */       \
    ROW(move_count_far, 100, 1, 400)          /* ... far below alpha; decision 0144 */             \
    ROW(move_count_near, 100, 1, 400)         /* ... near alpha or above; decision 0144 */         \
    ROW(nmp_depth, 4, 1, 100)                 /* null move */                                      \
    ROW(nmp_margin, 0, -10000, 10000)         /* above beta */                                     \
    ROW(nmp_base, 3, 0, 100)                  /* plies less */                                     \
    ROW(nmp_div, 4, 1, 100)                   /* one more per so many plies */                     \
    ROW(singular_depth, 6, 1, 100)            /* singular extension */                             \
    ROW(singular_margin, 4, 0, 1000)          /* per ply below the score of the table */           \
    ROW(singular_double, 40, 0, 10000)        /* so far below: two plies */                        \
    ROW(iir_depth, 4, 1, 100)                 /* least depth of internal reductions */             \
    ROW(fail_high_base, 100, -10000, 10000)   /* 35 +- 36 */                                       \
    ROW(fail_high_step, 20, 0, 10000)         /* per ply; SPSA */                                  \
    ROW(fail_high_depth, 4, 1, 100)           /* not measured alone */                             \
    ROW(policy_depth, 2, 1, 100)              /* plies to the horizon; not measured alone */       \
    ROW(killer_score, 139, 0, 10000)          /* in units of move score; SPSA */                   \
    ROW(history_score, 68, 0, 1000)           /* for half of the best history; SPSA */             \
    ROW(tt_move_extension, 52, -100, 90)      /* percent of a ply off the PV; SPSA */              \
    ROW(alpha_raised_reduction, 48, 0, 300)   /* percent of a ply once alpha has risen; SPSA */    \
    ROW(time_changed, 60, 0, 1000)            /* percent more when the move has changed */         \
    ROW(time_fall, 90, 0, 1000)               /* percent more per 100 that the score falls */      \
    ROW(time_effort, 100, 0, 180)             /* by the best move's share of nodes, timeman.h */   \
    ROW(time_forced, 50, 1, 100)              /* percent when a win must be stopped */             \
    ROW(vote_base, 200, 1, 100000)            /* threads: weight of a depth beside the score */

/* Values chosen together by screens, for the rules where matches speak for them (decision 0144). */
#define DAMPED_PARAMS(ROW, RULE)                                                                   \
    ROW(RULE, damping, 1)                                                                          \
    ROW(RULE, tt_history, 1)                                                                       \
    ROW(RULE, policy_root, 1)                                                                      \
    ROW(RULE, aspiration_window, 30)                                                               \
    ROW(RULE, futility_step, 125)                                                                  \
    ROW(RULE, futility_depth, 5)                                                                   \
    ROW(RULE, rfp_improving, 100)                                                                  \
    ROW(RULE, lmr_gap, 262)                                                                        \
    ROW(RULE, lmr_scale, 24)                                                                       \
    ROW(RULE, lmr_root_scale, 17)                                                                  \
    ROW(RULE, lmr_not_improving, 110)                                                              \
    ROW(RULE, lmr_after_forced, 50)                                                                \
    ROW(RULE, move_count_all_step, 90)                                                             \
    ROW(RULE, move_count_pv, 150)                                                                  \
    ROW(RULE, move_count_far, 75)                                                                  \
    ROW(RULE, move_count_near, 125)                                                                \
    ROW(RULE, iir_depth, 6)                                                                        \
    ROW(RULE, fail_high_base, 130)                                                                 \
    ROW(RULE, tt_move_extension, 35)                                                               \
    ROW(RULE, alpha_raised_reduction, 58)

/* Values that differ under ninuki, found by matches (docs/strength.md). */
#define NINUKI_PARAMS(ROW)                                                                         \
    ROW(NINUKI, vcf_lean, 0)                                                                       \
    ROW(NINUKI, aspiration_window, 100)                                                            \
    ROW(NINUKI, vcf_nodes, 15)                                                                     \
    ROW(NINUKI, vcf_root_nodes, 30000) /* a failure is slow with captures */                       \
    ROW(NINUKI, vct_root_nodes, 10000)                                                             \
    ROW(NINUKI, futility_step, 120)                                                                \
    ROW(NINUKI, rfp_step, 105)                                                                     \
    ROW(NINUKI, razoring_base, 120)                                                                \
    ROW(NINUKI, razoring_step, 54)                                                                 \
    ROW(NINUKI, move_count_base, 2)                                                                \
    ROW(NINUKI, move_count_step, 4)                                                                \
    ROW(NINUKI, lmr_gap, 217)                                                                      \
    ROW(NINUKI, move_score_base, 433)                                                              \
    ROW(NINUKI, move_score_step, 146)                                                              \
    ROW(NINUKI, lmr_root_scale, 37)                                                                \
    ROW(NINUKI, lmr_scale, 37)                                                                     \
    ROW(NINUKI, lmr_on_pv, 58)                                                                     \
    ROW(NINUKI, lmr_threat, 131)                                                                   \
    ROW(NINUKI, lmr_cut_node, 135)                                                                 \
    ROW(NINUKI, lmr_not_improving, 34)                                                             \
    ROW(NINUKI, move_count_not_improving, 74)                                                      \
    ROW(NINUKI, rfp_threat_classes, 0)                                                             \
    ROW(NINUKI, move_count_all_base, 5)                                                            \
    ROW(NINUKI, move_count_all_step, 96)                                                           \
    ROW(NINUKI, fail_high_step, 9)                                                                 \
    ROW(NINUKI, killer_score, 108)                                                                 \
    ROW(NINUKI, history_score, 64)                                                                 \
    ROW(NINUKI, tt_move_extension, 20)                                                             \
    ROW(NINUKI, alpha_raised_reduction, 25)                                                        \
    ROW(NINUKI, rfp_improving, 0) /* from here on: not tuned */                                    \
    ROW(NINUKI, lmr_threat_sequence, 0)                                                            \
    ROW(NINUKI, lmr_research_extension, 0)                                                         \
    ROW(NINUKI, policy_depth, 3)

/* Values that differ under pente and keryo. They are ninuki's, not measured under these rules. */
#define PENTE_PARAMS(ROW, RULE)                                                                    \
    ROW(RULE, vcf_lean, 0)                                                                         \
    ROW(RULE, aspiration_window, 100)                                                              \
    ROW(RULE, vcf_nodes, 15)                                                                       \
    ROW(RULE, vcf_root_nodes, 30000)                                                               \
    ROW(RULE, vct_root_nodes, 10000)                                                               \
    ROW(RULE, futility_step, 120)                                                                  \
    ROW(RULE, rfp_step, 105)                                                                       \
    ROW(RULE, razoring_base, 120)                                                                  \
    ROW(RULE, razoring_step, 54)                                                                   \
    ROW(RULE, move_count_base, 2)                                                                  \
    ROW(RULE, move_count_step, 4)                                                                  \
    ROW(RULE, lmr_gap, 217)                                                                        \
    ROW(RULE, move_score_base, 433)                                                                \
    ROW(RULE, move_score_step, 146)                                                                \
    ROW(RULE, lmr_root_scale, 37)                                                                  \
    ROW(RULE, lmr_scale, 37)                                                                       \
    ROW(RULE, lmr_on_pv, 58)                                                                       \
    ROW(RULE, lmr_threat, 131)                                                                     \
    ROW(RULE, lmr_cut_node, 135)                                                                   \
    ROW(RULE, lmr_not_improving, 34)                                                               \
    ROW(RULE, move_count_not_improving, 74)                                                        \
    ROW(RULE, rfp_threat_classes, 0)                                                               \
    ROW(RULE, move_count_all_base, 5)                                                              \
    ROW(RULE, move_count_all_step, 96)                                                             \
    ROW(RULE, fail_high_step, 9)                                                                   \
    ROW(RULE, killer_score, 108)                                                                   \
    ROW(RULE, history_score, 64)                                                                   \
    ROW(RULE, tt_move_extension, 20)                                                               \
    ROW(RULE, alpha_raised_reduction, 25)                                                          \
    ROW(RULE, rfp_improving, 0)                                                                    \
    ROW(RULE, lmr_threat_sequence, 0)                                                              \
    ROW(RULE, lmr_research_extension, 0)                                                           \
    ROW(RULE, policy_depth, 3)

/* Rows RULE, FIELD, value: the values that differ from the tables above, for each rule. */
#define RULE_PARAMS(ROW)                                                                           \
    DAMPED_PARAMS(ROW, FREESTYLE)                                                                  \
    DAMPED_PARAMS(ROW, STANDARD)                                                                   \
    NINUKI_PARAMS(ROW)                                                                             \
    PENTE_PARAMS(ROW, PENTE)                                                                       \
    PENTE_PARAMS(ROW, KERYO)

/* Names of version 0.1, accepted for one more version. */
#define PARAM_ALIASES(ROW)                                                                         \
    ROW("prune.against", "prune.vcf_defence")                                                      \
    ROW("prune.defence", "prune.open_four_defence")                                                \
    ROW("prune.fhr", "prune.fail_high_reduction")                                                  \
    ROW("prune.again", "prune.lmr_research")                                                       \
    ROW("prune.lmp", "prune.move_count_pruning")                                                   \
    ROW("prune.lmp_gap", "prune.move_score_pruning")                                               \
    ROW("prune.lmp_all", "prune.move_count_pruning_all")                                           \
    ROW("prune.confirm", "prune.confirm_win")                                                      \
    ROW("prune.known", "prune.kept_proofs")                                                        \
    ROW("plain_sight", "beginner_order")                                                           \
    ROW("eager", "beginner_bias")                                                                  \
    ROW("rfp_rising", "rfp_improving")                                                             \
    ROW("lmp_base", "move_count_base")                                                             \
    ROW("lmp_step", "move_count_step")                                                             \
    ROW("gap_base", "move_score_base")                                                             \
    ROW("gap_step", "move_score_step")                                                             \
    ROW("lmr_cut", "lmr_cut_node")                                                                 \
    ROW("lmr_attack", "lmr_threat_sequence")                                                       \
    ROW("lmr_worse", "lmr_not_improving")                                                          \
    ROW("again_margin", "lmr_research_margin")                                                     \
    ROW("again_step", "lmr_research_step")                                                         \
    ROW("again_gain", "lmr_research_extension")                                                    \
    ROW("lmp_worse", "move_count_not_improving")                                                   \
    ROW("rfp_guard", "rfp_threat_classes")                                                         \
    ROW("lmp_all_base", "move_count_all_base")                                                     \
    ROW("lmp_all_step", "move_count_all_step")                                                     \
    ROW("se_depth", "singular_depth")                                                              \
    ROW("se_margin", "singular_margin")                                                            \
    ROW("se_double", "singular_double")                                                            \
    ROW("fhr_base", "fail_high_base")                                                              \
    ROW("fhr_step", "fail_high_step")                                                              \
    ROW("fhr_depth", "fail_high_depth")                                                            \
    ROW("first_gain", "tt_move_extension")                                                         \
    ROW("raised_less", "alpha_raised_reduction")

typedef struct {
#define SWITCH(field, value) int32_t field;
#define NUMBER(field, value, low, high) int32_t field;
    SWITCHES(SWITCH)
    NUMBERS(NUMBER)
#undef SWITCH
#undef NUMBER
} Params;

/* A row under one rule. */
typedef struct {
    const char *name;
    int32_t standard; /* the default under the rule */
    int32_t low, high;
} ParamInfo;

void params_default(Params *p, Rule rule);
/* An old name of a row. */
typedef struct {
    const char *old, *name;
} ParamAlias;

/* Sets the row with this name or old name; false if it is unknown or the value out of bounds. */
bool params_set(Params *p, const char *name, int64_t value);
/* The value of a row. */
int32_t params_get(const Params *p, int index);
/* Writes row `index` under a rule to *out; false after the last row. */
bool params_info(int index, Rule rule, ParamInfo *out);
/* Writes old name `index` to *out; false after the last one. */
bool params_alias(int index, ParamAlias *out);

#endif
