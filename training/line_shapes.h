/* line_shapes.h - the shapes of each class of lines under a rule.
 */
#ifndef TRAINING_LINE_SHAPES_H
#define TRAINING_LINE_SHAPES_H

#include "shape/line_class.h"

/* Fills in by law and class: the viewer's shape | the other side's << 4. The viewer is Black under
 * law 0, White under law 1. One key stands for each class of sides. Under caro a class may have
 * keys of several shapes; the result is then one of them. The reach of the shapes may be less than
 * that of lines. */
static inline void fill_line_shapes(const ShapeTable *shapes, u8 out[COLORS][LINE_CLASSES]) {
    const LineTable *t = line_table();
    static u32 ahead[LINE_SIDES], behind[LINE_SIDES];
    const int beyond = 2 * (LINE_REACH - shapes->reach);
    for (u32 key = 0; key < MAX_KEYS; key++) {
        ahead[t->ahead[key]] = key & ((1u << (2 * shapes->reach)) - 1);
        behind[t->behind[key]] = key >> beyond;
    }
    for (int a = 0; a < LINE_SIDES; a++)
        for (int b = 0; b <= a; b++) {
            const int i = a * (a + 1) / 2 + b, both = t->swapped[i];
            const u8 pair =
                shapes->shape[shapes->behind[behind[b]] * MAX_SIDES + shapes->ahead[ahead[a]]];
            out[BLACK][i] = pair;
            out[WHITE][both] = (u8)(pair >> 4 | pair << 4);
        }
}

#endif
