/* pruning.h - the moves and nodes that a search leaves out or reduces: conditions and margins. */
#ifndef SEARCH_PRUNING_H
#define SEARCH_PRUNING_H

#include "search/node.h"
#include "search/worker.h"

/* Reverse futility pruning: far above beta with little depth left, the node will not fall below. */
bool pruning_reverse_futility(const Searcher *s, const Node *n);
/* Fail-high reduction: so far above beta that less depth will show it. */
bool pruning_fail_high(const Searcher *s, const Node *n);
/* Razoring: far below alpha with little depth left, only a win by fours can help. */
bool pruning_razoring(const Searcher *s, const Node *n);
/* Whether this quiet move, and so every later quiet move, is skipped: move count pruning, a move
 * score far behind the best, or futility pruning. */
bool pruning_skips_quiet(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* Move count pruning of all moves: whether this move and all later ones are skipped. */
bool pruning_skips_rest(const Searcher *s, const Node *n, int index);
/* Late move reduction of a move at this place in the order, in hundredths of a ply; 0: full depth.
 */
int pruning_reduction(const Searcher *s, const Node *n, Cell c, int index, int gap);
/* Extra depth of the research of a reduced move that beat alpha by far with `value`. */
int pruning_research_extension(const Searcher *s, const Node *n, int value, int reduced);
/* Late move reduction at the root, in an iteration of so many plies. */
int pruning_root_reduction(const Searcher *s, int plies, int index);

#endif
