/* kept_proofs.h - positions that a search has proven won or lost, kept from move to move.
 *
 * The transposition table does not hold VCT proofs, and later searches overwrite its entries. This
 * table keeps each proven score with the positions along its line, so that the next search of the
 * game starts from it.
 */
#ifndef SEARCH_KEPT_PROOFS_H
#define SEARCH_KEPT_PROOFS_H

#include "position/position.h"
#include "search/score.h"

enum { KEPT_PROOF_SLOTS = 1 << 12 };

typedef struct {
    u64 key;
    int16_t
        plies; /* upper bound of the plies to the end; positive: won, negative: lost, 0: empty */
    Cell move; /* the winning move */
} KeptProof;

typedef struct {
    KeptProof slot[KEPT_PROOF_SLOTS];
} KeptProofs;

/* k may be NULL. */
void kept_proofs_clear(KeptProofs *k);
/* The entry of a key; NULL: none. */
const KeptProof *kept_proofs_find(const KeptProofs *k, u64 key);
/* Stores a proven score of the position and of the positions along its line, of which `length`
 * moves are given. The position is unchanged afterwards. */
void kept_proofs_note(KeptProofs *k, Position *p, int score, const Cell *line, int length);
/* Whether the position before the opponent's last move is stored as lost for the opponent. Then the
 * side to move wins, although the winning move may be unknown. */
bool kept_proofs_won_before(const KeptProofs *k, const Position *p);

#endif
