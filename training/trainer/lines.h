/* lines.h - rows of numbers for whole lines.
 *
 * A line has the class that line_class.h gives it. A class has a row for an empty square, for an
 * own stone and for a foreign stone on the square. In a row's number the viewer is always "Black":
 * the other view has the number of the line with exchanged colours.
 */
#ifndef TRAINER_LINES_H
#define TRAINER_LINES_H

#include "../line_shapes.h"
#include "position/position.h"

enum { LINE_KINDS = 3, SHAPE_PAIRS = 256 };

static struct {
    const LineTable *classes;
    int laws; /* 2 if the colours have different ones */
    u8 shape[COLORS][LINE_CLASSES];
} lines;

static inline int line_rows(void) {
    return LINE_KINDS * LINE_CLASSES * lines.laws;
}

/* The first row of a kind: 0 empty, 1 own stone, 2 foreign stone. */
static inline int line_kind(int law, int kind) {
    return (law * LINE_KINDS + kind) * LINE_CLASSES;
}

/* Rules of a shorter reach have the shapes of standard. */
static inline void lines_init(Rule rule) {
    const ShapeTable *shapes = shape_table(rule);
    if (shapes->reach < LINE_REACH) shapes = shape_table(RULE_STANDARD);
    lines.classes = line_table();
    lines.laws = traits_laws(rules_traits(rule));
    fill_line_shapes(shapes, lines.shape);
}

/* The line of a square, Black's view. */
static inline int line_at(const Position *p, Cell c, int direction) {
    const u64 word = p->pattern.line[line_index(c, direction)];
    return line_class(lines.classes, word, line_position(c, direction));
}

#endif
