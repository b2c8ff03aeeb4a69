/* position.h - board and patterns as one unit: a move is made and unmade on both.
 *
 * Under rules with captures a position also knows the state of the game. A capture may win,
 * and if a five must stand, it may be pending. Under the other rules the search tests a winning
 * move before it makes it, so no state is kept.
 */
#ifndef POSITION_POSITION_H
#define POSITION_POSITION_H

#include "board/board.h"
#include "rules/rules.h"
#include "rules/traits.h"
#include "shape/capture_lines.h"

/* The state after a move. Always ONGOING under rules without captures. */
typedef enum {
    STATE_ONGOING,
    STATE_PENDING,   /* if a five must stand: the mover's does, and the side to move has one move to
                        break it */
    STATE_MOVER_WON, /* enough captures, or a five that wins at once */
    STATE_MOVER_LOST /* the mover has left the opponent's five standing */
} State;

typedef struct {
    u64 key;
    PatternMark mark;
    Cell cell;
    u8 mover;
    u8 captured; /* stones */
    u8 state;    /* before the move, like the next two */
    u8 captures; /* the mover's */
    bool five[COLORS];
    Cell taken[MAX_CAPTURED];
    PatternMark taken_mark[MAX_CAPTURED];
} Ply;

typedef struct {
    Board board;
    Rule rule;
    RuleTraits traits; /* of the rule */
    State state;
    bool five[COLORS]; /* a five that must stand is on the board; in the state ONGOING the side to
                          move owns one only in a set-up position */
    int plies;         /* moves made and not unmade */
    Ply ply[MAX_GAME_PLIES];
    CaptureLines capture_lines; /* rules with captures */
    Pattern pattern;
} Position;

/* An empty board, Black to move. */
void position_init(Position *p, Rule rule, const PatternTable *table, int size);
/* Sets up stones, captures and the side to move in any order; then call position_ready. No undo. */
void position_put(Position *p, Cell c, Stone s);
void position_ready(Position *p, const int captures[COLORS], Color to_move);
/* Copies the position with its moves. */
void position_copy(Position *p, const Position *from);
/* Drops the move history if another move and a search might not fit the stacks. Only a game that
 * continues long after its end gets there. */
void position_make_room(Position *p);
/* The side to move plays on the empty square c and captures. */
void position_make(Position *p, Cell c);
void position_unmake(Position *p);
/* The board's key after a move on the empty square c. */
u64 position_key_after(const Position *p, Cell c);
/* The side to move passes, in the state ONGOING; position_unpass undoes it. An own five from a
 * set-up position becomes pending. */
void position_pass(Position *p);
void position_unpass(Position *p);

/* The captures of the side to move after which the opponent has no five left. */
Bitboard position_breaks(const Position *p);

/* Whether the empty square c is forbidden for the side to move. */
bool position_forbidden(const Position *p, Cell c);
/* The same for a colour that need not be to move. */
bool position_forbidden_for(const Position *p, Color mover, Cell c);
/* Recomputes every incremental field, for ASSERT. */
bool position_ok(const Position *p);

static inline Color position_to_move(const Position *p) {
    return p->board.to_move;
}

/* Whether a stone of neither colour on the empty square c would make a threat. */
static inline bool position_is_quiet(const Position *p, Cell c) {
    return pattern_class(&p->pattern, BLACK, c) == SQUARE_QUIET &&
           pattern_class(&p->pattern, WHITE, c) == SQUARE_QUIET;
}

/* Whether a stone of the side to move on the empty square c makes a threat of its own. */
static inline bool position_is_threat(const Position *p, Cell c) {
    return pattern_class(&p->pattern, position_to_move(p), c) != SQUARE_QUIET;
}

static inline int position_count(const Position *p, Color color, SquareClass k) {
    return p->pattern.count[color][k];
}

static inline const Bitboard *position_set(const Position *p, Color color, SquareClass k) {
    return &p->pattern.set[color][k];
}

/* The summed values of the patterns before the last move; the present ones when there was none. */
static inline u64 position_value_before(const Position *p) {
    if (!p->plies) return p->pattern.value;
    const Ply *last = &p->ply[p->plies - 1];
    return last->captured ? last->taken_mark[0].value : last->mark.value;
}

/* The empty squares on which the colour captures, and their number. */
static inline const Bitboard *position_captures(const Position *p, Color color) {
    return &p->capture_lines.set[color];
}

static inline int position_capture_count(const Position *p, Color color) {
    return p->capture_lines.count[color];
}

/* The number of captures that a colour still needs to win; 0 or less: it has won. */
static inline int position_captures_missing(const Position *p, Color color) {
    return traits_to_win(&p->traits) - p->board.captures[color];
}

static inline bool position_has_captured_enough(const Position *p, Color color) {
    return position_captures_missing(p, color) <= 0;
}

/* A colour's captures in fifths of a win, rounded down: pairs, or three stones each. */
static inline int position_capture_fifths(const Position *p, Color color) {
    const int count = p->board.captures[color];
    return p->traits.counts_stones ? count / (WIN_STONES / WIN_PAIRS) : count;
}

/* Whether the empty square c may be a forbidden double three of renju for the side to move, which
 * only rules_renju_forbidden can tell. */
static inline bool position_may_be_renju_forbidden(const Position *p, Cell c) {
    const Color us = position_to_move(p);
    return p->traits.forbids[us] == FORBIDS_RENJU && pattern_suspect(&p->pattern, us, c);
}

static inline Cell position_last(const Position *p) {
    return p->plies ? p->ply[p->plies - 1].cell : (Cell)NO_CELL;
}

#endif
