/* search.h - deciding a move: the pipeline of stages, and iterative deepening at the root. Both are
 * one thread's part; smp.h puts them together. */
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
    int64_t hard_ms, soft_ms; /* -1 = none; soft: what the move should take, see timing.h */
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
    int64_t nodes; /* of all threads */
    int threads;   /* that searched */
    int refused;   /* more that were asked for, and that the system did not give */
    SearchLine line;
} SearchResult;

/* Is told each finished line; runs on the first thread and must be quick. */
typedef void (*SearchListener)(void *context, const SearchLine *line);

typedef struct {
    Cell move;
    int score; /* of the last finished look; -SCORE_INFINITE when it was only a bound */
    int pv_count;
    Cell pv[MAX_PLY];
} RootMove;

/* One thread's work at the root. The caller sets the first five and empties the rest. */
typedef struct {
    Searcher *s;
    const SearchLimits *limits;
    SearchListener listen; /* NULL: nobody */
    void *context;
    int thread; /* 0 = the first, which decides when the time is up */
    Stage stage;
    bool left_out; /* moves that lose to fours are not in the list */
    int count;
    RootMove move[MAX_SQUARES];
} Root;

/* Forgets what other positions have taught. */
void search_forget(Searcher *s);
/* Lists the moves and asks the stages before the search. True when that decides: *out is the
 * result, always a legal move while there is one. s->budget.stop must
 * be set; without s->proof the proofs at the root are left out. */
bool search_stages(Root *r, SearchResult *out);
/* Takes over the moves that another thread has listed for the same position. */
void search_join(Root *r, const Root *first);
/* Whether one look at depth 1 will be all. */
bool search_is_forced(const Root *r);
/* Iterative deepening until the budget or the depth is over, or nothing can change: the best
 * finished line; of depth 0, the first move, when none was finished. The position is as before
 * afterwards. */
SearchLine search_deepen(Root *r);

#endif
