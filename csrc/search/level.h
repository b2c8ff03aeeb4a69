/* level.h - levels of play, from a beginner's game to full strength.
 *
 * A lower level makes a person's mistakes. It searches fewer moves and fewer plies, and it misses
 * long VCFs. The lowest levels judge one line of stones at a time, and their own stones before the
 * opponent's. Every level completes a five, blocks a five, and plays the wins that its search
 * finds. docs/levels.md has the measured strength of each level.
 */
#ifndef SEARCH_LEVEL_H
#define SEARCH_LEVEL_H

#include "base/params.h"
#include "search/types.h"

enum { LEVEL_LOWEST = TG_MIN_LEVEL, LEVEL_FULL = TG_MAX_LEVEL };

/* Limits a search to the level. Parameters and limits that are already tighter stay; full strength
 * changes nothing. */
void level_apply(int level, Params *q, SearchLimits *limits);

#endif
