/* shape.h - the worth of a stone on a square, along one line.
 *
 * A line is a word of 2-bit squares: 00 empty, 01 Black, 10 White, 11 edge or neutral. Each side of
 * a square is a key of `reach` squares:
 *
 *        . X X . (c) O . . .            ahead = O . . .      nearest square lowest
 *        <------      ------>           behind = . X X .     nearest square highest
 *
 * A colour sees a side as own stones and gaps up to the first blocking square. Squares behind it do
 * not matter. The 4^reach keys therefore fall into few classes that both colours see alike: 57 at
 * reach 4, 120 at reach 5, 172 under caro, which tells an edge from a stone. Two small look-ups
 * give the two classes. A third one, in a table of 4 to 36 KiB that stays in the nearest cache,
 * gives the shapes of BOTH colours. (A table over the raw keys would take 64 KiB to a megabyte.)
 *
 * Reach: a five through the square lies within 4 squares. The squares at its ends lie within 5.
 * They matter if exactly five counts (an own stone), and under caro (an opponent's stone).
 */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include "base/base.h"

/* In rising order of strength as a threat. A name says what the line holds after the stone is
 * placed. */
/* layout: begin */
typedef enum {
    SHAPE_DEAD,         /* no five can result */
    SHAPE_ONE_CLOSED,   /* one more stone makes a closed two */
    SHAPE_ONE,          /* one more makes a two */
    SHAPE_TWO_CLOSED,   /* one more makes a closed three */
    SHAPE_TWO_WEAK,     /* one more makes a weak three */
    SHAPE_TWO,          /* one more makes an open three */
    SHAPE_THREE_CLOSED, /* one more makes a four */
    SHAPE_THREE_WEAK,   /* one square makes it an open four */
    SHAPE_THREE,        /* two squares or more make it an open four */
    SHAPE_FOUR,         /* one more makes five, and one reply stops it */
    SHAPE_OPEN_FOUR,    /* one more makes five, and no single stone stops it */
    SHAPE_DOUBLE_FOUR,  /* renju, Black: two fours in one line (forbidden) */
    SHAPE_FIVE,         /* wins */
    SHAPE_OVERLINE,     /* renju, Black: six or more (forbidden) */
    SHAPES
} Shape;

/* The unordered set of a square's four shapes. */
enum { SQUARE_CODES = 2380 }; /* C(SHAPES + 3, 4) */

/* The strongest result of a stone on a square, over all four lines together. */
typedef enum {
    SQUARE_QUIET,
    SQUARE_THREE,      /* one open three */
    SQUARE_THREES,     /* two or more */
    SQUARE_FOUR,       /* one four */
    SQUARE_FOUR_THREE, /* a four and an open three */
    SQUARE_FOURS,      /* two fours or more in different lines */
    SQUARE_OPEN_FOUR,
    SQUARE_FIVE,
    SQUARE_FORBIDDEN, /* renju, Black: overline or double four, without a five */
    SQUARE_CLASSES
} SquareClass;
/* layout: end */

enum { PAIR_CODES = 136 }; /* unordered pairs of two nibbles: 16 * 17 / 2 */

enum { MAX_REACH = 5, MAX_KEYS = 1 << (2 * MAX_REACH), MAX_SIDES = 192 };

typedef struct {
    int reach;          /* squares on each side that matter */
    u8 ahead[MAX_KEYS]; /* key of a side -> its class */
    u8 behind[MAX_KEYS];
    /* bit i: the square at distance i + 1 is empty, and stones of one colour at most lie between */
    u8 seen_ahead[MAX_KEYS];
    u8 seen_behind[MAX_KEYS];
    u8 shape[MAX_SIDES * MAX_SIDES];      /* [behind * MAX_SIDES + ahead]: Black | White << 4 */
    u8 pair[256];                         /* two shapes -> pair code */
    u16 code[PAIR_CODES * PAIR_CODES];    /* two pair codes -> square code */
    u8 class[COLORS][SQUARE_CODES];       /* SquareClass */
    u8 suspect[COLORS][SQUARE_CODES];     /* possible double three: only the rules can tell */
    u8 members[SQUARE_CODES][DIRECTIONS]; /* the shapes of a square code, rising */
} ShapeTable;

/* The table of a rule, built on first use, constant afterwards. */
const ShapeTable *shape_table(Rule rule);

/* The code of a square's four shapes, packed as nibbles. */
static inline u32 shape_square_code(const ShapeTable *t, u32 shapes) {
    return t->code[t->pair[shapes & 255] * PAIR_CODES + t->pair[shapes >> 8 & 255]];
}

#endif
