/* ordered.h - the positions and moves of the policy network, and how well it orders them.
 */
#ifndef TRAINING_ORDERED_H
#define TRAINING_ORDERED_H

#include "eval/evaluate.h"
#include "judged.h"
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

/* Judges the order of a position's moves by the best one: the loss, or -1 without one. The stack is
 * used with a policy network only. */
static inline void judge_moves(const EvalTable *t, Position *p, AccumulatorStack *stack, Cell best,
                               Judged *v) {
    static double score[MAX_SQUARES];
    PolicyNode policy;
    int count = 0, chosen = -1;
    double most = -HUGE_VAL, sum = 0;
    v->loss = -1;
    if (is_for_search(p)) return;
    const Bitboard moves = ordered_moves(p);
    if (t->has_policy) eval_policy(t, p, stack, &policy);
    const MoveScores scores = eval_moves(t, p, t->has_policy ? &policy : NULL);
    BB_FOR_EACH(c, &moves) {
        if (position_forbidden(p, c)) continue;
        if (c == best) chosen = count;
        score[count] = (double)eval_move(&scores, c) / MOVE_SCALE;
        most = fmax(most, score[count++]);
    }
    if (chosen < 0) return;
    for (int i = 0; i < count; i++) sum += exp(score[i] - most);
    v->loss = log(sum) + most - score[chosen];
    v->first = score[chosen] >= most;
}

#endif
