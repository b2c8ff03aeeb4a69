/* claims.h - checks that a claimed win of the side to move in `pos` survives every legal reply.
 */
#ifndef TESTS_CLAIMS_H
#define TESTS_CLAIMS_H

#include <stdatomic.h>
#include <string.h>

#include "search/proof.h"
#include "search/threats.h"
#include "the_position.h"

enum { KNOWN = 1 << 16 };

/* The way in which the winning side finds its next move. */
typedef struct {
    int64_t nodes;  /* of each search */
    int most_depth; /* in plies */
    bool threes;    /* it also wins by threes */
    bool breaks;    /* if it has to break a five, one of the breaks has to lead to a claimed win */
} Attack;

static Proof *proof;
static Budget budget;
static atomic_bool stop_flag;
static u64 known[KNOWN];   /* positions with a true claim */
static int claims_pending; /* moves of claimed wins that make a five which can be broken */

/* Returns false if memory runs out. */
static inline bool claims_begin(void) {
    proof = proof_new();
    budget_start(&budget, &stop_flag, -1, -1, -1);
    return proof != NULL;
}

static inline void claims_clear(void) {
    memset(known, 0, sizeof known);
    claims_pending = 0;
    proof_clear(proof);
}

static inline bool claim_holds(Attack by, int depth);

/* Whether the attacker still wins after every legal reply. */
static inline bool stands_up(Attack by, int depth) {
    const Bitboard empty = pos.board.empty;
    bool any = false;
    BB_FOR_EACH(c, &empty) {
        if (position_forbidden(&pos, c)) continue;
        any = true;
        position_make(&pos, c);
        bool good = pos.state == STATE_MOVER_LOST;
        if (pos.state == STATE_ONGOING || pos.state == STATE_PENDING)
            good = claim_holds(by, depth + 1);
        position_unmake(&pos);
        if (!good) return false;
    }
    return any; /* without a legal move the game is a draw */
}

/* Whether a move of the attacker wins. */
static inline bool wins_with(Attack by, Cell c, int depth) {
    if (position_forbidden(&pos, c)) return false;
    position_make(&pos, c);
    claims_pending += pos.state == STATE_PENDING;
    bool good = pos.state == STATE_MOVER_WON;
    if (pos.state == STATE_ONGOING || pos.state == STATE_PENDING) good = stands_up(by, depth + 1);
    position_unmake(&pos);
    return good;
}

/* The first move of a claimed win; NO_CELL without a claim. */
static inline Cell claimed_move(Attack by) {
    if (proof_vcf(proof, &pos, &budget, by.nodes)) return proof->vcf.line[0][0];
    if (by.threes && proof_vct(proof, eval_table(pos.rule), &pos, &budget, by.nodes))
        return proof->vct.line[0];
    return NO_CELL;
}

static inline bool a_break_wins(Attack by, int depth) {
    const Bitboard breaks = position_breaks(&pos);
    BB_FOR_EACH(c, &breaks)
    if (wins_with(by, c, depth)) return true;
    return false;
}

/* Whether the side to move is claimed to win, and does. */
static inline bool claim_holds(Attack by, int depth) {
    u64 *slot = &known[pos.board.key % KNOWN];
    if (*slot == pos.board.key) return true;
    if (depth > by.most_depth) return false;
    bool good;
    if (by.breaks && pos.state == STATE_PENDING && threat_win_now(&pos) == NO_CELL) {
        good = a_break_wins(by, depth);
    } else {
        const Cell first = claimed_move(by);
        good = first != NO_CELL && wins_with(by, first, depth);
    }
    if (good) *slot = pos.board.key;
    return good;
}

#endif
