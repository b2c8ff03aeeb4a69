/* proof.h - the proof searches at the root, with tables of their own.
 *
 * The tables are made on first use and given back with the rest of what was searched: together
 * with the searches' lines under 6 MiB, which protocol/memory.py counts.
 */
#ifndef SEARCH_PROOF_H
#define SEARCH_PROOF_H

#include "search/vct.h"

enum { PROOF_VCF_SLOTS = 1 << 18 };

typedef struct {
    Vcf vcf;
    Vct vct;
    u64 no_win[PROOF_VCF_SLOTS];
} Proof;

_Static_assert(sizeof(Proof) < 6 << 20, "protocol/memory.py counts 6 MiB");

enum { PROOF_KIB = sizeof(Proof) / 1024 };

/* NULL when the system refuses the memory. */
Proof *proof_new(void);
/* p may be NULL. */
void proof_free(Proof *p);
/* As new; p may be NULL. */
void proof_clear(Proof *p);

/* Plies to a win of the side to move by fours, or by fours and threes; 0 when none
 * was found within max_nodes. The lines are left in f->vcf.line[0] and f->vct.line[0]. */
int proof_vcf(Proof *f, Position *p, Budget *budget, int64_t max_nodes);
int proof_vct(Proof *f, Position *p, Budget *budget, int64_t max_nodes);

/* Plies to a win by fours of the other side, if the side to move passed; 0 when none was found
 * within max_nodes. `answers`, where there is one: every move that may prevent it, own fours among
 * them. Sound: a legal move outside the set loses. */
int proof_against(Proof *f, Position *p, Budget *budget, int64_t max_nodes, Bitboard *answers);

#endif
