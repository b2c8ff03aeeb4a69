#include "eval/captures.h"

static int side_score(const CaptureWeights *w, const Position *p, Color c, int index, u32 threats,
                      bool at_risk) {
    int score = w->side[index][captures_taken(p, c)][captures_counted(p, c)];
    for (; at_risk && threats; threats &= threats - 1)
        score += w->dissolve[index][__builtin_ctz(threats)];
    return score;
}

int captures_score(const CaptureWeights *w, const Position *p, u32 ours, u32 theirs) {
    const Color us = position_to_move(p), them = other(us);
    return side_score(w, p, us, 0, ours, position_capture_count(p, them) > 0) -
           side_score(w, p, them, 1, theirs, position_capture_count(p, us) > 0);
}
