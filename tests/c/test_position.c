/* Positions: make and unmake, and agreement with the rules.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "inviting_move.h"
#include "shape/line_key.h"
#include "the_position.h"

/* --- make and unmake ----------------------------------------------------------------------- */

typedef struct {
    Board board;
    State state;
    bool five[COLORS];
    int plies;
    unsigned char
        pattern[offsetof(Pattern, stack)]; /* contents above the top of the stack are undefined */
} Snapshot;

static void take(Snapshot *s) {
    memset(s, 0, sizeof *s);
    s->board = pos.board;
    s->state = pos.state;
    memcpy(s->five, pos.five, sizeof s->five);
    s->plies = pos.plies;
    memcpy(s->pattern, &pos.pattern, sizeof s->pattern);
}

static bool same_board(const Board *a, const Board *b) {
    return a->key == b->key && a->size == b->size && a->empty_count == b->empty_count &&
           a->to_move == b->to_move && memcmp(a->captures, b->captures, sizeof a->captures) == 0 &&
           memcmp(a->stone, b->stone, sizeof a->stone) == 0 &&
           memcmp(a->stones, b->stones, sizeof a->stones) == 0 &&
           memcmp(&a->empty, &b->empty, sizeof a->empty) == 0;
}

static bool is_back(const Snapshot *s) {
    return same_board(&s->board, &pos.board) && s->state == pos.state && s->plies == pos.plies &&
           memcmp(s->five, pos.five, sizeof s->five) == 0 &&
           memcmp(s->pattern, &pos.pattern, sizeof s->pattern) == 0;
}

/* Counts of events in the random games. */
static struct {
    int captured[MAX_CAPTURED + 1], states[STATE_MOVER_LOST + 1], forbidden, passes;
} seen;

static bool allowed_by_rules(Cell c) {
    return !rules_forbidden(&pos.board, pos.rule, c);
}

/* The content of the square `steps` squares from c. */
static Stone stone_from(Cell c, int direction, int steps) {
    return board_stone(&pos.board, cell_x(c) + steps * DIR_DX[direction],
                       cell_y(c) + steps * DIR_DY[direction]);
}

/* Whether all squares from step `first` to step `last` hold s; c itself, step 0, does not count. */
static bool all_hold(Cell c, int direction, int first, int last, Stone s) {
    for (int i = first; i <= last; i++)
        if (i != 0 && stone_from(c, direction, i) != s) return false;
    return true;
}

/* Whether a stone on c would be in a row of `length` with an opponent stone at one end only and an
 * empty square at the other. */
static bool at_risk(Cell c, int d, Color own, int length) {
    const Stone prey = other(own);
    for (int first = 1 - length; first <= 0; first++) {
        const Stone before = stone_from(c, d, first - 1), after = stone_from(c, d, first + length);
        if (all_hold(c, d, first, first + length - 1, (Stone)own) &&
            ((before == prey && after == EMPTY) || (before == EMPTY && after == prey)))
            return true;
    }
    return false;
}

/* Whether the line is as capture_lines.h draws the kind, for rows of `length`. */
static bool drawn(Cell c, int d, Color own, CaptureKind kind, int length) {
    if (kind == CAPTURE_RISK) return at_risk(c, d, own, length);
    const Stone prey = other(own), end = kind == CAPTURE_NOW ? (Stone)own : EMPTY;
    return (all_hold(c, d, 1, length, prey) && stone_from(c, d, length + 1) == end) ||
           (all_hold(c, d, -length, -1, prey) && stone_from(c, d, -length - 1) == end);
}

static void check_takes(Color own) {
    int count = 0;
    BB_FOR_EACH(c, &pos.board.empty) {
        for (CaptureKind kind = CAPTURE_NOW; kind < CAPTURE_KINDS; kind++) {
            int lines = 0;
            for (int d = 0; d < DIRECTIONS; d++)
                lines +=
                    drawn(c, d, own, kind, 2) || (pos.traits.triples && drawn(c, d, own, kind, 3));
            check(capture_lines_count(&pos.capture_lines, own, c, kind) == lines, "kind %d on %d",
                  kind, c);
            count += kind == CAPTURE_NOW && lines > 0;
        }
    }
    check(position_capture_count(&pos, own) == count, "count of captures");
}

/* Forbidden moves and captures: the fast code of the position agrees with the rules. */
static void check_questions(void) {
    BB_FOR_EACH(c, &pos.board.empty) {
        const bool forbidden = !allowed_by_rules(c);
        check(position_forbidden(&pos, c) == forbidden, "rule %d: %d forbidden", pos.rule, c);
        seen.forbidden += forbidden;
    }
    for (int color = 0; color < COLORS && pos.traits.captures; color++) {
        check_takes((Color)color);
        const Bitboard found = *position_captures(&pos, (Color)color);
        Bitboard expected = {{0}};
        Cell out[MAX_CAPTURED];
        BB_FOR_EACH(c, &pos.board.empty)
        if (rules_captures(&pos.board, pos.rule, c, (Color)color, out)) bb_add(&expected, c);
        check(memcmp(&found, &expected, sizeof found) == 0, "captures of colour %d", color);
    }
}

/* After a move the state agrees with the rules. */
static void check_state(Cell last) {
    const Verdict v = rules_judge(&pos.board, pos.rule, last);
    State expected = STATE_ONGOING;
    if (v.status == GAME_PENDING) expected = STATE_PENDING;
    if (v.status == GAME_WIN)
        expected = v.winner == (Stone)pos.board.to_move ? STATE_MOVER_LOST : STATE_MOVER_WON;
    if (!pos.traits.captures) expected = STATE_ONGOING;
    check(pos.state == expected, "rule %d: state %d, by the rules %d", pos.rule, pos.state,
          expected);
    seen.states[pos.state]++;
}

static Snapshot snapshots[MAX_GAME_PLIES];

/* Plays to the end, beyond wins by the rules, and takes everything back. */
static void random_game(Rule rule, int size) {
    int count = 0;
    while (pos.board.empty_count > 0 && count < 150) {
        const Cell c = inviting_move();
        if (!allowed_by_rules(c) && random_below(8) > 0) continue;
        if (random_below(5) == 0) check_questions();
        if (pos.state == STATE_ONGOING && random_below(10) == 0) {
            take(&snapshots[count]);
            position_pass(&pos);
            check(pos.board.key != snapshots[count].board.key && position_ok(&pos), "a pass");
            check_questions();
            position_unpass(&pos);
            check(is_back(&snapshots[count]), "rule %d: a pass taken back", rule);
            seen.passes++;
        }
        take(&snapshots[count++]);
        position_make(&pos, c);
        check(position_last(&pos) == c && position_ok(&pos), "rule %d, size %d", rule, size);
        check_state(c);
        seen.captured[pos.ply[pos.plies - 1].captured]++;
        const State state = pos.state;
        if (state == STATE_MOVER_WON || state == STATE_MOVER_LOST) break;
        if (random_below(6) == 0) {
            position_unmake(&pos);
            check(is_back(&snapshots[--count]), "rule %d: one move taken back", rule);
        }
    }
    while (count-- > 0) {
        position_unmake(&pos);
        check(is_back(&snapshots[count]), "rule %d, size %d: move %d taken back", rule, size,
              count);
    }
}

/* A crowded board, so that captures in several directions occur. */
static void crowd(Rule rule, int size, int filled_percent) {
    empty_position(rule, size);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if ((int)random_below(100) < filled_percent)
                position_put(&pos, cell_at(x, y),
                             random_below(20) == 0  ? NEUTRAL
                             : random_below(2) == 0 ? BLACK
                                                    : WHITE);
    const bool captures = pos.traits.captures;
    const u32 enough = (u32)traits_to_win(&pos.traits);
    ready(captures ? (int)random_below(enough) : 0, captures ? (int)random_below(enough) : 0,
          random_below(2) ? BLACK : WHITE);
}

static void test_games(void) {
    for (int r = 0; r < RULE_COUNT; r++) {
        memset(&seen, 0, sizeof seen);
        for (int size = MIN_SIZE; size <= MAX_SIZE; size += 1 + size / 8) {
            empty_position(RULES[r], size);
            ready(0, 0, BLACK);
            random_game(RULES[r], size);
            for (int i = 0; i < 4; i++) {
                crowd(RULES[r], size, 20 + 15 * i);
                random_game(RULES[r], size);
            }
        }
        const RuleTraits *traits = rules_traits(RULES[r]);
        check(seen.passes > 0, "rule %d: passes came up", RULES[r]);
        check((seen.forbidden > 0) == (traits->forbids[BLACK] != FORBIDS_NOTHING),
              "rule %d: forbidden moves came up", RULES[r]);
        const bool taken[] = {[2] = traits->captures,
                              [3] = traits->triples,
                              [4] = traits->captures,
                              [5] = traits->triples};
        for (int i = 1; i <= 5; i++)
            check((seen.captured[i] > 0) == taken[i], "rule %d: captures of %d stones came up",
                  RULES[r], i);
        const bool comes_up[] = {[STATE_PENDING] = traits->five_must_stand,
                                 [STATE_MOVER_WON] = traits->captures,
                                 [STATE_MOVER_LOST] = traits->five_must_stand};
        for (int i = STATE_PENDING; i <= STATE_MOVER_LOST; i++)
            check((seen.states[i] > 0) == comes_up[i], "rule %d: state %d came up", RULES[r], i);
    }
}

/* A capture in all eight directions at once, one short of the win before: the highest count. */
static void test_eight_rows(Rule rule, int length, int count) {
    empty_position(rule, 9);
    for (int d = 0; d < DIRECTIONS; d++)
        for (int way = -1; way <= 1; way += 2)
            for (int i = 1; i <= length + 1; i++)
                position_put(&pos, cell_at(4 + way * i * DIR_DX[d], 4 + way * i * DIR_DY[d]),
                             i == length + 1 ? BLACK : WHITE);
    ready(traits_to_win(&pos.traits) - 1, 0, BLACK);
    Snapshot before;
    take(&before);
    position_make(&pos, cell_at(4, 4));
    check(pos.state == STATE_MOVER_WON && pos.board.captures[BLACK] == count, "rule %d: %d", rule,
          pos.board.captures[BLACK]);
    check(!bb_any(&pos.board.stones[WHITE]), "rule %d: all rows are gone", rule);
    position_unmake(&pos);
    check(is_back(&before), "rule %d: all rows are back", rule);
}

static void test_eight_ways(void) {
    test_eight_rows(RULE_NINUKI, 2, MAX_PAIRS);
    test_eight_rows(RULE_PENTE, 2, MAX_PAIRS);
    test_eight_rows(RULE_KERYO, 2, WIN_STONES - 1 + 16);
    test_eight_rows(RULE_KERYO, 3, MAX_CAPTURES);
}

/* --- position_ok --------------------------------------------------------------------------- */

/* The incremental fields, each with a byte that is in use on every crowded board. */
static void test_every_field_is_looked_at(void) {
    crowd(RULE_NINUKI, 12, 40);
    check(position_ok(&pos), "as it is");
    const Cell empty = random_cell(&pos.board.empty);
    const struct {
        const char *name;
        void *field;
    } fields[] = {
        {"key", &pos.board.key},
        {"empty squares", &pos.board.empty},
        {"number of empty squares", &pos.board.empty_count},
        {"black stones", &pos.board.stones[BLACK]},
        {"white stones", &pos.board.stones[WHITE]},
        {"five", &pos.five[WHITE]},
        {"lines", &pos.pattern.line[line_index(empty, 1)]},
        {"squares of a line with a capture",
         &pos.capture_lines.along[line_index(empty, 1)][CAPTURE_NOW]},
        {"squares of a line that threaten one",
         &pos.capture_lines.along[line_index(empty, 2)][CAPTURE_THREAT]},
        {"squares of a line in danger",
         &pos.capture_lines.along[line_index(empty, 3)][CAPTURE_RISK]},
        {"lines with a capture", &pos.capture_lines.lines[empty]},
        {"captures", &pos.capture_lines.count[WHITE]},
        {"squares with a capture", &pos.capture_lines.set[BLACK]},
        {"shapes", &pos.pattern.at[empty]},
        {"classes", &pos.pattern.count[BLACK][SQUARE_THREE]},
        {"squares of a class", &pos.pattern.set[WHITE][SQUARE_THREE]},
        {"value", &pos.pattern.value},
    };
    for (int i = 0; i < COUNT(fields); i++) {
        *(unsigned char *)fields[i].field ^= 1;
        check(!position_ok(&pos), "a wrong field: %s", fields[i].name);
        *(unsigned char *)fields[i].field ^= 1;
    }
    check(position_ok(&pos), "as it was");
}

int main(void) {
    test_games();
    test_eight_ways();
    test_every_field_is_looked_at();
    return checks_done();
}
