#include "search/vct_walk.h"

#include "search/vct_dfpn.h"
#include "search/vct_moves.h"
#include "search/vct_table.h"

/* Plies of the win from before the move, which the table says is proved; 0 when it does not hold.
 */
static int walk_after(Vct *v, Cell c) {
    vct_make(v, c);
    const VctStand end = vct_decided(v);
    const int plies = end == VCT_OPEN ? vct_walk(v) : 0;
    vct_unmake(v);
    return plies || end == VCT_WON ? plies + 1 : 0;
}

/* The proved move that took the least work; -1 when the table has lost it. */
static int proved_move(Vct *v, const VctFrame *f) {
    int found = -1;
    u32 least = 0;
    for (int i = 0; i < f->count; i++) {
        const VctEntry *e = vct_find(v, vct_key_after(v, f->move[i]));
        if (!e || e->proof != 0 || (found >= 0 && e->work >= least)) continue;
        found = i;
        least = e->work;
    }
    return found;
}

static int walk_attacker(Vct *v, VctFrame *f) {
    for (int again = 0; again < 2 && !v->cut; again++) {
        const VctEntry *e = vct_find(v, vct_key_here(v));
        f->tries = e && e->tries != VCT_NO_FOURS ? e->tries : 0;
        const int plies = vct_win_by_fours(v, vct_nodes_of_try(VCT_FOURS, f->tries), NULL);
        if (plies) {
            f->best = v->vcf->line[0][0];
            return plies;
        }
        if (v->cut || vct_attacker_moves(v, f) != VCT_OPEN) return 0;
        const int i = proved_move(v, f);
        if (i >= 0) {
            f->best = f->move[i];
            return walk_after(v, f->best);
        }
        vct_work_on(v, VCT_ENDLESS, VCT_ENDLESS);
    }
    return 0;
}

/* Finds the replies again, however long it takes to see the threat. */
static VctStand walk_replies(Vct *v, VctFrame *f) {
    const VctEntry *e = vct_find(v, vct_key_here(v));
    f->tries = e && e->tries != VCT_NO_FOURS ? e->tries : 0;
    VctStand s;
    do s = vct_defender_moves(v, f);
    while (s == VCT_UNKNOWN && !v->cut);
    if (s == VCT_WON) { /* no reply can help: any legal one */
        f->count = 0;
        BB_FOR_EACH(c, &v->pos->board.empty)
        if (!f->count) vct_add_move(f, v->pos, c, 1);
        if (f->count) s = VCT_OPEN;
    }
    return v->cut ? VCT_UNKNOWN : s;
}

static int walk_defender(Vct *v, VctFrame *f) {
    if (walk_replies(v, f) != VCT_OPEN) return 0;
    int longest = 0;
    for (int i = 0; i < f->count; i++) {
        const int plies = walk_after(v, f->move[i]);
        if (!plies) return 0;
        if (plies <= longest) continue;
        longest = plies;
        f->best = f->move[i];
    }
    const int outside = f->threat_plies + 1; /* a reply outside the zone */
    return longest > outside ? longest : outside;
}

static void note_win(Vct *v, int plies, Cell best) {
    wins_note(v->threats, v->pos->board.key, vct_attacking(v) ? plies : -plies, best);
}

/* The win does not hold: the search has to work on the position again. */
static void drop_proof(Vct *v) {
    VctEntry *e = vct_find(v, vct_key_here(v));
    if (e && vct_is_proved(e)) e->proof = e->disproof = 1;
}

int vct_walk(Vct *v) {
    VctEntry *e = vct_find(v, vct_key_here(v));
    if (e && e->plies) { /* the wins may have lost it */
        note_win(v, e->plies, e->best);
        return e->plies;
    }
    const int64_t before = v->nodes++;
    if (budget_node(v->budget) || v->nodes >= v->max_nodes) v->cut = true;
    if (v->cut || v->ply >= VCT_PLY) return 0;
    VctFrame *f = &v->frame[v->ply];
    const int plies = vct_attacking(v) ? walk_attacker(v, f) : walk_defender(v, f);
    if (!plies) {
        if (!v->cut) drop_proof(v);
        return 0;
    }
    note_win(v, plies, f->best);
    e = vct_slot_for(v, vct_key_here(v));
    e->proof = 0;
    e->disproof = VCT_ENDLESS;
    e->plies = (u16)plies;
    e->best = f->best;
    vct_add_work(e, v->nodes - before);
    return plies;
}

/* The attacker's win by fours ends the line; false where he has none that the walk has seen. */
static bool end_by_fours(Vct *v) {
    const VctEntry *e = vct_find(v, vct_key_here(v));
    const int tries = e && e->tries != VCT_NO_FOURS ? e->tries : 0;
    if (!vct_attacking(v) || !vct_win_by_fours(v, vct_nodes_of_try(VCT_FOURS, tries), NULL))
        return false;
    for (int i = 0; i < v->vcf->length[0] && v->length < VCT_LINE; i++)
        v->line[v->length++] = v->vcf->line[0][i];
    return true;
}

void vct_follow(Vct *v) {
    v->length = 0;
    while (v->length < VCT_LINE && vct_decided(v) == VCT_OPEN && !end_by_fours(v)) {
        if (!vct_walk(v)) break; /* it is read from the table, unless that has lost it */
        const VctEntry *e = vct_find(v, vct_key_here(v));
        v->line[v->length++] = e->best;
        vct_make(v, e->best);
    }
    while (v->ply > 0) vct_unmake(v);
}
