/* vct.h - a win by continuous threats: fours, and threes that threaten a win by fours (VCT).
 *
 * A proof-number search, depth first (df-pn), over two kinds of nodes:
 *
 *      attacker   a win by fours ends it; else every four and every three is a move
 *      defender   after a four: the answers to the five (threat_answers)
 *                 after a three: whoever passes loses to a win by fours, or it was no threat; the
 *                 replies are that win's zone (zone.h), outside of which nothing can help
 *
 * Nothing is claimed from numbers alone: once the root is proven, the whole tree of the win is
 * walked through again, every reply in it, and the line comes out of that walk.
 *
 * Under rules with captures, captures are moves of the attacker, too, and with two fifths of a
 * win threats to capture; a five that can be broken is a four, and the zone holds what captures may
 * do.
 */
#ifndef SEARCH_VCT_H
#define SEARCH_VCT_H

#include "search/vcf.h"

enum { VCT_PLY = 96, VCT_SLOTS = 1 << 18, VCT_LINE = VCT_PLY + VCF_PLY };

/* What a search has found out. VCT_NO_WIN is proved: every line of fours and threes fails. */
typedef enum { VCT_NOT_FOUND, VCT_NO_WIN, VCT_WIN } VctAnswer;

typedef struct {
    u64 key;
    u32 proof, disproof; /* for the attacker, whoever is to move */
    u32 work;            /* nodes spent below */
    u16 age;             /* of the search that wrote it: of others only what is proved counts */
    u16 plies;           /* of the win, once it was walked through; else 0 */
    Cell best;           /* the move of the walk: the win's, or the longest defence */
    u8 tries;            /* searches for a win by fours that ran out of nodes */
} VctEntry;

typedef struct {
    int count;
    Cell move[MAX_SQUARES];
    u8 cost[MAX_SQUARES]; /* first guess of the proof number */
    int threat_plies;     /* defender, after a three: of the win that is threatened */
    u8 tries;
    Cell best;
} VctFrame;

typedef struct {
    Position *pos;
    Vcf *vcf;
    VcfTable table;
    Wins *fours, *threats; /* the wins that were walked through: by fours only, and others */
    Budget *budget;
    int64_t nodes, max_nodes;
    int ply;
    bool cut;     /* the nodes, the time or a stop ended it */
    bool shallow; /* a line was given up for its length */
    bool is_wide; /* quiet moves are tried as well */
    u16 age;
    VctAnswer answer;
    u64 root;           /* key of the position that is looked at */
    int64_t turn, left; /* nodes of a turn of either kind of search; of the present one */
    bool narrow_failed; /* fours and threes alone do not win */
    int length;
    Cell line[VCT_LINE + 2];
    VctFrame frame[VCT_PLY + 2];
    VctEntry entry[VCT_SLOTS];
} Vct;

/* Plies to a win by fours and threes for the side to move, against the longest defence; 0 when
 * none was found. max_nodes is for the search; walking through the win may take as many again.
 * The line is left in v->line. v is zeroed memory at first; from call to call it keeps
 * what was proven. The caller sets what it points to but for pos and budget. */
int vct_search(Vct *v, Position *p, Budget *budget, int64_t max_nodes);

#endif
