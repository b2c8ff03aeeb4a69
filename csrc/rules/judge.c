#include "rules/line.h"
#include "rules/rules.h"
#include "rules/traits.h"

/* A double three is allowed with a capture, but not with a five. */
static bool forbidden_double_three(const Board *b, Rule rule, Cell c) {
    Cell captured[MAX_CAPTURED];
    return rules_captures(b, rule, c, b->to_move, captured) == 0 &&
           rules_double_three(b, c, b->to_move);
}

bool rules_forbidden(const Board *b, Rule rule, Cell c) {
    ASSERT(line_on_board(b, c) && b->stone[c] == EMPTY);
    switch (rules_traits(rule)->forbids[b->to_move]) {
    case FORBIDS_NOTHING:
        return false;
    case FORBIDS_RENJU:
        return rules_renju_forbidden(b, c) != FORBIDDEN_NONE;
    case FORBIDS_DOUBLE_THREES:
        return forbidden_double_three(b, rule, c);
    }
    ASSERT(false); /* no such trait */
    return false;
}

static Verdict ongoing(void) {
    return (Verdict){GAME_ONGOING, EMPTY, REASON_NONE};
}

static Verdict pending(void) {
    return (Verdict){GAME_PENDING, EMPTY, REASON_NONE};
}

static Verdict win(Color winner, Reason reason) {
    return (Verdict){GAME_WIN, winner, reason};
}

static Verdict draw(Reason reason) {
    return (Verdict){GAME_DRAW, EMPTY, reason};
}

/* Stops at the first legal square, which is nearly always the first empty one. */
static bool has_legal_square(const Board *b, Rule rule) {
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++)
            if (board_stone(b, x, y) == EMPTY && !rules_forbidden(b, rule, cell_at(x, y)))
                return true;
    return false;
}

static Verdict draw_or_ongoing(const Board *b, Rule rule) {
    if (b->empty_count == 0) return draw(REASON_BOARD_FULL);
    if (!has_legal_square(b, rule)) return draw(REASON_NO_LEGAL_MOVE);
    return ongoing();
}

/* No memory of a pending five is needed. A move makes no five for the other side. A five of the
 * mover's opponent therefore stood before the move, was pending, and was not broken. The mover's
 * own five comes after that. */
static Verdict judge_standing_fives(const Board *b, Rule rule) {
    const Color mover = other(b->to_move), opponent = b->to_move;
    if (rules_any_five(b, opponent)) return win(opponent, REASON_FIVE_NOT_BROKEN);
    if (!rules_any_five(b, mover)) return ongoing();
    return rules_can_break(b, rule, opponent) ? pending() : win(mover, REASON_FIVE);
}

Verdict rules_judge(const Board *b, Rule rule, Cell last) {
    ASSERT(line_on_board(b, last) && b->stone[last] == other(b->to_move));
    const RuleTraits *traits = rules_traits(rule);
    const Color mover = other(b->to_move);
    if (traits->captures && b->captures[mover] >= traits_to_win(traits))
        return win(mover, REASON_CAPTURES);
    if (traits->five_must_stand) {
        const Verdict v = judge_standing_fives(b, rule);
        if (v.status != GAME_ONGOING) return v;
    } else if (rules_is_win(b, rule, last)) {
        return win(mover, REASON_FIVE);
    }
    return draw_or_ongoing(b, rule);
}

/* A five in a set-up position decides nothing. If a five must stand, one of the side not to move is
 * pending, breakable or not. */
Verdict rules_judge_setup(const Board *b, Rule rule) {
    const RuleTraits *traits = rules_traits(rule);
    const Color waiting = other(b->to_move);
    if (traits->captures) {
        /* play cannot let both sides capture enough; the order is that of rules_judge */
        const int enough = traits_to_win(traits);
        if (b->captures[waiting] >= enough) return win(waiting, REASON_CAPTURES);
        if (b->captures[b->to_move] >= enough) return win(b->to_move, REASON_CAPTURES);
    }
    /* on a full board nobody can reply, and nobody has won: a draw */
    if (traits->five_must_stand && b->empty_count > 0 && rules_any_five(b, waiting))
        return pending();
    return draw_or_ongoing(b, rule);
}
