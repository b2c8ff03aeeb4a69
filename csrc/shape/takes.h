/* takes.h - ninuki: the squares on which each colour would capture, kept as stones come and go.
 *
 * A pair lies in one line, so the squares from which it is taken are found for a whole line at
 * once, by a few shifts of its word (pattern.h); a stone asks for its four lines only:
 *
 *      word   . O O X . . X O O .        along   c . . . . . . . . c    (c: X captures there)
 */
#ifndef SHAPE_TAKES_H
#define SHAPE_TAKES_H

#include "shape/pattern.h"

typedef struct {
    u64 along[COLORS][LINES]; /* bit 2 * (position + 5): captures there, along this line */
    u8 lines[COLORS][CELLS];  /* along how many lines: 0..4 */
    u16 count[COLORS];        /* squares with any */
    Bitboard set[COLORS];     /* those squares */
} Takes;

void takes_init(Takes *t);
/* Looks again at the four lines of c, on or off which a stone has come; p has it already. */
void takes_update(Takes *t, const Pattern *p, Cell c);
/* The stones that colour captures by playing on the empty square c; returns how many. */
int takes_stones(const Pattern *p, Color color, Cell c, Cell out[MAX_CAPTURED]);

#endif
