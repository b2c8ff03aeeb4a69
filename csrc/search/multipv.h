/* multipv.h - several best lines at any moment: as many as wanted, the best first.
 *
 *      depth 7   1 h8 +40   2 j7 +12   3 g9 +5         every line of a finished depth
 *      depth 8   1 h8 +31   2 j7 +12   3 g9 +5         line 1 is new, the others are of depth 7
 *                1 k6 +38   2 h8 +31   3 j7 +12        line 2 is new: k6 replaces the worst old one
 *
 * No old line stands above the newest one: the search has seen that no other move reaches its
 * score.
 */
#ifndef SEARCH_MULTIPV_H
#define SEARCH_MULTIPV_H

#include "search/root.h"

/* Fills r->multipv with the best `lines` moves by static score, as depth 0; nobody is told. */
void multipv_start(Root *r, int lines);
/* Updates the lines by the move at place `line`, searched `depth` plies deep, and reports them once
 * each line has been searched. */
void multipv_update(Root *r, int lines, int line, int depth);
/* Whether a line of depth 0 is left: nothing has been reported yet. */
bool multipv_incomplete(const Root *r, int lines);
/* Reports the lines to the listener. */
void multipv_report(const Root *r, int lines);
/* The static score of a root move, which sees a win at once. */
int multipv_static_score(Root *r, Cell c);

#endif
