/* threat.h - wins that need no search: a five now, or fours without end (VCF).
 *
 * Every claim is a proof: each attacker's move is legal under the rule and threatens to win at
 * once, and every reply that might prevent it is refuted. That takes more than the five's square
 * under three rules: renju (Black may not block on a barred square), caro (a stone at the open end
 * closes a five before it is made) and ninuki (captures take stones out of a four, or prepare to).
 */
#ifndef SEARCH_THREAT_H
#define SEARCH_THREAT_H

#include "position/movegen.h"
#include "search/budget.h"
#include "search/score.h"

enum { VCF_PLY = 96, VCF_CACHE = 1 << 14 };

/* Positions in which the side to move has no VCF, found out for good. */
typedef struct {
    u64 no_win[VCF_CACHE];
} VcfCache;

typedef struct {
    Position *pos;
    VcfCache *cache;
    Budget *budget;
    int64_t nodes, max_nodes;
    int ply;
    bool cut; /* a limit was met: a failure proves nothing */
    int length[VCF_PLY + 2];
    Cell line[VCF_PLY + 2][VCF_PLY + 2];
} Vcf;

/* A square on which the side to move wins at once, or NO_CELL. */
Cell threat_win_now(Position *p);
/* A square on which the other side would win at once if it were to move, by a five; or NO_CELL. */
Cell threat_against(Position *p);
/* Whether the side to move has a four, or an open four, to make at all. */
bool threat_has_four(const Position *p, Color c);

void vcf_cache_clear(VcfCache *c);
/* Plies to a win by continuous fours for the side to move, 0 when none was found within
 * max_nodes. The line, both sides' moves, is left in v->line[0]. */
int vcf_search(Vcf *v, Position *p, VcfCache *cache, Budget *budget, int64_t max_nodes);

#endif
