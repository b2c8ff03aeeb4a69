/* pruning.h - the moves and nodes that a search leaves out or reduces: conditions and margins.
 *
 * The steps have their numbers in the order of a node. Their Elo is that of the engine with the
 * step against the engine without it (base/params.h).
 */
#ifndef SEARCH_PRUNING_H
#define SEARCH_PRUNING_H

#include "search/node.h"
#include "search/worker.h"

/* 1. Reverse futility pruning (54 +- 46 Elo): far above beta with little depth left, the node will
 * not fall below. */
bool pruning_reverse_futility(const Searcher *s, const Node *n);
/* 2. Razoring (-40 +- 44 Elo): far below alpha with little depth left, only a win by fours can
 * help. */
bool pruning_razoring(const Searcher *s, const Node *n);
/* 3. Fail-high reduction (-30 +- 49 Elo): so far above beta that less depth will show it. */
bool pruning_fail_high(const Searcher *s, const Node *n);
/* 4. Move count pruning of all moves (179 +- 60 Elo): whether this move and all later ones are
 * skipped. */
bool pruning_skips_rest(const Searcher *s, const Node *n, int index);
/* 5. Whether this quiet move, and so every later quiet move, is skipped: move count pruning
 * (0 +- 51 Elo), a score far behind the best (-5 +- 47 Elo), futility pruning (16 +- 28 Elo). */
bool pruning_skips_quiet(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* 6. Late move reduction (47 +- 46 Elo) of a move at this place in the order, in hundredths of a
 * ply; 0: full depth. */
int pruning_reduction(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* 7. Extra depth of the research (-2 +- 41 Elo) of a reduced move that beat alpha by far with
 * `value`. */
int pruning_research_extension(const Searcher *s, const Node *n, int value, int reduced);
/* 8. Late move reduction at the root (42 +- 48 Elo), in an iteration of so many plies. */
int pruning_root_reduction(const Searcher *s, int plies, int index);

#endif
