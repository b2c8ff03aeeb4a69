/* features.c - turns games (selfplay.c) into what the fit reads: little-endian binary records.
 *
 *   features < games.txt > features.bin
 *
 * A record is one position, as the mover sees it:
 *   i8 result (1 won, 0 draw, -1 lost by the mover), i16 score of the search, u8 colour to move,
 *   u8 threat class of the mover's best, u8 of the other's, u16 n, then n squares of
 *   u16 code for the mover, u16 code for the other, u8 flags (1: the move played, 2: candidate)
 * The squares are all empty ones: a sum over them is what the evaluation takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval.h"
#include "position/movegen.h"

static void put8(int v) {
    putchar(v & 255);
}

static void put16(int v) {
    put8(v);
    put8(v >> 8);
}

static int best_class(const Position *p, Color c) {
    for (int k = SQUARE_FIVE; k > SQUARE_QUIET; k--)
        if (position_count(p, c, (SquareClass)k)) return k;
    return SQUARE_QUIET;
}

static void write_position(const Position *p, int result, int score, Cell chosen) {
    const Color us = position_to_move(p);
    const Bitboard near = movegen_candidates(p);
    put8(us == BLACK ? result : -result);
    put16(score);
    put8(us);
    put8(best_class(p, us));
    put8(best_class(p, other(us)));
    put16(p->board.empty_count);
    BB_FOR_EACH(c, &p->board.empty) {
        put16((int)pattern_code(&p->pattern, us, c));
        put16((int)pattern_code(&p->pattern, other(us), c));
        put8((c == chosen ? 1 : 0) | (bb_has(&near, c) ? 2 : 0));
    }
}

static void read_game(Position *p, char *line) {
    int rule, size, result, opening, used;
    if (sscanf(line, "%d %d %d %d %n", &rule, &size, &result, &opening, &used) != 4) return;
    position_init(p, (Rule)rule, &eval_table((Rule)rule)->pattern, size);
    int i = 0;
    for (char *m = strtok(line + used, ";\n"); m; m = strtok(NULL, ";\n"), i++) {
        int x, y, score;
        if (sscanf(m, "%d,%d,%d", &x, &y, &score) != 3) return;
        if (i >= opening) write_position(p, result, score, cell_at(x, y));
        position_make(p, cell_at(x, y));
    }
}

int main(void) {
    static char line[1 << 16];
    Position *p = malloc(sizeof *p);
    if (!p) return 1;
    while (fgets(line, sizeof line, stdin)) read_game(p, line);
    free(p);
    return 0;
}
