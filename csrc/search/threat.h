/* threat.h - wins that need no search: a five now, or fours without end (VCF).
 *
 * Every claim is a proof: each attacker's move is legal under the rule and threatens to win at
 * once, and every reply that might prevent it is refuted. That takes more than the five's square
 * under three rules: renju (Black may not block on a forbidden square), caro (a stone at the open
 * end closes a five before it is made) and ninuki (captures take stones out of a four, or prepare
 * to).
 */
#ifndef SEARCH_THREAT_H
#define SEARCH_THREAT_H

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
    Zone *zone; /* of the win found so far; NULL when nobody asks */
    Wins *wins; /* keeps the positions of the wins that are found; NULL: nobody does */
    int64_t nodes, max_nodes;
    int ply, limit; /* plies that a win may take */
    bool lean;      /* lone fours are not tried */
    bool cut;       /* the nodes, the time or a stop ended it: a failure proves nothing */
    bool shallow;   /* the limit of plies was met, below the node that looks at it */
    int length[VCF_PLY + 2];
    Cell line[VCF_PLY + 2][VCF_PLY + 2];
} Vcf;

/* A square on which the side to move wins at once, or NO_CELL. */
Cell threat_win_now(Position *p);
/* Whether the side to move may make an open four or two fours while the other side has no five to
 * make: whatever the answer, its five follows. Under ninuki only where nothing can be captured. */
bool threat_wins_by_four(const Position *p);
/* A square on which the other side would win at once if it were to move, by a five; or NO_CELL. */
Cell threat_against(Position *p);
/* Whether the other side threatens to win at once, by a five or a fifth pair; then *answers are the
 * moves that may prevent it. Sound: a legal move outside the set loses. */
bool threat_answers(Position *p, Bitboard *answers);
/* A square where the other side threatens an open four or two fours, and no stone of the mover's
 * could change whether it is forbidden; NO_CELL when there is none. */
Cell threat_open_four(const Position *p);
/* Whether a colour may have a move at all that threatens to win at once: a four, a breakable five,
 * or a pair to be taken when few are missing. */
bool threat_has_force(const Position *p, Color c);

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
