/* pruning.h - pruning and reductions: their conditions and margins.
 *
 * The steps are numbered in the order in which a node tries them. The Elo is that of the engine
 * with the step against the engine without it (conditions: base/params.h).
 */
#ifndef SEARCH_PRUNING_H
#define SEARCH_PRUNING_H

#include "search/node.h"
#include "search/worker.h"

/* 1. Reverse futility pruning (54 +- 46 Elo): the static score is far above beta, and little depth
 * is left to fall below it. */
bool pruning_reverse_futility(const Searcher *s, const Node *n);
/* 2. Razoring (-40 +- 44 Elo): the static score is far below alpha with little depth left, so only
 * a VCF is tried. */
bool pruning_razoring(const Searcher *s, const Node *n);
/* 3. Fail-high reduction (-30 +- 49 Elo): the static score is so far above beta that one ply less
 * is enough to confirm it. */
bool pruning_fail_high(const Searcher *s, const Node *n);
/* 4. Move count pruning of all moves (179 +- 60 Elo): whether this move and all later ones are
 * skipped. */
bool pruning_skips_rest(const Searcher *s, const Node *n, int index);
/* 5. Whether this quiet move and all later quiet moves are skipped: move count pruning
 * (0 +- 51 Elo), move score pruning (-5 +- 47 Elo), futility pruning (16 +- 28 Elo). */
bool pruning_skips_quiet(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* 6. Late move reduction (47 +- 46 Elo) of the move at place `index`, in hundredths of a ply; 0:
 * full depth. */
int pruning_reduction(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* 7. Extra depth for the research of a reduced move whose `value` is far above alpha
 * (-2 +- 41 Elo). */
int pruning_research_extension(const Searcher *s, const Node *n, int value, int reduced);
/* 8. Late move reduction at the root (42 +- 48 Elo), in an iteration of `plies` plies. */
int pruning_root_reduction(const Searcher *s, int plies, int index);

#endif
