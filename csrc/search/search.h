/* search.h - deciding a move: the pipeline of stages, and iterative deepening at the root. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "search/node.h"

/* The numbers are those of the public interface. */
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

typedef struct {
    int64_t hard_ms, soft_ms; /* -1 = none */
    int64_t nodes;            /* -1 = none */
    int depth;                /* 1..MAX_PLY - 1 */
    int lines;                /* multi-PV, >= 1 */
    Bitboard excluded;        /* not to be played at the root */
} SearchLimits;

/* A finished line of an iteration. */
typedef struct {
    int line, depth, seldepth, score, pv_count;
    int64_t nodes, time_us;
    Cell pv[MAX_PLY];
} SearchLine;

typedef struct {
    Cell move; /* NO_CELL: no legal square */
    Stage stage;
    SearchLine line;
} SearchResult;

/* Is told each finished line; runs on the searching thread and must be quick. */
typedef void (*SearchListener)(void *context, const SearchLine *line);

/* Decides a move for the side to move; always a legal one while there is one. s->budget.stop and
 * s->proof must be set; the position is as before afterwards. */
SearchResult search_run(Searcher *s, const SearchLimits *limits, SearchListener listen,
                        void *context);

#endif
