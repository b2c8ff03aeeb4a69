/* captures.h - rules with captures: the worth of captures and of pairs at stake, and the
 * bonus of a move for captures.
 */
#ifndef EVAL_CAPTURES_H
#define EVAL_CAPTURES_H

#include "eval/tables.h"
#include "position/position.h"

/* layout: begin */
enum { SQUARES_COUNTED = 4, LINES_COUNTED = DIRECTIONS + 1 };

/* Indexed by the captures of a side, in fifths of a win (0..4), and then by a count; the mover's
 * first. */
typedef struct {
    int16_t side[2][WIN_PAIRS]
                [SQUARES_COUNTED];          /* by the number of squares on which it could capture */
    int16_t dissolve[2][THREAT_BITS];       /* a side's threat if the other could capture */
    int16_t take[WIN_PAIRS][LINES_COUNTED]; /* of a move, by the number of lines with: */
    int16_t deny[WIN_PAIRS][LINES_COUNTED]; /* a capture that the move denies */
    int16_t bracket[WIN_PAIRS][LINES_COUNTED]; /* a threat to capture */
    int16_t shield[WIN_PAIRS][LINES_COUNTED];  /* a threat to capture that the move denies */
    int16_t danger[WIN_PAIRS][LINES_COUNTED];  /* a pair at risk with the new stone */
} CaptureWeights;
/* layout: end */

/* The bonus for the mover; `threats` come from eval_threats, the mover's first. */
int captures_score(const CaptureWeights *w, const Position *p, u32 ours, u32 theirs);

static inline int captures_taken(const Position *p, Color c) {
    const int fifths = position_capture_fifths(p, c);
    return fifths < WIN_PAIRS ? fifths : WIN_PAIRS - 1;
}

static inline int captures_counted(const Position *p, Color c) {
    const int squares = position_capture_count(p, c);
    return squares < SQUARES_COUNTED ? squares : SQUARES_COUNTED - 1;
}

/* The bonus for a move on the empty square c. */
static inline int captures_move(const CaptureWeights *w, const Position *p, Cell c) {
    const Color us = position_to_move(p), them = other(us);
    const CaptureLines *t = &p->capture_lines;
    if (!t->lines[c]) return 0;
    const int mine = captures_taken(p, us), others = captures_taken(p, them);
    return w->take[mine][capture_lines_count(t, us, c, CAPTURE_NOW)] +
           w->deny[others][capture_lines_count(t, them, c, CAPTURE_NOW)] +
           w->bracket[mine][capture_lines_count(t, us, c, CAPTURE_THREAT)] +
           w->shield[others][capture_lines_count(t, them, c, CAPTURE_THREAT)] +
           w->danger[others][capture_lines_count(t, us, c, CAPTURE_RISK)];
}

#endif
