#include "search/proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "search/threats.h"

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

/* --- known wins --------------------------------------------------------------------------- */

/* The wins that a line may use. */
typedef enum { BY_FOURS, BY_THREATS } Kind;

/* The known entry of the position: the shortest win, or the longest defence of a tree. */
static const Win *known(const Proof *f, Kind kind, const Position *p) {
    const Win *fours = wins_find(&f->fours, p->board.key);
    const Win *threats = kind == BY_THREATS ? wins_find(&f->threats, p->board.key) : NULL;
    if (!fours || !threats) return fours ? fours : threats;
    return abs(threats->plies) < abs(fours->plies) ? threats : fours;
}

/* Follows the known moves to the end of the win. Returns the length of the line; 0: a position of
 * it has been overwritten. */
static int known_line(const Proof *f, Kind kind, Position *p, Cell *line, int capacity) {
    int length = 0, made = 0;
    bool ended = false;
    while (!ended && length < capacity) {
        const bool attacking = length % 2 == 0;
        const Cell now = attacking ? threat_win_now(p) : (Cell)NO_CELL;
        const Win *w = now == NO_CELL ? known(f, kind, p) : NULL;
        if (now == NO_CELL && (!w || (w->plies > 0) != attacking || position_forbidden(p, w->move)))
            break;
        line[length++] = w ? w->move : now;
        ended = now != NO_CELL;
        if (ended) break;
        position_make(p, w->move);
        made++;
        ended = p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST;
    }
    for (; made > 0; made--) position_unmake(p);
    return ended ? length : 0;
}

/* Replaces *line and *length by a known win that is shorter than `plies` (0: any), if its whole
 * line is known. Returns the plies of the win in *line. */
static int shortest(const Proof *f, Kind kind, Position *p, int plies, Cell *line, int *length) {
    const Win *w = p->state == STATE_ONGOING ? known(f, kind, p) : NULL;
    if (!w || w->plies <= 0 || (plies && w->plies >= plies)) return plies;
    Cell found[VCT_LINE];
    const int n = known_line(f, kind, p, found, kind == BY_FOURS ? VCF_PLY : VCT_LINE);
    if (!n) return plies;
    memcpy(line, found, (size_t)n * sizeof *line);
    *length = n;
    return w->plies;
}

int proof_known(Proof *f, Position *p) {
    return shortest(f, BY_THREATS, p, 0, f->vct.line, &f->vct.length);
}

/* --- announced wins ----------------------------------------------------------------------- */

void proof_announce(Proof *f, const Position *p, Cell move, int plies) {
    f->announced = (Announced){position_key_after(p, move), plies - 1};
}

/* If the position was set up, the reply is unknown: it may be any stone of the opponent. Replies
 * that capture are recognised by the moves of the game only. */
int proof_announced(const Proof *f, const Position *p) {
    const Announced *a = &f->announced;
    const Color them = other(position_to_move(p));
    const u64 before = a->key ^ p->board.zobrist->to_move;
    if (a->plies <= 1) return 0;
    if (p->plies && p->ply[p->plies - 1].key == a->key) return a->plies - 1;
    BB_FOR_EACH(c, &p->board.stones[them])
    if ((p->board.key ^ p->board.zobrist->stone[them][c]) == before) return a->plies - 1;
    return 0;
}

/* --- searches ----------------------------------------------------------------------------- */

int proof_vcf(Proof *f, Position *p, Budget *budget, int64_t max_nodes) {
    int plies = vcf_prove(&f->vcf, p, table_of(f), budget, max_nodes, NULL, &f->fours);
    if (plies) plies = vcf_shorten(&f->vcf, plies);
    return shortest(f, BY_FOURS, p, plies, f->vcf.line[0], &f->vcf.length[0]);
}

bool proof_loses_to_fours(Proof *f, Position *p, Budget *budget, int64_t max_nodes) {
    return vcf_prove(&f->vcf, p, table_of(f), budget, max_nodes, NULL, &f->fours) > 0;
}

int proof_vct(Proof *f, const EvalTable *eval, Position *p, Budget *budget, int64_t max_nodes) {
    Vct *v = &f->vct;
    v->eval = eval;
    if (p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST) {
        v->answer = VCT_NO_WIN;
        v->turn = 0; /* the answer is not that of v->root: the next call begins anew */
        return 0;
    }
    v->vcf = &f->vcf;
    v->table = table_of(f);
    v->fours = &f->fours;
    v->threats = &f->threats;
    const int plies = vct_search(v, p, budget, max_nodes);
    return shortest(f, BY_THREATS, p, plies, v->line, &v->length);
}

int proof_against(Proof *f, Position *p, Budget *budget, int64_t max_nodes, Bitboard *answers) {
    Zone zone;
    if (p->state != STATE_ONGOING) return 0;
    position_pass(p);
    const int plies = vcf_prove(&f->vcf, p, table_of(f), budget, max_nodes, &zone, NULL);
    position_unpass(p);
    if (plies) *answers = zone_close(&zone, p, position_to_move(p));
    return plies;
}
