/* takes.h - ninuki: what each empty square has to do with captures, kept as stones come and go.
 *
 *      TAKE      c O O X     a stone on c takes the pair
 *      BRACKET   c O O .     a stone on c threatens to take it
 *      DANGER    O c X .     a stone on c stands in a pair that the other side can take
 *
 * All of it lies in one line, so the squares of a whole line are found at once, by a few shifts of
 * its word (pattern.h); a stone asks for its four lines only.
 */
#ifndef SHAPE_TAKES_H
#define SHAPE_TAKES_H

#include "shape/pattern.h"

typedef enum { TAKE, BRACKET, DANGER, TAKE_KINDS } TakeKind;

enum { TAKE_BITS = 3, TAKE_MASK = (1 << TAKE_BITS) - 1 };

typedef struct {
    u64 along[LINES][TAKE_KINDS]; /* bit 2 * (position + 5) + colour for a square of the line */
    u32 lines[CELLS]; /* 16 bits a colour, TAKE_BITS a kind: along how many lines, 0..4 */
    u16 total[COLORS][TAKE_KINDS]; /* the lines of all squares together */
    u16 count[COLORS];             /* squares of kind TAKE */
    Bitboard set[COLORS];          /* those squares */
} Takes;

void takes_init(Takes *t);
/* Looks again at the four lines of c, on or off which a stone has come; p has it already. */
void takes_update(Takes *t, const Pattern *p, Cell c);
/* The stones that colour captures by playing on the empty square c; returns how many. */
int takes_stones(const Pattern *p, Color color, Cell c, Cell out[MAX_CAPTURED]);
/* Whether the other side could capture color's stone on c as one of a pair along the direction. */
bool takes_can_take(const Pattern *p, Color color, Cell c, int direction);

/* Along how many lines a stone of the colour on c is of the kind. */
static inline int takes_lines(const Takes *t, Color color, Cell c, TakeKind kind) {
    return (int)(t->lines[c] >> (TAKE_BITS * kind + 16 * color) & TAKE_MASK);
}

#endif
