/* score.h - mate scores, and their form in the table. */
#ifndef SEARCH_SCORE_H
#define SEARCH_SCORE_H

#include "base/base.h"

enum {
    MAX_PLY = 128,                  /* of one search */
    PLY = 100,                      /* units of depth per ply */
    SCORE_MATE = TG_MATE_SCORE,     /* a win in n plies is SCORE_MATE - n */
    SCORE_PROVEN = TG_PROVEN_SCORE, /* beyond it a score is proven */
    SCORE_INFINITE = 31000,
    SCORE_NONE = 32000
};

static inline bool score_is_proven(int score) {
    return score > SCORE_PROVEN || score < -SCORE_PROVEN;
}

/* Plies to the end of the game, negative for a loss; 0 for a score that proves nothing. */
static inline int score_mate(int score) {
    if (score > SCORE_PROVEN) return SCORE_MATE - score;
    if (score < -SCORE_PROVEN) return -SCORE_MATE - score;
    return 0;
}

/* A loss at this ply, and a win. */
static inline int score_mated_in(int ply) {
    return -SCORE_MATE + ply;
}

static inline int score_mate_in(int ply) {
    return SCORE_MATE - ply;
}

/* A mate score counts plies from the root in the search, and from its own node in the table. */
static inline int score_to_table(int score, int ply) {
    return score > SCORE_PROVEN ? score + ply : score < -SCORE_PROVEN ? score - ply : score;
}

static inline int score_from_table(int score, int ply) {
    return score > SCORE_PROVEN ? score - ply : score < -SCORE_PROVEN ? score + ply : score;
}

#endif
