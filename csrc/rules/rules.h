/* rules.h - wins, captures and forbidden moves by plain scanning.
 *
 * Slow and obviously right: every answer comes from Board.stone[] alone, and no call keeps anything
 * for the next. The fast code is checked against these functions.
 *
 * NEUTRAL stones belong to nobody. They block, and they are never counted or captured. They bracket
 * nothing, and under caro they close nothing.
 */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "board/board.h"

/* The reasons why a move of Black is forbidden under renju. The first reason in this order counts.
 */
typedef enum {
    FORBIDDEN_NONE,
    FORBIDDEN_OVERLINE,
    FORBIDDEN_DOUBLE_FOUR,
    FORBIDDEN_DOUBLE_THREE
} Forbidden;

/* The numbers are those of tengen.h. */
typedef enum { GAME_ONGOING = 0, GAME_PENDING = 1, GAME_WIN = 2, GAME_DRAW = 3 } GameStatus;
typedef enum {
    REASON_NONE = 0,
    REASON_FIVE = 1,
    REASON_CAPTURES = 2,
    REASON_FIVE_NOT_BROKEN = 3,
    REASON_BOARD_FULL = 4,
    REASON_NO_LEGAL_MOVE = 5
} Reason;

typedef struct {
    GameStatus status;
    Stone winner; /* EMPTY: no winner */
    Reason reason;
} Verdict;

/* five.c */
/* Length of the run of stone colour through c in direction d (0..3); c holds that colour. */
int rules_run(const Board *b, Cell c, int direction);
/* True if the stone on `last` is in a winning line under `rule` (renju: by its colour). */
bool rules_is_win(const Board *b, Rule rule, Cell last);
/* True if `colour` has a line of five or more anywhere (ninuki's standing five). */
bool rules_any_five(const Board *b, Color colour);

/* capture.c */
/* The stones that colour captures by a move on the empty square c, in rising order; returns their
 * number. */
int rules_captures(const Board *b, Rule rule, Cell c, Color colour, Cell out[MAX_CAPTURED]);
/* Whether `colour` has a capture after which the opponent has no five. */
bool rules_can_break(const Board *b, Rule rule, Color colour);

/* double_three.c */
/* Whether colour's stone on the empty square c would make a free three (ninuki) along a direction.
 * Its captures are removed already. */
bool rules_free_three(const Board *b, Cell c, Color colour, int direction);
/* Whether it would make free threes in two or more directions. */
bool rules_double_three(const Board *b, Cell c, Color colour);

/* renju.c */
/* Why a move of Black on the empty square c is forbidden under renju; FORBIDDEN_NONE if it makes a
 * five. */
Forbidden rules_renju_forbidden(const Board *b, Cell c);

/* judge.c */
/* Whether the empty square c is forbidden for the side to move. */
bool rules_forbidden(const Board *b, Rule rule, Cell c);
/* Judges the position after the move `last` of other(b->to_move). Its captures are removed and
 * counted, and the side to move has changed. */
Verdict rules_judge(const Board *b, Rule rule, Cell last);
/* Judges a set-up position, whose last move is unknown. */
Verdict rules_judge_setup(const Board *b, Rule rule);

#endif
