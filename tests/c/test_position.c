/* Positions: make and unmake, keys, what the rules say of them, and the sets of moves, which are
 * compared with trying every move. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "eval/eval.h"
#include "position/movegen.h"

static u64 random_state = 1;

static u32 random_below(u32 n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(random_state >> 33) % n;
}

static Cell random_cell(const Bitboard *set) {
    u32 skip = random_below((u32)bb_count(set));
    BB_FOR_EACH(c, set)
    if (skip-- == 0) return c;
    return NO_CELL;
}

static Position pos;

static void empty_position(Rule rule, int size) {
    position_init(&pos, rule, &eval_table(rule)->pattern, size);
}

static void ready(int black_pairs, int white_pairs, Color to_move) {
    const int pairs[COLORS] = {black_pairs, white_pairs};
    position_ready(&pos, pairs, to_move);
}

/* Takes over the stones of a board that the test made. */
static void set_up(const Board *b, Rule rule) {
    empty_position(rule, b->size);
    for (Cell c = 0; c < CELLS; c++)
        if (b->stone[c] != EMPTY && b->stone[c] != OFF_BOARD)
            position_put(&pos, c, (Stone)b->stone[c]);
    ready(b->pairs[BLACK], b->pairs[WHITE], b->to_move);
}

/* --- make and unmake ----------------------------------------------------------------------- */

typedef struct {
    Board board;
    State state;
    bool five[COLORS];
    int plies;
    unsigned char pattern[offsetof(Pattern, stack)]; /* above its top the stack means nothing */
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
           a->to_move == b->to_move && memcmp(a->pairs, b->pairs, sizeof a->pairs) == 0 &&
           memcmp(a->stone, b->stone, sizeof a->stone) == 0 &&
           memcmp(a->stones, b->stones, sizeof a->stones) == 0 &&
           memcmp(&a->empty, &b->empty, sizeof a->empty) == 0;
}

static bool is_back(const Snapshot *s) {
    return same_board(&s->board, &pos.board) && s->state == pos.state && s->plies == pos.plies &&
           memcmp(s->five, pos.five, sizeof s->five) == 0 &&
           memcmp(s->pattern, &pos.pattern, sizeof s->pattern) == 0;
}

/* What came up in the random games. */
static struct {
    int pairs[MAX_CAPTURED / 2 + 1], states[STATE_MOVER_LOST + 1], barred, passes;
} seen;

static bool allowed_by_rules(Cell c) {
    return !rules_barred(&pos.board, pos.rule, c);
}

/* What stands `steps` squares from c. */
static Stone stone_from(Cell c, int direction, int steps) {
    return board_stone(&pos.board, cell_x(c) + steps * DIR_DX[direction],
                       cell_y(c) + steps * DIR_DY[direction]);
}

/* Whether the stones from c outwards, or through c, are as takes.h draws the kind. */
static bool drawn(Cell c, int d, int way, Color own, TakeKind kind) {
    const Stone one = stone_from(c, d, way), two = stone_from(c, d, 2 * way);
    const Stone prey = other(own), behind = stone_from(c, d, -way);
    if (kind == DANGER)
        return one == (Stone)own &&
               ((two == prey && behind == EMPTY) || (two == EMPTY && behind == prey));
    return one == prey && two == prey &&
           stone_from(c, d, 3 * way) == (kind == TAKE ? (Stone)own : EMPTY);
}

static void check_takes(Color own) {
    int count = 0;
    BB_FOR_EACH(c, &pos.board.empty) {
        for (TakeKind kind = TAKE; kind < TAKE_KINDS; kind++) {
            int lines = 0;
            for (int d = 0; d < DIRECTIONS; d++)
                lines += drawn(c, d, 1, own, kind) || drawn(c, d, -1, own, kind);
            check(takes_lines(&pos.takes, own, c, kind) == lines, "kind %d on %d", kind, c);
            count += kind == TAKE && lines > 0;
        }
    }
    check(position_capture_count(&pos, own) == count, "count of captures");
}

/* Bans and captures, which the position answers quickly, as the rules answer them. */
static void check_questions(void) {
    BB_FOR_EACH(c, &pos.board.empty) {
        const bool barred = !allowed_by_rules(c);
        check(position_barred(&pos, c) == barred, "rule %d: %d barred", pos.rule, c);
        seen.barred += barred;
    }
    for (int color = 0; color < COLORS && pos.rule == RULE_NINUKI; color++) {
        check_takes((Color)color);
        const Bitboard found = *position_captures(&pos, (Color)color);
        Bitboard expected = {{0}};
        Cell out[MAX_CAPTURED];
        BB_FOR_EACH(c, &pos.board.empty)
        if (rules_captures(&pos.board, c, (Color)color, out)) bb_add(&expected, c);
        check(memcmp(&found, &expected, sizeof found) == 0, "captures of colour %d", color);
    }
}

/* After a move: the state as the rules judge the position. */
static void check_state(Cell last) {
    const Verdict v = rules_judge(&pos.board, pos.rule, last);
    State expected = STATE_ONGOING;
    if (v.status == GAME_PENDING) expected = STATE_PENDING;
    if (v.status == GAME_WIN)
        expected = v.winner == (Stone)pos.board.to_move ? STATE_MOVER_LOST : STATE_MOVER_WON;
    if (pos.rule != RULE_NINUKI) expected = STATE_ONGOING;
    check(pos.state == expected, "rule %d: state %d, by the rules %d", pos.rule, pos.state,
          expected);
    seen.states[pos.state]++;
}

/* The move of the best of some random squares: near stones, capturing, or making a line. */
static Cell inviting_move(void) {
    const Color us = position_to_move(&pos);
    const Bitboard captures = *position_captures(&pos, us);
    Cell best = random_cell(&pos.board.empty);
    int most = -1;
    for (int tries = 0; tries < 5; tries++) {
        const Cell c = random_cell(&pos.board.empty);
        int n = 0;
        for (int d = 0; d < DIRECTIONS; d++) n += (int)pattern_shape(&pos.pattern, us, c, d);
        if (pos.rule == RULE_NINUKI && bb_has(&captures, c)) n += 2 * (int)SHAPES;
        if (n > most) {
            most = n;
            best = c;
        }
    }
    return best;
}

static Snapshot snapshots[MAX_GAME_PLIES];

/* Plays to the end, past wins where the rules would stop, and takes everything back. */
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
        seen.pairs[pos.ply[pos.plies - 1].captured / 2]++;
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

/* A crowded board, so that captures in several directions come up. */
static void crowd(Rule rule, int size, int filled_percent) {
    empty_position(rule, size);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if ((int)random_below(100) < filled_percent)
                position_put(&pos, cell_at(x, y),
                             random_below(20) == 0  ? NEUTRAL
                             : random_below(2) == 0 ? BLACK
                                                    : WHITE);
    const bool ninuki = rule == RULE_NINUKI;
    ready(ninuki ? (int)random_below(WIN_PAIRS) : 0, ninuki ? (int)random_below(WIN_PAIRS) : 0,
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
        const bool ninuki = RULES[r] == RULE_NINUKI;
        check(seen.passes > 0, "rule %d: passes came up", RULES[r]);
        check((seen.barred > 0) == (ninuki || RULES[r] == RULE_RENJU), "rule %d: bans came up",
              RULES[r]);
        for (int i = 1; i <= 2; i++)
            check((seen.pairs[i] > 0) == ninuki, "rule %d: captures of %d pairs came up", RULES[r],
                  i);
        for (int i = STATE_PENDING; i <= STATE_MOVER_LOST; i++)
            check((seen.states[i] > 0) == ninuki, "rule %d: state %d came up", RULES[r], i);
    }
}

/* A capture in all eight directions at once. */
static void test_eight_pairs(void) {
    empty_position(RULE_NINUKI, 9);
    for (int d = 0; d < DIRECTIONS; d++)
        for (int way = -1; way <= 1; way += 2)
            for (int i = 1; i <= 3; i++)
                position_put(&pos, cell_at(4 + way * i * DIR_DX[d], 4 + way * i * DIR_DY[d]),
                             i == 3 ? BLACK : WHITE);
    ready(4, 0, BLACK);
    Snapshot before;
    take(&before);
    position_make(&pos, cell_at(4, 4));
    check(pos.state == STATE_MOVER_WON && pos.board.pairs[BLACK] == 12, "twelve pairs");
    check(!bb_any(&pos.board.stones[WHITE]), "sixteen stones are gone");
    position_unmake(&pos);
    check(is_back(&before), "sixteen stones are back");
}

/* --- keys ---------------------------------------------------------------------------------- */

static u64 key_of_order(Rule rule, const Cell cells[], const int order[], int count) {
    empty_position(rule, 12);
    ready(0, 0, BLACK);
    for (int i = 0; i < count; i++) {
        position_make(&pos, cells[order[i]]);
        if (i + 1 < count && order[i + 1] % 2 == order[i] % 2) position_pass(&pos);
    }
    if (position_to_move(&pos) != BLACK) position_pass(&pos);
    return pos.board.key;
}

/* Even cells get black stones, odd ones white, in any order. */
static void test_key_forgets_the_order(void) {
    const Cell cells[] = {cell_at(0, 0), cell_at(11, 0), cell_at(3, 7), cell_at(7, 3),
                          cell_at(5, 5), cell_at(9, 2),  cell_at(1, 9), cell_at(10, 10)};
    enum { CELL_COUNT = COUNT(cells) };
    int order[CELL_COUNT];
    for (int i = 0; i < CELL_COUNT; i++) order[i] = i;
    const u64 key = key_of_order(RULE_FREESTYLE, cells, order, CELL_COUNT);
    for (int times = 0; times < 200; times++) {
        for (int i = CELL_COUNT - 1; i > 0; i--) {
            const int j = (int)random_below((u32)i + 1), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        if (order[0] % 2) continue; /* Black begins */
        check(key_of_order(times % 2 ? RULE_NINUKI : RULE_CARO, cells, order, CELL_COUNT) == key,
              "key by another order");
    }
    ready(0, 0, WHITE);
    check(pos.board.key != key, "the side to move is in the key");
}

static void test_key_knows_pairs(void) {
    u64 keys[WIN_PAIRS * WIN_PAIRS * 2];
    int count = 0;
    for (int black = 0; black < WIN_PAIRS; black++)
        for (int white = 0; white < WIN_PAIRS; white++)
            for (int side = 0; side < 2; side++) {
                empty_position(RULE_NINUKI, 9);
                position_put(&pos, cell_at(4, 4), BLACK);
                ready(black, white, side ? WHITE : BLACK);
                keys[count++] = pos.board.key;
            }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) check(keys[i] != keys[j], "keys %d and %d", i, j);
}

/* A pair taken and a pair never put differ in nothing but the pairs counted. */
static void test_key_after_a_capture(void) {
    empty_position(RULE_NINUKI, 9);
    position_put(&pos, cell_at(2, 2), WHITE);
    position_put(&pos, cell_at(3, 3), WHITE);
    position_put(&pos, cell_at(4, 4), BLACK);
    ready(0, 1, BLACK);
    position_make(&pos, cell_at(1, 1));
    const u64 key = pos.board.key;
    empty_position(RULE_NINUKI, 9);
    position_put(&pos, cell_at(1, 1), BLACK);
    position_put(&pos, cell_at(4, 4), BLACK);
    ready(1, 1, WHITE);
    check(pos.board.key == key, "key after a capture");
    ready(0, 1, WHITE);
    check(pos.board.key != key, "key without the capture");
}

/* Along random games equal boards, and only those, have equal keys. */
static void test_keys_differ(void) {
    static Board boards[2000];
    int count = 0;
    for (int game = 0; game < 50; game++) {
        empty_position(RULE_NINUKI, 7);
        ready(0, 0, BLACK);
        for (int i = 0; i < 40 && pos.board.empty_count; i++) {
            position_make(&pos, inviting_move());
            boards[count++] = pos.board;
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            Board *a = &boards[i], *b = &boards[j];
            const bool equal = a->to_move == b->to_move &&
                               memcmp(a->pairs, b->pairs, sizeof a->pairs) == 0 &&
                               memcmp(a->stone, b->stone, sizeof a->stone) == 0;
            if ((a->key == b->key) != equal) check(false, "keys of boards %d and %d", i, j);
        }
    check(count > 1000, "boards were compared");
}

/* --- the slow player, which knows the rules and tries everything --------------------------- */

/* Plays on a copy; the verdict after the move. */
static Verdict slow_play(Board *b, Rule rule, Cell c) {
    const Color mover = b->to_move;
    Cell captured[MAX_CAPTURED];
    const int n = rule == RULE_NINUKI ? rules_captures(b, c, mover, captured) : 0;
    for (int i = 0; i < n; i++) board_remove(b, captured[i]);
    board_put(b, c, mover);
    const int pairs = b->pairs[mover] + n / 2;
    board_set_pairs(b, mover, pairs < MAX_PAIRS ? pairs : MAX_PAIRS);
    board_set_to_move(b, other(mover));
    return rules_judge(b, rule, c);
}

static bool slow_wins_with(const Board *b, Rule rule, Cell c) {
    if (b->stone[c] != EMPTY || rules_barred(b, rule, c)) return false;
    Board after = *b;
    const Verdict v = slow_play(&after, rule, c);
    return v.status == GAME_WIN && v.winner == (Stone)b->to_move;
}

/* A square on which the side to move wins at once, `hint` looked at first. */
static Cell slow_win(const Board *b, Rule rule, Cell hint) {
    if (hint != NO_CELL && slow_wins_with(b, rule, hint)) return hint;
    BB_FOR_EACH(c, &b->empty)
    if (slow_wins_with(b, rule, c)) return c;
    return NO_CELL;
}

/* Whether whatever the side to move answers loses at once; `hint`: where it probably loses. */
static bool slow_lost(const Board *b, Rule rule, Cell hint) {
    bool any = false;
    BB_FOR_EACH(c, &b->empty) {
        if (rules_barred(b, rule, c)) continue;
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

/* Whether the side to move wins within three plies, with `first` looked at first. */
static bool slow_win_in_three(const Board *b, Rule rule, Cell first) {
    if (slow_win(b, rule, NO_CELL) != NO_CELL) return true;
    for (int pass = 0; pass < 2; pass++) BB_FOR_EACH(c, &b->empty) {
            if ((c == first) != (pass == 0) || rules_barred(b, rule, c)) continue;
            Board after = *b;
            const Verdict v = slow_play(&after, rule, c);
            if (v.status == GAME_ONGOING && slow_lost(&after, rule, NO_CELL)) return true;
        }
    return false;
}

/* --- movegen ------------------------------------------------------------------------------- */

static void print_board(const Board *b) {
    printf("rule %d, colour %d to move, pairs %d %d\n", pos.rule, b->to_move, b->pairs[BLACK],
           b->pairs[WHITE]);
    for (int y = 0; y < b->size; y++) {
        for (int x = 0; x < b->size; x++) putchar("XO.#"[b->stone[cell_at(x, y)]]);
        putchar('\n');
    }
}

/* movegen_wins_on on every square of a five, as the rules see it. */
static void check_wins_on(Cell c) {
    Board b = pos.board;
    const Color us = b.to_move;
    board_set_to_move(&b, other(us));
    bool expected = false;
    if (pos.state == STATE_ONGOING && b.stone[c] == EMPTY && !rules_barred(&b, pos.rule, c)) {
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
        if (bb_has(&set, m) || rules_barred(&pos.board, pos.rule, m)) continue;
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
    if (rule == RULE_NINUKI)
        for (int c = 0; c < COLORS; c++)
            board_set_pairs(&b, (Color)c, (int)random_below(WIN_PAIRS));
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
        if (bb_has(&set, m) || rules_barred(&pos.board, pos.rule, m)) continue;
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
        if (RULES[r] == RULE_NINUKI) continue;
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

/* A barred square wins nothing: ninuki, a five that would make two free threes as well. */
static void test_a_barred_five_is_no_threat(void) {
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

/* Candidates: empty, near what stands, the middle of an empty board. */
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
    test_games();
    test_eight_pairs();
    test_key_forgets_the_order();
    test_key_knows_pairs();
    test_key_after_a_capture();
    test_keys_differ();
    test_candidates();
    test_a_barred_five_is_no_threat();
    test_answers();
    test_defences();
    return checks_done();
}
