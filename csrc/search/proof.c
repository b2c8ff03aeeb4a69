#include "search/proof.h"

#include <string.h>

#include "base/platform.h"

Proof *proof_new(void) {
    return platform_alloc(sizeof(Proof));
}

void proof_free(Proof *p) {
    platform_free(p, sizeof *p);
}

void proof_clear(Proof *p) {
    if (p) memset(p, 0, sizeof *p);
}

static VcfTable table_of(Proof *f) {
    return (VcfTable){f->no_win, PROOF_VCF_SLOTS - 1};
}

int proof_vcf(Proof *f, Position *p, Budget *budget, int64_t max_nodes) {
    return vcf_prove(&f->vcf, p, table_of(f), budget, max_nodes, NULL);
}

int proof_vct(Proof *f, Position *p, Budget *budget, int64_t max_nodes) {
    if (p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST) return 0;
    return vct_search(&f->vct, p, &f->vcf, table_of(f), budget, max_nodes);
}

int proof_against(Proof *f, Position *p, Budget *budget, int64_t max_nodes, Bitboard *answers) {
    Zone zone;
    if (p->state != STATE_ONGOING) return 0;
    position_pass(p);
    const int plies = vcf_prove(&f->vcf, p, table_of(f), budget, max_nodes, &zone);
    position_unpass(p);
    if (plies) *answers = zone_close(&zone, p, position_to_move(p));
    return plies;
}
