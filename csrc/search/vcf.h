/* vcf.h - victory by continuous fours: the search for a win in which each move threatens a five.
 *
 * Every claim is a proof: each move of the attacker is legal and threatens to win at once, and
 * every reply that might prevent it is refuted (threats.h, zone.h).
 */
#ifndef SEARCH_VCF_H
#define SEARCH_VCF_H

#include "search/budget.h"
#include "search/score.h"
#include "search/wins.h"
#include "search/zone.h"

enum { VCF_PLY = 224, VCF_CACHE = 1 << 14 };

/* Positions in which the side to move has no VCF, or none within so many plies: the key with that
 * number in its lowest byte, which the index repeats. What lean searches did not find is kept under
 * another key. */
typedef struct {
    u64 *no_win;
    u64 mask; /* slots - 1; slots are a power of two, 256 at least */
} VcfTable;

/* The small table of a searching thread. */
typedef struct {
    u64 no_win[VCF_CACHE];
} VcfCache;

typedef struct {
    Position *pos;
    VcfTable table;
    Budget *budget;
    Zone *zone; /* of the win found so far; may be NULL */
    Wins *wins; /* keeps the positions of the wins that are found; may be NULL */
    int64_t nodes, max_nodes;
    int ply, limit; /* plies that a win may take */
    bool lean;      /* lone fours are not tried */
    bool aborted;   /* by the nodes, the time or a stop: a failure proves nothing */
    bool shallow;   /* the limit of plies was met below the current node */
    int length[VCF_PLY + 2];
    Cell line[VCF_PLY + 2][VCF_PLY + 2];
} Vcf;

void vcf_cache_clear(VcfCache *c);
/* Plies to a win by continuous fours for the side to move, 0 when none was found within
 * max_nodes. The line, both sides' moves, is left in v->line[0]. `lean`: fours that make nothing
 * in another line are left out, except White's under renju that may make the answer forbidden; and
 * some wins with them. */
int vcf_search(Vcf *v, Position *p, VcfCache *cache, Budget *budget, int64_t max_nodes, bool lean);
/* The same with another table, short wins before long ones. Where they are not NULL, writes the
 * zone of the win, or keeps the positions of its tree. */
int vcf_prove(Vcf *v, Position *p, VcfTable table, Budget *budget, int64_t max_nodes, Zone *zone,
              Wins *wins);
/* After vcf_prove has found a win in `plies`: looks for shorter ones, as far as the nodes left of
 * max_nodes go. Returns the plies of the shortest, whose line is in v->line[0]. */
int vcf_shorten(Vcf *v, int plies);

#endif
