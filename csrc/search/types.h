/* types.h - what a search takes and gives: limits, lines, the result. */
#ifndef SEARCH_TYPES_H
#define SEARCH_TYPES_H

#include "board/bitboard.h"
#include "search/score.h"

/* The step of a search that decided the move. The numbers are those of the public interface. */
typedef enum {
    STAGE_STATIC,
    STAGE_ANSWER_FIVE,
    STAGE_WIN,
    STAGE_BLOCK,
    STAGE_VCF,
    STAGE_VCT,
    STAGE_ANSWER_VCF,
    STAGE_SEARCH
} Stage;
enum { STAGE_COUNT = STAGE_SEARCH + 1 };

/* One stage of a search: whether it ran, whether it found what it looks for, and its nodes. */
typedef struct {
    bool ran, found;
    int64_t nodes;
} StageNote;

/* The result of one search of a root move, or the reason why the move was not searched. */
typedef enum {
    TRACED_EXACT,
    TRACED_AT_LEAST, /* beta was reached: the score is a lower bound */
    TRACED_AT_MOST,  /* alpha was not passed: the score is an upper bound */
    TRACED_ABORTED,  /* the budget ran out: no score */
    TRACED_FORBIDDEN,
    TRACED_EXCLUDED,     /* by the limits */
    TRACED_NO_CANDIDATE, /* too far from all stones */
    TRACED_NO_ANSWER,    /* does not stop an immediate win */
    TRACED_LOSES_TO_VCF, /* does not stop the opponent's VCF */
    TRACED_HIDDEN        /* by the level */
} TracedOutcome;

/* depth: plies of the iteration; 0: not searched, and only `outcome` counts. place: in the order of
 * the root moves, from 0. reduction: of the first search of the move, in hundredths of a ply. */
typedef struct {
    Cell move;
    int depth, place, alpha, beta, reduction, score;
    TracedOutcome outcome;
    int64_t nodes;
} TraceRow;

/* The trace of the first thread's root. count: all rows so far; the newest TRACE_ROWS are kept. */
enum { TRACE_ROWS = 16384 };
typedef struct {
    int count;
    TraceRow row[TRACE_ROWS];
} Trace;

typedef struct {
    int64_t hard_ms, soft_ms; /* -1 = none; soft: the planned time, see timeman.h */
    int64_t nodes;            /* -1 = none */
    int depth;                /* 1..MAX_PLY - 1 */
    int lines;                /* multi-PV, >= 1 */
    bool analysis;            /* a single legal move is searched like any position */
    Bitboard excluded;        /* not to be played at the root */
    Trace *trace;             /* NULL: none */
} SearchLimits;

/* A line of play with its score, from a finished iteration. */
typedef struct {
    int line, depth, seldepth, score, pv_count;
    int64_t nodes, time_us;
    Cell pv[MAX_PLY];
} SearchLine;

typedef struct {
    Cell move; /* NO_CELL: no legal square */
    Stage stage;
    int64_t nodes; /* of all threads */
    int threads;   /* threads that searched */
    int refused;   /* further threads that the system refused */
    SearchLine line;
    StageNote notes[STAGE_COUNT];
} SearchResult;

/* Receives all lines of the search after each change, best first. Runs on the first thread and must
 * be quick. */
typedef void (*SearchListener)(void *context, const SearchLine *lines, int count);

#endif
