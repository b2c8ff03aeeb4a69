/* line_class.h - the whole line through a square as one number, for networks.
 *
 * A line through a square is the pair of its two sides. A side is one of 120 classes (shape.h: at
 * reach 5, an edge counts as a neutral stone). A line reads the same from both ends, so there are
 * 120 * 121 / 2 = 7,260 classes of lines. The classes keep everything that matters to a five
 * through the square, except under caro, where an edge differs from a stone. They are the same
 * under every rule.
 */
#ifndef SHAPE_LINE_CLASS_H
#define SHAPE_LINE_CLASS_H

#include "shape/line_key.h"
#include "shape/shape.h"

/* layout: begin */
enum { LINE_REACH = 5, LINE_SIDES = 120, LINE_CLASSES = 7260 };
/* layout: end */
_Static_assert(LINE_CLASSES == LINE_SIDES * (LINE_SIDES + 1) / 2, "pairs of sides");

typedef struct {
    u8 ahead[MAX_KEYS], behind[MAX_KEYS]; /* key of a side -> its class */
    u16 swapped[LINE_CLASSES];            /* the same line with exchanged colours */
} LineTable;

/* Made on first use, constant afterwards. */
const LineTable *line_table(void);

/* The shapes of each class of lines under a rule. */
typedef struct {
    u8 pair[COLORS][LINE_CLASSES]; /* by law; Black is the viewer under law 0, White under law 1:
                                      the viewer's shape | the other side's << 4 */
    bool varies[LINE_CLASSES]; /* caro: the shapes of the class depend on whether an edge or a stone
                                  blocks the line */
} LineShapes;
void line_shapes(const ShapeTable *shapes, LineShapes *out);

/* out[i]: the class i with an edge after `reach` squares on either side. A fit for a rule whose
 * shapes have this reach gives the classes with the same out[i] one row. */
void line_classes_within(int reach, u16 out[LINE_CLASSES]);

/* The class of the line through the square at a position of the line. */
static inline int line_class(const LineTable *t, u64 line, int position) {
    const int a = t->ahead[line_key_ahead(line, position, LINE_REACH)];
    const int b = t->behind[line_key_behind(line, position, LINE_REACH)];
    const int high = a > b ? a : b, low = a > b ? b : a;
    return high * (high + 1) / 2 + low;
}

#endif
