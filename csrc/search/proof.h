/* proof.h - the proof searches at the root, with tables of their own.
 *
 * The tables are made on first use and given back together with the transposition table. With the
 * lines of the searches they take PROOF_KIB.
 */
#ifndef SEARCH_PROOF_H
#define SEARCH_PROOF_H

#include "search/vct.h"

enum { PROOF_VCF_SLOTS = 1 << 18 };

/* The last win that a search announced: the position after its move, and the plies that are left
 * there. */
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

/* NULL when the system refuses the memory. */
Proof *proof_new(void);
/* p may be NULL. */
void proof_free(Proof *p);
/* As new; p may be NULL. */
void proof_clear(Proof *p);

/* Plies to a win of the side to move by fours, or by fours and threes; 0 when none
 * was found within max_nodes. The lines are left in f->vcf.line[0] and f->vct.line. Both return
 * the shortest win of their kind that is known, be it from an earlier call. Without a win,
 * f->vct.answer and f->vcf.aborted say whether there is none. */
int proof_vcf(Proof *f, Position *p, Budget *budget, int64_t max_nodes);
int proof_vct(Proof *f, Position *p, Budget *budget, int64_t max_nodes);

/* Whether the side to move wins by fours; true only when that is proved within max_nodes. */
bool proof_loses_to_fours(Proof *f, Position *p, Budget *budget, int64_t max_nodes);

/* Plies of the shortest win of the side to move, by fours and threes, that earlier calls have
 * found; 0 when none is known. Its line is left in f->vct.line. */
int proof_known(Proof *f, Position *p);

/* Keeps that the side to move was announced a win in `plies` that begins with the move. */
void proof_announce(Proof *f, const Position *p, Cell move, int plies);
/* Plies of the win that was announced, where the position is one reply after its move; else 0. */
int proof_announced(const Proof *f, const Position *p);

/* Plies to a win by fours of the other side, if the side to move passed; 0 when none was found
 * within max_nodes. `answers`, where there is one: every move that may prevent it, own fours among
 * them. Sound: a legal move outside the set loses. */
int proof_against(Proof *f, Position *p, Budget *budget, int64_t max_nodes, Bitboard *answers);

#endif
