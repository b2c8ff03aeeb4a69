/* capture_lines.h - captures, line by line, kept incrementally for every empty square.
 *
 *      CAPTURE_NOW      c O O X     a stone on c captures the pair
 *      CAPTURE_THREAT   c O O .     a stone on c threatens to capture it
 *      CAPTURE_RISK     O c X .     a stone on c stands in a pair that the other side can capture
 *
 * Rules that capture triples have the same kinds with three stones in a row.
 *
 * Each pattern lies in one line. A few shifts of the line's word (line_key.h) find all its squares
 * at once, so a move updates only the four lines through its square.
 */
#ifndef SHAPE_CAPTURE_LINES_H
#define SHAPE_CAPTURE_LINES_H

#include "shape/pattern.h"

typedef enum { CAPTURE_NOW, CAPTURE_THREAT, CAPTURE_RISK, CAPTURE_KINDS } CaptureKind;

enum { CAPTURE_KIND_BITS = 3, CAPTURE_KIND_MASK = (1 << CAPTURE_KIND_BITS) - 1 };

typedef struct {
    u64 along[LINES][CAPTURE_KINDS]; /* bit 2 * (position + 5) + colour for a square of the line */
    u32 lines[CELLS]; /* number of lines, 0..4: 16 bits a colour, CAPTURE_KIND_BITS a kind */
    u16 total[COLORS][CAPTURE_KINDS]; /* the sum of `lines` over all squares */
    u16 count[COLORS];                /* squares of kind CAPTURE_NOW */
    Bitboard set[COLORS];             /* those squares */
    bool triples;                     /* rows of three are captured, too */
} CaptureLines;

/* An empty board; `triples` is the trait of the rule. */
void capture_lines_init(CaptureLines *t, bool triples);
/* Updates the four lines through c after a stone has come or gone there; p is up to date. */
void capture_lines_update(CaptureLines *t, const Pattern *p, Cell c);
/* The stones that colour captures by playing on the empty square c; returns their number. */
int capture_lines_captured(const CaptureLines *t, const Pattern *p, Color color, Cell c,
                           Cell out[MAX_CAPTURED]);
/* Whether the other side could capture color's stone on c as one of a pair along the direction. Not
 * for rules that capture triples. */
bool capture_lines_can_capture(const Pattern *p, Color color, Cell c, int direction);

/* The number of lines along which a stone of the colour on c is of the kind. */
static inline int capture_lines_count(const CaptureLines *t, Color color, Cell c,
                                      CaptureKind kind) {
    return (int)(t->lines[c] >> (CAPTURE_KIND_BITS * kind + 16 * color) & CAPTURE_KIND_MASK);
}

#endif
