#include "search/vct_dfpn.h"

#include "search/vct_moves.h"
#include "search/vct_table.h"

/* The proof number of an attacker's move is that of the position after it, multiplied by 1.5 for a
 * move that is far from the last one, plus the step of the move. Without the step a chain of fours
 * would look as cheap as its first four. */
static VctNumbers child_numbers(Vct *v, const VctFrame *f, int i) {
    const VctEntry *e = vct_find(v, vct_key_after(v, f->move[i]));
    if (!vct_attacking(v))
        return e ? (VctNumbers){e->proof, e->disproof} : (VctNumbers){1, f->cost[i]};
    VctNumbers n = {1, f->cost[i]};
    if (e) n = (VctNumbers){e->disproof, e->proof};
    if (n.delta == 0 || n.delta >= VCT_ENDLESS) return n;
    n.delta += (f->distant[i] ? n.delta / 2 : 0) + f->step[i];
    if (n.delta >= VCT_ENDLESS) n.delta = VCT_ENDLESS - 1;
    return n;
}

typedef struct {
    VctNumbers node, best;
    u32 second; /* delta of the next best child */
    u32 rest;   /* what the node's delta has beyond the best child's phi */
    int index;  /* of the best child */
    int open;   /* children whose phi is not 0 */
} Choice;

static Choice choose(const Vct *v, const VctFrame *f) {
    Choice c = {.node = {VCT_ENDLESS, 0}, .second = VCT_ENDLESS};
    u32 most = 0, sum = 0;
    for (int i = 0; i < f->count; i++) {
        const VctNumbers n = f->child[i];
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

/* Chooses by the children's numbers in the frame. The table may have newer numbers of the best
 * child, so these are read again. */
static Choice choose_anew(Vct *v, VctFrame *f) {
    for (;;) {
        const Choice c = choose(v, f);
        const VctNumbers n = child_numbers(v, f, c.index);
        VctNumbers *known = &f->child[c.index];
        if (n.phi == known->phi && n.delta == known->delta) return c;
        *known = n;
    }
}

/* The limit for a child's own number: the smallest for which child_numbers reaches `limit`. A
 * reply has no step and is not distant. */
static u32 limit_below(const VctFrame *f, int i, u32 limit) {
    if (limit >= VCT_ENDLESS) return limit;
    limit = limit > f->step[i] ? limit - f->step[i] : 1;
    return f->distant[i] ? (2 * limit + 2) / 3 : limit;
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
    for (int i = 0; i < f->count; i++) f->child[i] = child_numbers(v, f, i);
    for (;;) {
        const Choice c = choose_anew(v, f);
        if (v->cut || c.node.phi >= phi || c.node.delta >= delta) {
            const bool ours = vct_attacking(v);
            vct_store(v, ours ? c.node.phi : c.node.delta, ours ? c.node.delta : c.node.phi,
                      v->nodes - before);
            return;
        }
        /* a quarter more than the next best, so that it does not swing to and fro */
        const u32 margin = c.second >= VCT_ENDLESS ? VCT_ENDLESS : c.second + c.second / 4 + 1;
        const u32 limit = limit_below(f, c.index, phi < margin ? phi : margin);
        vct_make(v, f->move[c.index]);
        vct_work_on(v, delta >= VCT_ENDLESS ? VCT_ENDLESS : delta - c.rest, limit);
        vct_unmake(v);
    }
}
