#include "search/level.h"

typedef struct {
    int depth;
    int64_t nodes;
    int width; /* moves searched in each position; 0: all */
    bool beginner_order;
    int beginner_bias;
    int vcf;  /* nodes of a VCF search at the horizon; 0: no VCF, also at the root */
    bool vct; /* VCT at the root, and answers to the opponent's VCF */
} Level;

static const Level LEVELS[LEVEL_FULL - LEVEL_LOWEST] = {
    {.depth = 1, .nodes = 50, .width = 1, .beginner_order = true, .beginner_bias = 2},
    {.depth = 1, .nodes = 200, .width = 3, .beginner_order = true, .beginner_bias = 2},
    {.depth = 1, .nodes = 300, .width = 5, .beginner_order = true},
    {.depth = 2, .nodes = 700, .width = 6},
    {.depth = 4, .nodes = 2200, .width = 9},
    {.depth = 6, .nodes = 2500, .width = 9, .vcf = 20},
    {.depth = 8, .nodes = 7500, .width = 15, .vcf = 40, .vct = true},
    {.depth = 12, .nodes = 20000, .width = 25, .vcf = 60, .vct = true},
    {.depth = 20, .nodes = 55000, .vcf = 60, .vct = true},
};

static int lower(int one, int other) {
    return one < other ? one : other;
}

void level_apply(int level, Params *q, SearchLimits *limits) {
    if (level >= LEVEL_FULL) return;
    const Level *v = &LEVELS[level - LEVEL_LOWEST];
    limits->depth = lower(limits->depth, v->depth);
    if (limits->nodes < 0 || limits->nodes > v->nodes) limits->nodes = v->nodes;
    if (v->width) q->width = q->width ? lower(q->width, v->width) : v->width;
    q->beginner_order |= v->beginner_order;
    if (v->beginner_bias > q->beginner_bias) q->beginner_bias = v->beginner_bias;
    q->vcf &= v->vcf > 0;
    q->vcf_nodes = lower(q->vcf_nodes, v->vcf);
    q->vct &= v->vct;
    q->kept_proofs &= v->vct;
    q->vcf_defence &= v->vct;
}
