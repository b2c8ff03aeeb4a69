/* root.h - the root position of one thread: limits, list of moves, and reports. The root proofs and
 * the iterations both use the list. */
#ifndef SEARCH_ROOT_H
#define SEARCH_ROOT_H

#include "search/kept_proofs.h"
#include "search/types.h"
#include "search/worker.h"

typedef struct {
    Cell move;
    int score;  /* of the last finished search; a lower bound if it failed high, -SCORE_INFINITE if
                   it was not better than the moves before it */
    int floor;  /* a proven win by this move; -SCORE_INFINITE: none */
    bool loses; /* a finished search has proven a loss */
    int64_t nodes; /* of all iterations */
    int pv_count;
    Cell pv[MAX_PLY];
} RootMove;

/* A proved win of the root position. plies 0: none. */
typedef struct {
    Stage stage;
    int plies, length;
    Cell line[MAX_PLY];
} RootWin;

/* The root of one thread. The caller sets the first seven fields and zeroes the rest. */
typedef struct {
    Searcher *s;
    const SearchLimits *limits;
    SearchListener listen; /* NULL: none */
    void *context;
    int thread;          /* 0: the first, which decides when to stop */
    KeptProofs *kept;    /* proofs of earlier searches; may be NULL */
    SearchLine *multipv; /* room for MAX_SQUARES best lines; NULL: a search for one line */
    Stage stage;
    bool left_out; /* moves that lose to fours were dropped from the list */
    bool won;      /* the position is known to be won, although the move may be unknown */
    int lost;      /* plies of a known loss; 0: none */
    int count;
    StageNote notes[STAGE_COUNT];
    int64_t proof_nodes; /* of the VCT at the root */
    int proved;          /* plies of a VCT that was found during the search; 0: none */
    RootWin longer;      /* the shortest proved win that is longer than the announced one */
    int hidden;          /* moves behind the first `count` that a lower level does not search */
    RootMove move[MAX_SQUARES];
} Root;

/* Lists the moves to search; all legal moves if there are fewer than the wanted lines. Moves that
 * win at once come first. Returns the stage: STAGE_ANSWER_FIVE, STAGE_BLOCK or STAGE_SEARCH. The
 * list must be empty. */
Stage root_list(Root *r);
/* Whether a move wins the game at once. */
bool root_wins_at_once(Root *r, Cell c);
/* Whether the opponent cannot win at once after the move. Even an answer may be unsafe. */
bool root_is_safe(Root *r, Cell c);
/* The number of moves at the front of the list that win at once. */
int root_leading_wins(Root *r);
/* Adds the legal moves of the set, ordered by their scores. */
void root_add_legal(Root *r, const Bitboard *set);
/* Puts the first move after which the opponent does not win at once to the front, if there is one
 * and no move wins at once. */
void root_put_safe_first(Root *r);
/* Lower levels: keeps the first `width` moves of a position without forced moves, by move score or
 * by beginner_order. The others are hidden. */
void root_narrow(Root *r);
/* Sorts the moves from `from` on by score; the sort is stable. */
void root_sort(Root *r, int from);
/* Copies the list of moves of another thread's root of the same position. */
void root_join(Root *r, const Root *first);
/* Whether there is one legal move only, which is played after a short search for its score. */
bool root_is_forced(const Root *r);
/* The line of the move at place `line`. */
SearchLine root_line(const Root *r, int line, int depth);
/* Reports a line to the listener, in a search for one line. */
void root_report(const Root *r, const SearchLine *line);

/* Adds a row to the trace. Only the first thread has one. */
void root_trace(const Root *r, const TraceRow *row);
/* Traces the empty squares that the list leaves out, with the reason. */
void root_trace_left_out(const Root *r);

#endif
