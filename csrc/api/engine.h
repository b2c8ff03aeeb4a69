/* engine.h - what is behind the handle of tengen.h, for the files that implement it. */
#ifndef API_ENGINE_H
#define API_ENGINE_H

#include <pthread.h>

#include "include/tengen.h"
#include "search/search.h"

/* Old lines may be overwritten before they are read. At least one complete group is always kept. */
enum { PROGRESS_LINES = 1024 };
_Static_assert(PROGRESS_LINES >= 2 * TG_MAX_SIZE * TG_MAX_SIZE, "room for a line of each move");

/* Weights that an engine was given, in memory of its own; NULL: it has none. */
typedef struct {
    void *bytes;
    size_t size;
    EvalTable *table;
} OwnWeights;

struct TgEngine {
    Position pos;
    Searcher searcher;
    Params params[RULE_COUNT]; /* as the options say, in the order of FOR_EACH_RULE; the searcher
                                  has the played rule's, within its level's bounds */
    int level;
    OwnWeights own; /* instead of the built-in ones */
    Crew crew;
    KeptProofs kept;
    Table table;
    int64_t table_kib;
    int64_t table_nodes; /* searched since it was made, so that many pages of it may be there */
    Trace *trace;        /* NULL: off */
    atomic_bool stop;
    pthread_mutex_t progress_lock;
    int32_t progress_count; /* lines of this search, the last PROGRESS_LINES of them kept */
    TgLine progress[PROGRESS_LINES];
};

/* The place of a known rule in FOR_EACH_RULE. */
int engine_rule_index(Rule rule);

/* Copies a weights file and makes the table of it; on an error *own is left empty. */
TgStatus own_weights_make(OwnWeights *own, const uint8_t *bytes, size_t size);
void own_weights_free(OwnWeights *own);

static inline TgSquare square_of(Cell c) {
    if (c == NO_CELL) return (TgSquare){-1, -1};
    return (TgSquare){(int8_t)cell_x(c), (int8_t)cell_y(c)};
}

static inline bool on_board(const TgEngine *e, TgSquare at) {
    return board_inside(&e->pos.board, at.x, at.y);
}

static inline Cell cell_of(TgSquare at) {
    return cell_at(at.x, at.y);
}

#endif
