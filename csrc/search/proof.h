/* proof.h - the proof searches at the root, with tables of their own.
 *
 * The tables are allocated on first use and freed together with the transposition table. With the
 * lines of the searches they take PROOF_KIB.
 */
#ifndef SEARCH_PROOF_H
#define SEARCH_PROOF_H

#include "search/vct.h"

enum { PROOF_VCF_SLOTS = 1 << 18 };

/* The last win that a search announced: the position after its move, and the plies from there. */
typedef struct {
    u64 key;
    int plies; /* 0: none */
} Announced;

typedef struct {
    Vcf vcf;
    Vct vct;
    u64 no_win[PROOF_VCF_SLOTS];
    Wins fours, threats;
    Announced announced;
} Proof;

enum { PROOF_KIB = sizeof(Proof) / 1024 };

/* NULL if the system refuses the memory. */
Proof *proof_new(void);
/* p may be NULL. */
void proof_free(Proof *p);
/* Resets to the state of a new one; p may be NULL. */
void proof_clear(Proof *p);

/* Plies to a win of the side to move, by VCF or VCT; 0: none was found within max_nodes. The lines
 * are in f->vcf.line[0] and f->vct.line. Both return the shortest known win of their kind, also
 * from earlier calls. eval: of the rule; it orders the moves of the VCT. Without a win,
 * f->vct.answer and f->vcf.aborted say whether there is none. */
int proof_vcf(Proof *f, Position *p, Budget *budget, int64_t max_nodes);
int proof_vct(Proof *f, const EvalTable *eval, Position *p, Budget *budget, int64_t max_nodes);

/* Whether the side to move has a VCF that is proved within max_nodes. */
bool proof_loses_to_fours(Proof *f, Position *p, Budget *budget, int64_t max_nodes);

/* Plies of the shortest win of the side to move that earlier calls have found, by VCF or VCT; 0:
 * none. Its line is in f->vct.line. */
int proof_known(Proof *f, Position *p);

/* Records the announced win: the side to move wins in `plies`, beginning with the move. */
void proof_announce(Proof *f, const Position *p, Cell move, int plies);
/* Plies of the announced win, if the position is one reply after its move; else 0. */
int proof_announced(const Proof *f, const Position *p);

/* Plies to a VCF of the opponent if the side to move passed; 0: none was found within max_nodes. If
 * there is one, *answers are all moves that may prevent it, including own fours. Sound: a legal
 * move outside the set loses. */
int proof_against(Proof *f, Position *p, Budget *budget, int64_t max_nodes, Bitboard *answers);

#endif
