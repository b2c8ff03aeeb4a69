#include "position/position.h"

#include <stdlib.h>
#include <string.h>

void position_init(Position *p, Rule rule, const PatternTable *table, int size) {
    board_init(&p->board, size);
    pattern_init(&p->pattern, table, size);
    p->rule = rule;
    p->traits = *rules_traits(rule);
    p->state = STATE_ONGOING;
    p->five[BLACK] = p->five[WHITE] = false;
    p->plies = 0;
    capture_lines_init(&p->capture_lines, p->traits.triples);
}

void position_put(Position *p, Cell c, Stone s) {
    ASSERT(p->plies == 0);
    board_put(&p->board, c, s);
    pattern_put(&p->pattern, c, s);
    if (p->traits.captures) capture_lines_update(&p->capture_lines, &p->pattern, c);
    p->pattern.top = 0; /* never undone */
}

void position_ready(Position *p, const int captures[COLORS], Color to_move) {
    for (int c = 0; c < COLORS; c++) {
        board_set_captures(&p->board, (Color)c, captures[c]);
        p->five[c] = p->traits.five_must_stand && rules_any_five(&p->board, (Color)c);
    }
    board_set_to_move(&p->board, to_move);
    p->state = p->five[other(to_move)] ? STATE_PENDING : STATE_ONGOING;
    ASSERT(position_ok(p));
}

void position_copy(Position *p, const Position *from) {
    p->board = from->board;
    p->rule = from->rule;
    p->traits = from->traits;
    p->state = from->state;
    memcpy(p->five, from->five, sizeof p->five);
    p->plies = from->plies;
    memcpy(p->ply, from->ply, (size_t)from->plies * sizeof *p->ply);
    p->capture_lines = from->capture_lines;
    pattern_copy(&p->pattern, &from->pattern);
    ASSERT(position_ok(p));
}

void position_make_room(Position *p) {
    const int left = p->board.empty_count + 2 * (WIN_STONES + MAX_CAPTURED);
    const u32 changes = (u32)left * (MAX_CHANGES + 1);
    if (p->plies + left <= MAX_GAME_PLIES && p->pattern.top + changes <= PATTERN_STACK) return;
    p->plies = 0;
    p->pattern.top = 0;
}

/* --- captures ---------------------------------------------------------------------------- */

/* The captures of a colour after it has captured some stones. */
static int captures_with(const Position *p, Color mover, int stones) {
    const int count = p->board.captures[mover] + traits_count(&p->traits, stones);
    const int most = traits_most_captures(&p->traits);
    return count < most ? count : most;
}

/* Removes and counts the captured stones. */
static void make_captures(Position *p, Color mover, Ply *ply) {
    Board *b = &p->board;
    if (capture_lines_count(&p->capture_lines, mover, ply->cell, CAPTURE_NOW))
        ply->captured = (u8)capture_lines_captured(&p->capture_lines, &p->pattern, mover, ply->cell,
                                                   ply->taken);
    ASSERT(ply->captured == rules_captures(b, p->rule, ply->cell, mover, (Cell[MAX_CAPTURED]){0}));
    if (!ply->captured) return;
    for (int i = 0; i < ply->captured; i++) {
        board_remove(b, ply->taken[i]);
        ply->taken_mark[i] = pattern_remove(&p->pattern, ply->taken[i], other(mover));
    }
    board_set_captures(b, mover, captures_with(p, mover, ply->captured));
}

/* Updates the lines of a move and of the stones it captured. */
static void update_capture_lines(Position *p, const Ply *ply) {
    capture_lines_update(&p->capture_lines, &p->pattern, ply->cell);
    for (int i = 0; i < ply->captured; i++)
        capture_lines_update(&p->capture_lines, &p->pattern, ply->taken[i]);
}

/* The first squares of five stones in a row. Rows end ten columns before the stride, so no shift
 * runs into the next row. */
static ALWAYS_INLINE Bitboard rows_of_five(const Bitboard *stones, int step) {
    Bitboard two = bb_down(stones, step);
    bb_and(&two, stones);
    Bitboard five = bb_down(&two, 2 * step);
    bb_and(&five, &two);
    const Bitboard last = bb_down(stones, 4 * step);
    bb_and(&five, &last);
    return five;
}

static bool any_five(const Bitboard *stones) {
    const Bitboard a = rows_of_five(stones, 1), b = rows_of_five(stones, STRIDE);
    if (bb_any(&a) || bb_any(&b)) return true;
    const Bitboard c = rows_of_five(stones, STRIDE + 1), d = rows_of_five(stones, STRIDE - 1);
    return bb_any(&c) || bb_any(&d);
}

static ALWAYS_INLINE void add_rows(const Bitboard *stones, int step, Bitboard *set) {
    const Bitboard first = rows_of_five(stones, step);
    if (!bb_any(&first)) return;
    for (int i = 0; i < 5; i++) {
        const Bitboard next = bb_up(&first, i * step);
        bb_or(set, &next);
    }
}

/* The stones that stand in a five. */
static Bitboard stones_of_fives(const Bitboard *stones) {
    Bitboard set = {{0}};
    add_rows(stones, 1, &set);
    add_rows(stones, STRIDE, &set);
    add_rows(stones, STRIDE + 1, &set);
    add_rows(stones, STRIDE - 1, &set);
    return set;
}

/* Whether a capture leaves no five; most captures hit none of its stones. */
static bool breaks(const Position *p, Color color, Cell c, const Bitboard *fives) {
    Cell taken[MAX_CAPTURED];
    const int count = capture_lines_captured(&p->capture_lines, &p->pattern, color, c, taken);
    Bitboard left = p->board.stones[other(color)];
    bool hit = false;
    for (int i = 0; i < count; i++) {
        bb_flip(&left, taken[i]);
        hit |= bb_has(fives, taken[i]);
    }
    return hit && !any_five(&left);
}

/* Whether color has a capture after which the opponent has no five, from captures, lines and bit
 * sets alone. */
static bool can_break(const Position *p, Color color) {
    if (!p->capture_lines.count[color]) return false;
    const Bitboard fives = stones_of_fives(&p->board.stones[other(color)]);
    BB_FOR_EACH(c, &p->capture_lines.set[color])
    if (breaks(p, color, c, &fives)) return true;
    return false;
}

Bitboard position_breaks(const Position *p) {
    const Color us = position_to_move(p);
    const Bitboard fives = stones_of_fives(&p->board.stones[other(us)]);
    Bitboard set = {{0}};
    BB_FOR_EACH(c, &p->capture_lines.set[us])
    if (breaks(p, us, c, &fives)) bb_add(&set, c);
    return set;
}

/* A five wins at once, whether or not it could be captured. */
static State judge_five(const Position *p, Color mover, bool made_five) {
    return made_five || position_has_captured_enough(p, mover) ? STATE_MOVER_WON : STATE_ONGOING;
}

static State judge_standing_five(Position *p, Color mover, bool made_five) {
    const Color replier = other(mover);
    if (p->five[replier]) p->five[replier] = any_five(&p->board.stones[replier]);
    if (made_five) p->five[mover] = true;
    if (position_has_captured_enough(p, mover)) return STATE_MOVER_WON;
    if (p->five[replier]) return STATE_MOVER_LOST;
    if (!p->five[mover]) return STATE_ONGOING;
    const bool breakable = can_break(p, replier);
    ASSERT(breakable == rules_can_break(&p->board, p->rule, replier));
    return breakable ? STATE_PENDING : STATE_MOVER_WON;
}

/* --- moves ------------------------------------------------------------------------------- */

void position_make(Position *p, Cell c) {
    const Color mover = p->board.to_move;
    Ply *ply = &p->ply[p->plies++];
    ASSERT(p->plies <= MAX_GAME_PLIES && p->board.stone[c] == EMPTY);
    ply->key = p->board.key;
    ply->cell = c;
    ply->mover = (u8)mover;
    ply->captured = 0;
    ply->state = (u8)p->state;
    ply->captures = p->board.captures[mover];
    memcpy(ply->five, p->five, sizeof ply->five);
    const bool captures = p->traits.captures;
    const bool made_five = captures && pattern_class(&p->pattern, mover, c) == SQUARE_FIVE;
    if (captures) make_captures(p, mover, ply);
    board_put(&p->board, c, mover);
    ply->mark = pattern_put(&p->pattern, c, mover);
    board_set_to_move(&p->board, other(mover));
    if (captures) {
        update_capture_lines(p, ply);
        p->state = p->traits.five_must_stand ? judge_standing_five(p, mover, made_five)
                                             : judge_five(p, mover, made_five);
    }
    ASSERT(position_ok(p));
}

void position_unmake(Position *p) {
    ASSERT(p->plies > 0);
    const Ply *ply = &p->ply[--p->plies];
    const Color mover = other(p->board.to_move);
    Board *b = &p->board;
    board_set_to_move(b, mover);
    pattern_undo_put(&p->pattern, ply->cell, mover, ply->mark);
    board_remove(b, ply->cell);
    if (ply->captured) board_set_captures(b, mover, ply->captures);
    for (int i = ply->captured - 1; i >= 0; i--) {
        pattern_undo_remove(&p->pattern, ply->taken[i], other(mover), ply->taken_mark[i]);
        board_put(b, ply->taken[i], other(mover));
    }
    if (p->traits.captures) update_capture_lines(p, ply);
    p->state = (State)ply->state;
    memcpy(p->five, ply->five, sizeof p->five);
    ASSERT(b->key == ply->key);
    ASSERT(position_ok(p));
}

u64 position_key_after(const Position *p, Cell c) {
    const Board *b = &p->board;
    const Color us = b->to_move;
    u64 key = b->key ^ b->zobrist->stone[us][c] ^ b->zobrist->to_move;
    if (!p->traits.captures || !capture_lines_count(&p->capture_lines, us, c, CAPTURE_NOW))
        return key;
    Cell taken[MAX_CAPTURED];
    const int count = capture_lines_captured(&p->capture_lines, &p->pattern, us, c, taken);
    for (int i = 0; i < count; i++) key ^= b->zobrist->stone[other(us)][taken[i]];
    const u64 *captures = b->zobrist->captures[us];
    return key ^ captures[b->captures[us]] ^ captures[captures_with(p, us, count)];
}

void position_pass(Position *p) {
    ASSERT(p->state == STATE_ONGOING);
    if (p->five[p->board.to_move]) p->state = STATE_PENDING;
    board_set_to_move(&p->board, other(p->board.to_move));
}

void position_unpass(Position *p) {
    p->state = STATE_ONGOING;
    board_set_to_move(&p->board, other(p->board.to_move));
}

bool position_forbidden(const Position *p, Cell c) {
    return position_forbidden_for(p, p->board.to_move, c);
}

bool position_forbidden_for(const Position *p, Color mover, Cell c) {
    const Forbids forbids = p->traits.forbids[mover];
    if (forbids == FORBIDS_NOTHING) return false;
    if (pattern_class(&p->pattern, mover, c) == SQUARE_FORBIDDEN) return true;
    if (!pattern_suspect(&p->pattern, mover, c)) return false;
    if (forbids == FORBIDS_RENJU) return rules_renju_forbidden(&p->board, c) != FORBIDDEN_NONE;
    return !capture_lines_count(&p->capture_lines, mover, c, CAPTURE_NOW) &&
           rules_double_three(&p->board, c, mover);
}

/* --- position_ok ------------------------------------------------------------------------- */

/* The key and the sets of squares, from the stones alone. */
static bool board_ok(const Board *b) {
    const Zobrist *z = b->zobrist;
    u64 key = b->to_move == WHITE ? z->to_move : 0;
    Bitboard stones[COLORS] = {{{0}}}, empty = {{0}};
    for (int c = 0; c < COLORS; c++)
        if (b->captures[c]) key ^= z->captures[c][b->captures[c]];
    for (Cell c = 0; c < CELLS; c++) {
        const Stone s = (Stone)b->stone[c];
        if (s == OFF_BOARD) continue;
        if (s == EMPTY) {
            bb_add(&empty, c);
            continue;
        }
        if (s == BLACK || s == WHITE) bb_add(&stones[s], c);
        key ^= z->stone[s][c];
    }
    return key == b->key && bb_count(&empty) == b->empty_count &&
           memcmp(&empty, &b->empty, sizeof empty) == 0 &&
           memcmp(stones, b->stones, sizeof stones) == 0;
}

static bool patterns_ok(const Position *p, Pattern *fresh) {
    const Board *b = &p->board;
    CaptureLines fresh_lines;
    capture_lines_init(&fresh_lines, p->traits.triples);
    pattern_init(fresh, p->pattern.table, b->size);
    for (Cell c = 0; c < CELLS; c++)
        if (b->stone[c] != EMPTY && b->stone[c] != OFF_BOARD) {
            pattern_put(fresh, c, (Stone)b->stone[c]);
            fresh->top = 0;
            if (p->traits.captures) capture_lines_update(&fresh_lines, fresh, c);
        }
    if (memcmp(fresh_lines.along, p->capture_lines.along, sizeof fresh_lines.along) != 0)
        return false;
    if (memcmp(fresh_lines.lines, p->capture_lines.lines, sizeof fresh_lines.lines) != 0)
        return false;
    if (memcmp(fresh_lines.total, p->capture_lines.total, sizeof fresh_lines.total) != 0)
        return false;
    for (Cell c = 0; c < CELLS; c++)
        if (b->stone[c] == EMPTY && fresh->at[c] != p->pattern.at[c]) return false;
    return fresh->value == p->pattern.value &&
           memcmp(fresh->line, p->pattern.line, sizeof fresh->line) == 0 &&
           memcmp(fresh->count, p->pattern.count, sizeof fresh->count) == 0 &&
           memcmp(fresh->set, p->pattern.set, sizeof fresh->set) == 0;
}

/* Captures by the rules. A square that is not empty has none. */
static bool capture_lines_ok(const Position *p, Color color) {
    Cell out[MAX_CAPTURED];
    Bitboard squares = {{0}}, found = {{0}};
    BB_FOR_EACH(c, &p->board.empty)
    if (rules_captures(&p->board, p->rule, c, color, out) > 0) bb_add(&squares, c);
    for (Cell c = 0; c < CELLS; c++)
        if (capture_lines_count(&p->capture_lines, color, c, CAPTURE_NOW)) bb_add(&found, c);
    return bb_count(&squares) == p->capture_lines.count[color] &&
           memcmp(&squares, &found, sizeof squares) == 0 &&
           memcmp(&squares, &p->capture_lines.set[color], sizeof squares) == 0;
}

static bool captures_ok(const Position *p) {
    for (Color c = BLACK; c <= WHITE; c++) {
        const bool five = p->traits.five_must_stand && rules_any_five(&p->board, c);
        if (p->five[c] != five || !capture_lines_ok(p, c)) return false;
    }
    return true;
}

bool position_ok(const Position *p) {
    if (!board_ok(&p->board)) return false;
    if (p->traits.captures && !captures_ok(p)) return false;
    Pattern *fresh = malloc(sizeof *fresh);
    if (!fresh) return true; /* out of memory is not an error of the position */
    const bool ok = patterns_ok(p, fresh);
    free(fresh);
    return ok;
}
