/* root.h - the root position of one thread: its limits, its list of moves, and its reports. The
 * root proofs and the iterations both work on the list. */
#ifndef SEARCH_ROOT_H
#define SEARCH_ROOT_H

#include "search/kept_proofs.h"
#include "search/types.h"
#include "search/worker.h"

typedef struct {
    Cell move;
    int score;  /* of the last finished search; a lower bound if it failed high, -SCORE_INFINITE if
                   the move was no better than the ones before */
    int floor;  /* a proven win by this move; -SCORE_INFINITE: none */
    bool loses; /* proven to lose by a finished search */
    int pv_count;
    Cell pv[MAX_PLY];
} RootMove;

/* The root of one thread. The caller sets the first seven fields and zeroes the rest. */
typedef struct {
    Searcher *s;
    const SearchLimits *limits;
    SearchListener listen; /* NULL: nobody */
    void *context;
    int thread;          /* 0 = the first, which decides when to stop */
    KeptProofs *kept;    /* proofs of earlier searches; may be NULL */
    SearchLine *multipv; /* the best lines, MAX_SQUARES of them; NULL: one line is wanted */
    Stage stage;
    bool left_out; /* moves that lose to fours were dropped from the list */
    bool won;      /* the position is known to be won, perhaps by an unknown move */
    int lost;      /* plies of a known loss; 0: none */
    int count;
    StageNote notes[STAGE_COUNT];
    int64_t proof_nodes; /* taken by the VCT at the root */
    int proved;          /* plies of a VCT that was found while the search went on; 0: none */
    int hidden;          /* moves after the first `count` that a lower level does not search */
    RootMove move[MAX_SQUARES];
} Root;

/* Lists the moves to search, all legal ones when they are fewer than the lines, and returns their
 * stage: STAGE_ANSWER_FIVE, STAGE_BLOCK or STAGE_SEARCH. Moves that win at once come first. The
 * list must be empty. */
Stage root_list(Root *r);
/* Whether a move wins the game at once. */
bool root_wins_at_once(Root *r, Cell c);
/* Adds the legal moves of the set, ordered by their scores. */
void root_add_legal(Root *r, const Bitboard *set);
/* Lower levels: keeps the first few moves of a position without forced moves, in the order of the
 * move scores or, with beginner_order, of a beginner. The others are hidden. */
void root_narrow(Root *r);
/* Sorts the moves from `from` on by score; the sort is stable. */
void root_sort(Root *r, int from);
/* Copies the list of moves of another thread's root of the same position. */
void root_join(Root *r, const Root *first);
/* Whether the only legal move is played at once after a short search for its score. */
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
