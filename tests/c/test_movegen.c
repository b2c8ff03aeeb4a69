/* Sets of moves, compared with a test of every move.
 */
#include <stdlib.h>

#include "check.h"
#include "position/movegen.h"
#include "random.h"
#include "the_position.h"

/* --- the slow player, which knows the rules and tries everything --------------------------- */

/* Plays on a copy; the verdict after the move. */
static Verdict slow_play(Board *b, Rule rule, Cell c) {
    const Color mover = b->to_move;
    Cell captured[MAX_CAPTURED];
    const int n = rules_traits(rule)->captures ? rules_captures(b, rule, c, mover, captured) : 0;
    for (int i = 0; i < n; i++) board_remove(b, captured[i]);
    board_put(b, c, mover);
    const RuleTraits *t = rules_traits(rule);
    const int count = b->captures[mover] + traits_count(t, n), most = traits_most_captures(t);
    board_set_captures(b, mover, count < most ? count : most);
    board_set_to_move(b, other(mover));
    return rules_judge(b, rule, c);
}

static bool slow_wins_with(const Board *b, Rule rule, Cell c) {
    if (b->stone[c] != EMPTY || rules_forbidden(b, rule, c)) return false;
    Board after = *b;
    const Verdict v = slow_play(&after, rule, c);
    return v.status == GAME_WIN && v.winner == (Stone)b->to_move;
}

/* A square on which the side to move wins at once; tries `hint` first. */
static Cell slow_win(const Board *b, Rule rule, Cell hint) {
    if (hint != NO_CELL && slow_wins_with(b, rule, hint)) return hint;
    BB_FOR_EACH(c, &b->empty)
    if (slow_wins_with(b, rule, c)) return c;
    return NO_CELL;
}

/* Whether every answer of the side to move loses at once; `hint`: the probable winning square. */
static bool slow_lost(const Board *b, Rule rule, Cell hint) {
    bool any = false;
    BB_FOR_EACH(c, &b->empty) {
        if (rules_forbidden(b, rule, c)) continue;
        any = true;
        Board after = *b;
        const Verdict v = slow_play(&after, rule, c);
        if (v.status == GAME_WIN && v.winner == (Stone)after.to_move) continue;
        if (v.status == GAME_WIN || v.status == GAME_DRAW) return false;
        hint = slow_win(&after, rule, hint);
        if (hint == NO_CELL) return false;
    }
    return any;
}

/* Whether the side to move wins within three plies. Tries `first` first. */
static bool slow_win_in_three(const Board *b, Rule rule, Cell first) {
    if (slow_win(b, rule, NO_CELL) != NO_CELL) return true;
    for (int pass = 0; pass < 2; pass++) BB_FOR_EACH(c, &b->empty) {
            if ((c == first) != (pass == 0) || rules_forbidden(b, rule, c)) continue;
            Board after = *b;
            const Verdict v = slow_play(&after, rule, c);
            if (v.status == GAME_ONGOING && slow_lost(&after, rule, NO_CELL)) return true;
        }
    return false;
}

/* --- movegen ------------------------------------------------------------------------------- */

static void print_board(const Board *b) {
    printf("rule %d, colour %d to move, pairs %d %d\n", pos.rule, b->to_move, b->captures[BLACK],
           b->captures[WHITE]);
    for (int y = 0; y < b->size; y++) {
        for (int x = 0; x < b->size; x++) putchar("XO.#"[b->stone[cell_at(x, y)]]);
        putchar('\n');
    }
}

/* movegen_wins_on agrees with the rules on every square of a five. */
static void check_wins_on(Cell c) {
    Board b = pos.board;
    const Color us = b.to_move;
    board_set_to_move(&b, other(us));
    bool expected = false;
    if (pos.state == STATE_ONGOING && b.stone[c] == EMPTY && !rules_forbidden(&b, pos.rule, c)) {
        const Verdict v = slow_play(&b, pos.rule, c);
        expected = v.status == GAME_WIN && v.winner == (Stone)other(us);
    }
    const bool found = movegen_wins_on(&pos, c);
    check(found == expected, "wins on %d, %d: %d, by the rules %d", cell_x(c), cell_y(c), found,
          expected);
    if (found != expected) print_board(&pos.board);
}

/* Every legal move outside the set leaves an immediate win; returns whether there were any. */
static int check_answers(Cell c) {
    const Bitboard set = movegen_answers(&pos, c);
    int outside = 0;
    BB_FOR_EACH(m, &pos.board.empty) {
        if (bb_has(&set, m) || rules_forbidden(&pos.board, pos.rule, m)) continue;
        outside++;
        Board after = pos.board;
        const Verdict v = slow_play(&after, pos.rule, m);
        bool loses = false;
        if (v.status == GAME_WIN) loses = v.winner != (Stone)pos.board.to_move;
        if (v.status == GAME_ONGOING) loses = slow_win(&after, pos.rule, c) != NO_CELL;
        check(loses, "%d, %d is an answer to %d, %d", cell_x(m), cell_y(m), cell_x(c), cell_y(c));
        if (!loses) print_board(&pos.board);
    }
    return outside;
}

/* Stones in threes and fours near each other, so that a five is often threatened. */
static void crowd_with_lines(Rule rule, int size) {
    static Board b;
    board_init(&b, size);
    const int lines = 3 + (int)random_below(4);
    for (int i = 0; i < lines; i++) {
        const Color color = random_below(2) ? BLACK : WHITE;
        const int d = (int)random_below(DIRECTIONS), length = 3 + (int)random_below(4);
        const int x = (int)random_below((u32)size), y = (int)random_below((u32)size);
        for (int k = 0; k < length; k++) {
            const int at_x = x + k * DIR_DX[d], at_y = y + k * DIR_DY[d];
            if (board_stone(&b, at_x, at_y) == EMPTY && random_below(6) > 0)
                board_put(&b, cell_at(at_x, at_y), color);
        }
    }
    const int more = (int)random_below((u32)(size * size) / 2);
    for (int i = 0; i < more && b.empty_count > 4; i++)
        board_put(&b, random_cell(&b.empty),
                  random_below(12) == 0  ? NEUTRAL
                  : random_below(2) == 0 ? BLACK
                                         : WHITE);
    if (rules_traits(rule)->captures)
        for (int c = 0; c < COLORS; c++)
            board_set_captures(&b, (Color)c,
                               (int)random_below((u32)traits_to_win(rules_traits(rule))));
    board_set_to_move(&b, random_below(2) ? BLACK : WHITE);
    set_up(&b, rule);
}

static void test_answers(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        int outside = 0, fives = 0;
        for (int times = 0; times < 1500; times++) {
            crowd_with_lines(RULES[r], 6 + (int)random_below(4));
            /* an older five counts at its owner's next move, wherever that is */
            if (pos.state != STATE_ONGOING || pos.five[position_to_move(&pos)]) continue;
            const Color them = other(position_to_move(&pos));
            const Bitboard squares = *position_set(&pos, them, SQUARE_FIVE);
            BB_FOR_EACH(c, &squares) {
                check_wins_on(c);
                if (!movegen_wins_on(&pos, c)) continue;
                fives++;
                outside += check_answers(c);
            }
        }
        check(fives > 100 && outside > 1000, "rule %d: %d fives, %d moves outside", RULES[r], fives,
              outside);
    }
}

static bool threatens_open_four(Cell c) {
    const Color them = other(position_to_move(&pos));
    const SquareClass k = pattern_class(&pos.pattern, them, c);
    if (k != SQUARE_OPEN_FOUR && k != SQUARE_FOURS) return false;
    return pos.rule != RULE_RENJU || !pattern_suspect(&pos.pattern, them, c);
}

/* Every legal move outside the set loses within three plies more. */
static int check_defences(Cell c) {
    const Bitboard set = movegen_defences(&pos, c);
    int outside = 0;
    BB_FOR_EACH(m, &pos.board.empty) {
        if (bb_has(&set, m) || rules_forbidden(&pos.board, pos.rule, m)) continue;
        Board after = pos.board;
        const Verdict v = slow_play(&after, pos.rule, m);
        if (v.status == GAME_DRAW) continue;
        outside++;
        const bool loses = v.status == GAME_ONGOING && slow_win_in_three(&after, pos.rule, c);
        check(loses, "%d, %d defends against %d, %d", cell_x(m), cell_y(m), cell_x(c), cell_y(c));
        if (!loses) print_board(&pos.board);
    }
    return outside;
}

static void test_defences(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        if (rules_traits(RULES[r])->captures) continue;
        int outside = 0, threats = 0;
        for (int times = 0; times < 1500 && threats < 150; times++) {
            crowd_with_lines(RULES[r], times % 3 == 0 ? 9 : 7);
            const Color us = position_to_move(&pos);
            if (position_count(&pos, us, SQUARE_FIVE)) continue;
            if (position_count(&pos, other(us), SQUARE_FIVE)) continue;
            BB_FOR_EACH(c, &pos.board.empty) {
                if (!threatens_open_four(c)) continue;
                threats++;
                outside += check_defences(c);
            }
        }
        check(threats > 50 && outside > 200, "rule %d: %d threats, %d moves outside", RULES[r],
              threats, outside);
    }
}

/* A forbidden square does not win. Ninuki: also a five that would make two free threes. */
static void test_a_forbidden_five_is_no_threat(void) {
    for (int view = 0; view < VIEWS; view++) {
        const Scene s = draw_scene((Place){11, 1, 2},
                                   "........./"
                                   ".....X.X./"
                                   ".....XX../"
                                   ".XXXX*..O/"
                                   "........./"
                                   ".........",
                                   view);
        Board b = s.board;
        board_set_to_move(&b, view_stone(WHITE, view));
        set_up(&b, RULE_NINUKI);
        check_wins_on(s.star);
    }
}

/* Candidates: empty squares near stones, and the centre of an empty board. */
static void test_candidates(void) {
    for (int size = MIN_SIZE; size <= MAX_SIZE; size++) {
        empty_position(RULE_FREESTYLE, size);
        ready(0, 0, BLACK);
        Bitboard set = movegen_candidates(&pos);
        check(bb_count(&set) == 1 && bb_has(&set, cell_at(size / 2, size / 2)), "the middle");
        for (int i = 0; i < 20 && pos.board.empty_count; i++) {
            position_make(&pos, random_cell(&pos.board.empty));
            set = movegen_candidates(&pos);
            for (int y = 0; y < size; y++)
                for (int x = 0; x < size; x++) {
                    bool near = false;
                    for (int dy = -3; dy <= 3; dy++)
                        for (int dx = -3; dx <= 3; dx++) {
                            const Stone s = board_stone(&pos.board, x + dx, y + dy);
                            const bool line = dx == 0 || dy == 0 || dx == dy || dx == -dy;
                            const bool close = abs(dx) <= 2 && abs(dy) <= 2;
                            near = near || ((s == BLACK || s == WHITE) && (line || close));
                        }
                    const bool empty = board_stone(&pos.board, x, y) == EMPTY;
                    check(bb_has(&set, cell_at(x, y)) == (near && empty), "size %d: %d, %d", size,
                          x, y);
                }
        }
    }
}

int main(void) {
    test_candidates();
    test_a_forbidden_five_is_no_threat();
    test_answers();
    test_defences();
    return checks_done();
}
