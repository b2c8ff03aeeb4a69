/* multipv.h - multi-PV: the wanted number of best lines at any moment, the best first.
 *
 *      depth 7   1 h8 +40   2 j7 +12   3 g9 +5         all lines of a finished depth
 *      depth 8   1 h8 +31   2 j7 +12   3 g9 +5         line 1 is new, the others are of depth 7
 *                1 k6 +38   2 h8 +31   3 j7 +12        line 2 is new: k6 replaces the worst old one
 *
 * An old line never stands above the newest one, because no other move has reached its score.
 */
#ifndef SEARCH_MULTIPV_H
#define SEARCH_MULTIPV_H

#include "search/root.h"

/* Fills r->multipv with the best `lines` moves by static score, as depth 0, without a report. */
void multipv_start(Root *r, int lines);
/* Updates the lines with the move at place `line`, searched `depth` plies deep. Reports them,
 * unless one was not searched yet. */
void multipv_update(Root *r, int lines, int line, int depth);
/* Whether a line of depth 0 is left, so that nothing has been reported yet. */
bool multipv_incomplete(const Root *r, int lines);
/* Reports the lines to the listener. */
void multipv_report(const Root *r, int lines);
/* The static score of a root move; a move that ends the game has its exact score. */
int multipv_static_score(Root *r, Cell c);

#endif
