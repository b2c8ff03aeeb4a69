/* level.h - levels of play, from a beginner's game to full strength.
 *
 * A lower level makes a person's mistakes: it looks at fewer moves and fewer plies ahead, at the
 * lowest levels at one line at a time and at its own before the other side's, and it misses long
 * wins by fours. What it sees it plays: a five, the stop of a five, and every win within its sight.
 * docs/levels.md has what each was measured to be worth.
 */
#ifndef SEARCH_LEVEL_H
#define SEARCH_LEVEL_H

#include "base/params.h"
#include "search/types.h"

enum { LEVEL_LOWEST = TG_MIN_LEVEL, LEVEL_FULL = TG_MAX_LEVEL };

/* Bounds a search to the level: parameters and limits that are tighter already stay as they are;
 * at full strength all of them. */
void level_apply(int level, Params *q, SearchLimits *limits);

#endif
