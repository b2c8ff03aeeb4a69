#include "search/vct_dfpn.h"

#include "search/vct_moves.h"
#include "search/vct_table.h"

/* As the side to move sees a node: what it takes to win it (phi), and to lose it (delta). */
typedef struct {
    u32 phi, delta;
} Numbers;

static Numbers child_numbers(Vct *v, const VctFrame *f, int i) {
    const VctEntry *e = vct_find(v, vct_key_after(v, f->move[i]));
    if (vct_attacking(v)) return e ? (Numbers){e->disproof, e->proof} : (Numbers){1, f->cost[i]};
    return e ? (Numbers){e->proof, e->disproof} : (Numbers){1, 1};
}

typedef struct {
    Numbers node, best;
    u32 second; /* delta of the next best child */
    u32 rest;   /* what the node's delta has beyond the best child's phi */
    int index;  /* of the best child */
    int open;   /* children whose phi is not 0 */
} Choice;

static Choice choose(Vct *v, const VctFrame *f) {
    Choice c = {.node = {VCT_ENDLESS, 0}, .second = VCT_ENDLESS};
    u32 most = 0, sum = 0;
    for (int i = 0; i < f->count; i++) {
        const Numbers n = child_numbers(v, f, i);
        sum = sum + n.phi < VCT_ENDLESS ? sum + n.phi : VCT_ENDLESS;
        most = n.phi > most ? n.phi : most;
        c.open += n.phi > 0;
        if (n.delta < c.node.phi) {
            c.second = c.node.phi;
            c.node.phi = n.delta;
            c.best = n;
            c.index = i;
        } else if (n.delta < c.second) {
            c.second = n.delta;
        }
    }
    c.node.delta = sum;
    if (vct_attacking(v) && sum < VCT_ENDLESS)
        c.node.delta = most + (u32)(c.open > 0 ? c.open - 1 : 0) / 2;
    c.rest = c.node.delta - c.best.phi;
    if (c.node.phi == 0) c.node.delta = VCT_ENDLESS;
    return c;
}

void vct_work_on(Vct *v, u32 phi, u32 delta) {
    VctFrame *f = &v->frame[v->ply];
    const int64_t before = v->nodes++;
    if (budget_node(v->budget) || v->nodes >= v->max_nodes) v->cut = true;
    if (v->cut) return;
    const VctStand s = vct_expand(v, f);
    if (v->cut) return;
    if (s != VCT_OPEN) {
        vct_store_settled(v, s, v->nodes - before);
        return;
    }
    for (;;) {
        const Choice c = choose(v, f);
        if (v->cut || c.node.phi >= phi || c.node.delta >= delta) {
            const bool ours = vct_attacking(v);
            vct_store(v, ours ? c.node.phi : c.node.delta, ours ? c.node.delta : c.node.phi,
                      v->nodes - before);
            return;
        }
        /* a quarter more than the next best, so that it does not swing to and fro */
        const u32 margin = c.second >= VCT_ENDLESS ? VCT_ENDLESS : c.second + c.second / 4 + 1;
        vct_make(v, f->move[c.index]);
        vct_work_on(v, delta >= VCT_ENDLESS ? VCT_ENDLESS : delta - c.rest,
                    phi < margin ? phi : margin);
        vct_unmake(v);
    }
}
