#include "search/kept_proofs.h"

#include <string.h>

void kept_proofs_clear(KeptProofs *k) {
    if (k) memset(k, 0, sizeof *k);
}

const KeptProof *kept_proofs_find(const KeptProofs *k, u64 key) {
    const KeptProof *e = &k->slot[key & (KEPT_PROOF_SLOTS - 1)];
    return e->plies && e->key == key ? e : NULL;
}

/* Keeps the shorter of two proofs of a position. */
static void put(KeptProofs *k, u64 key, int plies, Cell move) {
    KeptProof *e = &k->slot[key & (KEPT_PROOF_SLOTS - 1)];
    const int kept = e->key == key ? e->plies : 0;
    if ((kept > 0 && plies > 0 && kept <= plies) || (kept < 0 && plies < 0 && kept >= plies))
        return;
    *e = (KeptProof){.key = key, .plies = (int16_t)plies, .move = move};
}

void kept_proofs_note(KeptProofs *k, Position *p, int score, const Cell *line, int length) {
    int plies = score_mate(score), made = 0;
    while (plies && made < length && p->board.stone[line[made]] == EMPTY) {
        put(k, p->board.key, plies, line[made]);
        position_make(p, line[made++]);
        plies = plies > 0 ? 1 - plies : -1 - plies;
    }
    /* the last position has no move, and a win needs one */
    if (plies < 0) put(k, p->board.key, plies, NO_CELL);
    while (made--) position_unmake(p);
}

static bool is_lost(const KeptProofs *k, u64 key) {
    const KeptProof *e = kept_proofs_find(k, key);
    return e && e->plies < 0;
}

bool kept_proofs_won_before(const KeptProofs *k, const Position *p) {
    const Board *b = &p->board;
    if (p->plies && is_lost(k, p->ply[p->plies - 1].key)) return true;
    if (p->traits.captures)
        return false; /* captures remove stones, so positions before the reply are unknown */
    const Color them = other(position_to_move(p));
    BB_FOR_EACH(c, &b->stones[them])
    if (is_lost(k, b->key ^ b->zobrist->stone[them][c] ^ b->zobrist->to_move)) return true;
    return false;
}
