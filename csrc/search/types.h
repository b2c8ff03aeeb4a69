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

/* What came of a stage: whether it was asked at all, whether it found what it looks for, and the
 * nodes that it took. */
typedef struct {
    bool asked, found;
    int64_t nodes;
} StageNote;

typedef struct {
    int64_t hard_ms, soft_ms; /* -1 = none; soft: the planned time, see timeman.h */
    int64_t nodes;            /* -1 = none */
    int depth;                /* 1..MAX_PLY - 1 */
    int lines;                /* multi-PV, >= 1 */
    bool analysis;            /* a single legal move is searched like any position */
    Bitboard excluded;        /* not to be played at the root */
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
