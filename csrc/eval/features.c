#include "eval/features.h"

#include <string.h>

#include "eval/captures.h"

u32 eval_threats(const Position *p, Color c) {
    u32 set = 0;
    for (int k = SQUARE_THREE; k <= SQUARE_FOUR_THREE; k++)
        set |= (u32)(position_count(p, c, (SquareClass)k) > 0) << (k - SQUARE_THREE);
    const bool open = position_count(p, c, SQUARE_FOURS) || position_count(p, c, SQUARE_OPEN_FOUR);
    return set | (u32)open << 4 | (u32)(position_count(p, c, SQUARE_FIVE) > 0) << 5;
}

int eval_count(const Position *p, Color c, int class) {
    const int n = position_count(p, c, (SquareClass)(SQUARE_THREE + class));
    return n < COUNTS ? n : COUNTS - 1;
}

static int16_t feature(int value, int least, int most) {
    return (int16_t)(value < least ? least : value > most ? most : value);
}

static int16_t *put_counts(int16_t *at, const Position *p, Color c) {
    for (int k = 0; k < COUNT_CLASSES; k++) *at++ = (int16_t)(eval_count(p, c, k) * NET_ONE / 4);
    return at;
}

/* Squares on which c would capture and also make a threat of its own. */
static int double_purposes(const Position *p, Color c) {
    int n = 0;
    BB_FOR_EACH(at, position_captures(p, c))
    n += pattern_class(&p->pattern, c, at) >= SQUARE_THREE;
    return n;
}

enum { CAPTURE_FEATURES = 6 };

static int16_t *put_captures(int16_t *at, const Position *p, Color c) {
    const u16 *lines = p->capture_lines.total[c];
    *at++ = (int16_t)(captures_taken(p, c) * NET_ONE / 4);
    *at++ = (int16_t)(captures_counted(p, c) * NET_ONE / 4);
    *at++ = (int16_t)(lines[CAPTURE_NOW] * NET_ONE / 4);
    *at++ = (int16_t)(lines[CAPTURE_THREAT] * NET_ONE / 16);
    *at++ = (int16_t)(lines[CAPTURE_RISK] * NET_ONE / 16);
    *at++ = (int16_t)(double_purposes(p, c) * NET_ONE / 2);
    return at;
}

void eval_features(const Position *p, int score, int16_t out[NET_FEATURES]) {
    const Color us = position_to_move(p), them = other(us);
    const int now = eval_difference(p->pattern.value) * NET_ONE / NET_SCALE;
    const int stones = p->board.size * p->board.size - p->board.empty_count;
    score = score * NET_ONE / NET_SCALE;
    int16_t *at = put_counts(put_counts(out, p, us), p, them);
    *at++ = feature(score, -NET_INPUT_MAX, NET_INPUT_MAX);
    *at++ = feature(score / 2, -2 * NET_ONE, 2 * NET_ONE);
    *at++ = feature(us == BLACK ? now : -now, -8 * NET_ONE, 8 * NET_ONE);
    *at++ = (int16_t)(stones * NET_ONE / 64);
    *at++ = p->traits.forbids[us] == FORBIDS_RENJU ? NET_ONE : 0; /* Black has forbidden moves */
    *at++ = (int16_t)((p->board.size - 15) * NET_ONE / 4);
    ASSERT(at == out + NET_FEATURES - COLORS * CAPTURE_FEATURES);
    if (p->traits.captures)
        put_captures(put_captures(at, p, us), p, them);
    else
        memset(at, 0, COLORS * CAPTURE_FEATURES * sizeof *at);
}
