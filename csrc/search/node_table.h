/* node_table.h - what a node takes from the transposition table and leaves there. */
#ifndef SEARCH_NODE_TABLE_H
#define SEARCH_NODE_TABLE_H

#include "search/node.h"
#include "search/worker.h"

/* Table cutoff (103 +- 48 Elo): true with *score if the table's entry decides the node. Sets also
 * the entry, the table's move (139 +- 51 Elo) and its static score. */
bool node_table_cuts(Searcher *s, Node *n, int *score);
/* A cutoff of the table teaches the history of its move, half as much as one of a search. */
void node_table_teaches(Searcher *s, const Node *n);
/* Stores the best score and move. alpha: that of the node before its moves. */
void node_table_store(Searcher *s, const Node *n, int alpha);

#endif
