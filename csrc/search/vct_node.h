/* vct_node.h - what the parts of the VCT share: its table's entries, the frames of its nodes, the
 * state of a search. No functions.
 */
#ifndef SEARCH_VCT_NODE_H
#define SEARCH_VCT_NODE_H

#include "eval/evaluate.h"
#include "search/vcf.h"

/* VCT_FOURS: nodes of the attacker's first try for a win by fours; each further try takes four
 * times as many. */
enum { VCT_ENDLESS = 1 << 30, VCT_FOURS = 400, VCT_NO_FOURS = 255 /* tries: there is none */ };

enum { VCT_PLY = 96, VCT_SLOTS = 1 << 18, VCT_LINE = VCT_PLY + VCF_PLY };

/* The result of a search. VCT_NO_WIN is proved: every line of fours and threes fails. */
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

/* The proof numbers of a node in the view of the side to move: phi for its own success, delta for
 * the other side's. The attacker succeeds with a win, the defender without one. */
typedef struct {
    u32 phi, delta;
} VctNumbers;

typedef struct {
    int count;
    Cell move[MAX_SQUARES];
    u8 cost[MAX_SQUARES]; /* first guess of a number: after a move of the attacker the proof number,
                             after a reply the disproof number */
    u8 step[MAX_SQUARES]; /* attacker: added to the proof number after the move */
    bool distant[MAX_SQUARES]; /* attacker: more than four squares from his last move, or
                                  on no line with it; the proof number is multiplied by 1.5 */
    VctNumbers child[MAX_SQUARES];
    int threat_plies; /* defender, after a three: plies of the longest win that he must spoil */
    u8 tries;
    Cell best;
} VctFrame;

typedef struct {
    Position *pos;
    const EvalTable *eval; /* orders the moves; NULL: only the attacker's are ordered, by kind */
    int standing;          /* static score of the root position, without the network */
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
    u64 root;           /* key of the root position */
    int64_t turn, left; /* nodes of a turn of either kind of search; of the present one */
    bool narrow_failed; /* fours and threes alone do not win */
    int length;
    Cell line[VCT_LINE + 2];
    VctFrame frame[VCT_PLY + 2];
    VctEntry entry[VCT_SLOTS];
} Vct;

/* The state of a node for the attacker. UNKNOWN: the nodes for a look at its fours ran out. */
typedef enum { VCT_OPEN, VCT_WON, VCT_FAILED, VCT_UNKNOWN } VctStand;

#endif
