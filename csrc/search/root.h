/* root.h - the root position of one thread: its limits, its list of moves, and its reports. The
 * root proofs and the iterations both work on the list. */
#ifndef SEARCH_ROOT_H
#define SEARCH_ROOT_H

#include "search/kept_proofs.h"
#include "search/types.h"
#include "search/worker.h"

typedef struct {
    Cell move;
    int score;  /* of the last finished look; a lower bound once that was too good for its window,
                   -SCORE_INFINITE when it was no better than the moves before */
    int floor;  /* a proven win by this move; -SCORE_INFINITE: none */
    bool loses; /* a finished look has proven it */
    int pv_count;
    Cell pv[MAX_PLY];
} RootMove;

/* One thread's work at the root. The caller sets the first seven and empties the rest. */
typedef struct {
    Searcher *s;
    const SearchLimits *limits;
    SearchListener listen; /* NULL: nobody */
    void *context;
    int thread;          /* 0 = the first, which decides when the time is up */
    KeptProofs *kept;    /* proofs of earlier searches; NULL: none are used */
    SearchLine *multipv; /* room for MAX_SQUARES lines; NULL: nobody wants several */
    Stage stage;
    bool left_out; /* moves that lose to fours are not in the list */
    bool won;      /* a win is known to be there, though perhaps not by which move */
    int lost;      /* plies in which the position is known to be lost; 0: not known */
    int count;
    int hidden; /* moves behind the `count` ones that a lower level of play does not consider */
    RootMove move[MAX_SQUARES];
} Root;

/* Lists the moves worth searching, all legal ones when they are fewer than the lines, and says
 * which stage they are: STAGE_ANSWER_FIVE, STAGE_BLOCK or STAGE_SEARCH. Moves that win at once come
 * first. The list must be empty. */
Stage root_list(Root *r);
/* Whether a move of the list ends the game in the mover's favour. */
bool root_wins_at_once(Root *r, Cell c);
/* Adds the squares of the set that may be played, best looking first. */
void root_add_legal(Root *r, const Bitboard *set);
/* Lower levels of play: of moves that compel nothing only the first few stay in the list, in the
 * order of the fitted scores or, with plain sight, of a beginner's. The others are hidden. */
void root_narrow(Root *r);
/* Orders the moves from `from` on: best first by score, equal ones as they were. */
void root_sort(Root *r, int from);
/* Takes over the moves that another thread has listed for the same position. */
void root_join(Root *r, const Root *first);
/* Whether the only legal answer is to be played at once: a short search tells its score. */
bool root_is_forced(const Root *r);
/* The line of the move at place `line`. */
SearchLine root_line(const Root *r, int line, int depth);
/* Reports a line to the listener of a search for one line. */
void root_report(const Root *r, const SearchLine *line);

#endif
