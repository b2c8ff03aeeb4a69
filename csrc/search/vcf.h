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

/* Positions in which the side to move has no VCF, or none within n plies. A slot is the key with n
 * in its lowest byte, which the index repeats. Lean searches use other keys. */
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
    Wins *wins; /* stores the positions of the wins found; may be NULL */
    int64_t nodes, max_nodes;
    int ply, limit; /* limit: most plies of a win */
    bool lean;      /* lone fours are not tried */
    bool aborted;   /* by nodes, time or a stop: a failure proves nothing */
    bool shallow;   /* the limit of plies was reached below the current node */
    int length[VCF_PLY + 2];
    Cell line[VCF_PLY + 2][VCF_PLY + 2];
} Vcf;

void vcf_cache_clear(VcfCache *c);
/* Plies to a win by continuous fours for the side to move; 0: none was found within max_nodes. The
 * moves of both sides are in v->line[0]. lean: leaves out lone fours, which make no shape in
 * another line, and misses some wins. White's lone fours under renju are kept if they may make the
 * answer forbidden. */
int vcf_search(Vcf *v, Position *p, VcfCache *cache, Budget *budget, int64_t max_nodes, bool lean);
/* The same with another table, and short wins before long ones. Writes the zone of the win and
 * stores the positions of its tree, if these are not NULL. */
int vcf_prove(Vcf *v, Position *p, VcfTable table, Budget *budget, int64_t max_nodes, Zone *zone,
              Wins *wins);
/* After vcf_prove has found a win in `plies` with its zone: removes from *zone, the result of
 * zone_close, the squares outside of the zones of other wins. Another win begins with another move
 * that makes an open four or two fours at once; the first few get a few nodes each. A reply has to
 * spoil every win, so it is in the zone of each. Returns the plies of the longest of these wins.
 * Does nothing under rules with captures. */
int vcf_narrow_zone(Vcf *v, int plies, Color defender, Bitboard *zone);
/* After vcf_prove has found a win in `plies`: searches for shorter ones with the rest of max_nodes.
 * Returns the plies of the shortest; its line is in v->line[0]. */
int vcf_shorten(Vcf *v, int plies);

#endif
