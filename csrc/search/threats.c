#include "search/threats.h"

#include "position/ninuki_fives.h"

bool threat_near_last_capture(const Position *p, Color c) {
    return p->traits.captures && position_capture_fifths(p, c) >= WIN_PAIRS - 2;
}

/* Renju: whether Black has a move after a white stone on `taken` that no stone can make forbidden.
 */
static bool black_can_move(const Position *p, Cell taken) {
    BB_FOR_EACH(c, &p->board.empty)
    if (c != taken && pattern_class(&p->pattern, BLACK, c) == SQUARE_QUIET &&
        !pattern_suspect(&p->pattern, BLACK, c))
        return true;
    return false;
}

bool threat_wins_by_four(const Position *p) {
    const Color us = position_to_move(p);
    if (position_count(p, other(us), SQUARE_FIVE)) return false;
    if (p->traits.captures) {
        BB_FOR_EACH(c, position_set(p, us, SQUARE_OPEN_FOUR))
        if (ninuki_fives_after_open_four(p, c)) return true;
        return false;
    }
    const bool must_move =
        p->traits.forbids[other(us)] == FORBIDS_RENJU; /* without a legal move it would be a draw */
    Bitboard squares = *position_set(p, us, SQUARE_OPEN_FOUR);
    bb_or(&squares, position_set(p, us, SQUARE_FOURS));
    BB_FOR_EACH(c, &squares)
    if (!position_forbidden(p, c) && (!must_move || black_can_move(p, c))) return true;
    return false;
}

Cell threat_open_four(const Position *p) {
    const Color them = other(position_to_move(p));
    Bitboard squares = *position_set(p, them, SQUARE_OPEN_FOUR);
    bb_or(&squares, position_set(p, them, SQUARE_FOURS));
    BB_FOR_EACH(c, &squares)
    if (p->traits.forbids[them] != FORBIDS_RENJU || !pattern_suspect(&p->pattern, them, c))
        return c;
    return NO_CELL;
}

bool threat_has_force(const Position *p, Color c) {
    return position_count(p, c, SQUARE_FOUR) || position_count(p, c, SQUARE_FOUR_THREE) ||
           position_count(p, c, SQUARE_FOURS) || position_count(p, c, SQUARE_OPEN_FOUR) ||
           position_count(p, c, SQUARE_FIVE) || p->five[c] || threat_near_last_capture(p, c);
}

/* Rules with captures: a move that wins at once. */
static Cell win_now_with_captures(Position *p) {
    const Color us = position_to_move(p);
    if (position_capture_count(p, us)) {
        const Bitboard fifth = ninuki_fives_by_capture(p, us);
        if (bb_any(&fifth)) return bb_first(&fifth);
    }
    if (p->state == STATE_MOVER_WON || p->state == STATE_MOVER_LOST) return NO_CELL;
    if (!p->five[us] && !position_count(p, us, SQUARE_FIVE)) return NO_CELL;
    if (!p->traits.five_must_stand) return bb_first(position_set(p, us, SQUARE_FIVE));
    if (p->five[us] || p->state == STATE_PENDING) return ninuki_fives_standing_win(p);
    const Bitboard fives = *position_set(p, us, SQUARE_FIVE);
    BB_FOR_EACH(c, &fives)
    if (ninuki_fives_win(p, us, c)) return c;
    return NO_CELL;
}

Cell threat_win_now(Position *p) {
    const Color us = position_to_move(p);
    if (p->traits.captures) return win_now_with_captures(p);
    return position_count(p, us, SQUARE_FIVE) ? bb_first(position_set(p, us, SQUARE_FIVE))
                                              : (Cell)NO_CELL;
}

Cell threat_against(Position *p) {
    const Color them = other(position_to_move(p));
    if (!position_count(p, them, SQUARE_FIVE)) return NO_CELL;
    Cell found = NO_CELL;
    const Bitboard fives = *position_set(p, them, SQUARE_FIVE);
    BB_FOR_EACH(c, &fives)
    if (found == NO_CELL && movegen_wins_on(p, c)) found = c;
    return found;
}

/* Rules with captures: a stone on the capturing square saves one pair. Only a capture may stop
 * several. */
static Bitboard answers_to_capture(const Position *p, const Bitboard *fifth) {
    Bitboard set = *position_captures(p, position_to_move(p));
    if (bb_count(fifth) == 1) bb_or(&set, fifth);
    return set;
}

/* If the side to move has a standing five, each of its moves leaves that five pending. The
 * opponent's own five then wins only if it also breaks the standing one, so no set of answers is
 * known. */
bool threat_answers(Position *p, Bitboard *answers) {
    const Cell five = p->five[position_to_move(p)] ? (Cell)NO_CELL : threat_against(p);
    if (five != NO_CELL) *answers = movegen_answers(p, five);
    if (!p->traits.captures) return five != NO_CELL;
    const Bitboard fifth = ninuki_fives_by_capture(p, other(position_to_move(p)));
    if (!bb_any(&fifth)) return five != NO_CELL;
    const Bitboard saving = answers_to_capture(p, &fifth);
    if (five != NO_CELL)
        bb_and(answers, &saving);
    else
        *answers = saving;
    return true;
}
