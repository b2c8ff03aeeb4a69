/* check.h - what the C tests share: counting checks, and boards drawn as text.
 *
 *      X Black   O White   # nobody's   . empty          rows end with '/'
 *      x o       a stone that the test asks about        "..O/"
 *      *         the empty square that it asks about     ".X./"
 *      c         a white stone that the answer names     "*.."
 *
 * A drawing is seen in 16 views: 8 symmetries of the board, times the colours as drawn or swapped.
 * Tests that go through all of them hold in every direction, corner and colour.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdarg.h>
#include <stdio.h>

#include "board/board.h"

enum { VIEWS_PLAIN = 8, VIEWS = 16, MAX_NAMED = 32 };

static const Rule RULES[RULE_COUNT] = {
#define LISTED(name) RULE_##name,
    FOR_EACH_RULE(LISTED)
#undef LISTED
};

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* A build with assertions recomputes the position after each move, which takes some forty times as
 * long. Its tests try fewer cases than those of a build without; `make ctest` runs both. */
#ifdef NDEBUG
enum { ASSERTS = false };
#else
enum { ASSERTS = true };
#endif

static int checks_passed, checks_failed;

__attribute__((format(printf, 2, 3))) static inline void check(bool good, const char *format, ...) {
    if (good) {
        checks_passed++;
        return;
    }
    checks_failed++;
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

/* The exit status for main. */
static inline int checks_done(void) {
    printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed != 0;
}

/* The place of a drawing: the board size and the top left square. */
typedef struct {
    int size, x, y;
} Place;

/* Far from every edge. */
#define MID {15, 4, 4}

typedef struct {
    Board board; /* Black to move, no pairs */
    Cell star;   /* the square in question; NO_CELL without one */
    Cell named[MAX_NAMED];
    int named_count; /* of the squares marked c */
} Scene;

/* (x, y) in a view: mirrored along the row, down the column, and across the diagonal. */
static inline Cell view_cell(int size, int x, int y, int view) {
    if (view & 1) x = size - 1 - x;
    if (view & 2) y = size - 1 - y;
    return view & 4 ? cell_at(y, x) : cell_at(x, y);
}

/* A colour in a view; EMPTY and NEUTRAL stay the same. */
static inline Stone view_stone(Stone s, int view) {
    return (s == BLACK || s == WHITE) && view >= VIEWS_PLAIN ? other(s) : s;
}

static inline Stone drawn_stone(char sign) {
    switch (sign) {
    case 'X':
    case 'x':
        return BLACK;
    case 'O':
    case 'o':
    case 'c':
        return WHITE;
    case '#':
        return NEUTRAL;
    default:
        return EMPTY;
    }
}

static inline Scene draw_scene(Place place, const char *rows, int view) {
    Scene scene = {.star = NO_CELL};
    board_init(&scene.board, place.size);
    int x = place.x, y = place.y;
    for (const char *p = rows; *p; p++, x++) {
        if (*p == '/') {
            x = place.x - 1;
            y++;
            continue;
        }
        const Cell c = view_cell(place.size, x, y, view);
        const Stone s = drawn_stone(*p);
        if (s != EMPTY) board_put(&scene.board, c, view_stone(s, view));
        if (*p == 'x' || *p == 'o' || *p == '*') scene.star = c;
        if (*p == 'c') scene.named[scene.named_count++] = c;
    }
    return scene;
}

#endif
