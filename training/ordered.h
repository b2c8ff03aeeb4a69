/* ordered.h - the positions and moves of the policy network.
 */
#ifndef TRAINING_ORDERED_H
#define TRAINING_ORDERED_H

#include "eval/evaluate.h"
#include "position/movegen.h"
#include "search/threats.h"

/* Whether the position is left to the search: the game is over, the side to move can make a five or
 * must stop one, or it can make an open four under a rule without captures. Captures leave many
 * open fours undecided. */
static inline bool is_for_search(Position *p) {
    Bitboard answers;
    const Color us = position_to_move(p);
    for (int k = p->traits.captures ? SQUARE_FIVE : SQUARE_FOURS; k <= SQUARE_FIVE; k++)
        if (position_count(p, us, (SquareClass)k)) return true;
    return p->state != STATE_ONGOING || threat_answers(p, &answers);
}

/* The moves that the search orders in such a position; some may be forbidden. */
static inline Bitboard ordered_moves(Position *p) {
    const Cell four = threat_open_four(p);
    return four != NO_CELL ? movegen_defences(p, four) : movegen_candidates(p);
}

#endif
