/* The evaluation: the kept sums give what reading the weights square by square gives. */
#include <stdlib.h>

#include "check.h"
#include "eval/eval.h"

static Position pos, earlier;

/* What the empty squares are worth to `us`, less what they are to the other side. */
static int squares(const Position *p, const EvalWeights *w, Color us) {
    int sum = 0;
    BB_FOR_EACH(c, &p->board.empty)
    sum += w->value[us][pattern_code(&p->pattern, us, c)] -
           w->value[other(us)][pattern_code(&p->pattern, other(us), c)];
    return sum;
}

static int counted(const Position *p, const int16_t worth[COUNT_CLASSES][COUNTS], Color c) {
    int sum = 0;
    for (int k = 0; k < COUNT_CLASSES; k++) {
        const int n = position_count(p, c, (SquareClass)(SQUARE_THREE + k));
        sum += worth[k][n < COUNTS ? n : COUNTS - 1];
    }
    return sum;
}

static int by_hand(const Position *p, const Position *before, const EvalWeights *w) {
    const Color us = position_to_move(p);
    return (squares(p, w, us) + squares(before, w, us)) / 2 + counted(p, w->count[0], us) +
           counted(p, w->count[1], other(us)) +
           w->threat[eval_threats(p, other(us)) << THREAT_BITS | eval_threats(p, us)];
}

static void compare(const EvalTable *t, const Position *before, const char *when) {
    const int score = eval_score(t, &pos), expected = by_hand(&pos, before, t->weights);
    check(score == expected, "rule %d, %s: %d, by hand %d", pos.rule, when, score, expected);
}

static void play_through(Rule rule, u32 seed) {
    const EvalTable *t = eval_table(rule);
    position_init(&pos, rule, &t->pattern, 15);
    compare(t, &pos, "before the first move");
    for (int i = 0; i < 80; i++) {
        seed = seed * 1664525u + 1013904223u;
        const Cell c = cell_at((int)(seed >> 8) % 15, (int)(seed >> 20) % 15);
        if (pos.board.stone[c] != EMPTY || position_barred(&pos, c)) continue;
        position_copy(&earlier, &pos);
        position_make(&pos, c);
        compare(t, &earlier, "after a move");
    }
    while (pos.plies) position_unmake(&pos);
    compare(t, &pos, "after taking all back");
}

int main(void) {
    const Rule rules[] = {RULE_FREESTYLE, RULE_STANDARD, RULE_RENJU, RULE_CARO,
                          RULE_CARO_STANDARD}; /* ninuki's captures are worth something, too */
    for (int i = 0; i < COUNT(rules); i++)
        for (u32 seed = 1; seed <= 4; seed++) play_through(rules[i], seed);
    return checks_done();
}
