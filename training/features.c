/* features.c - turns games (selfplay.c) into the input of the fit.
 *
 *     features OUT < games.txt         writes OUT.heads, OUT.values, OUT.moves (little endian)
 *
 * OUT.heads has a record for each position, from the view of the side to move: i8 result (1 won, 0
 * draw, -1 lost); u8 colour to move; u8 1 if the record before is not the position before; u8 best
 * class of the mover; u8 of the other side; 7 u8 numbers of squares of each class of the mover
 * (eval_count); 7 u8 of the other side; i16 score of the search; u16 threats of the mover | of the
 * other side << 6 (features.h); u16 number of entries in OUT.values; u16 in OUT.moves; with
 * captures: u8 pairs captured by the mover, u8 by the other side, u8 squares on which the mover
 * would capture, u8 the other side (captures.h has the bounds of the counts).
 *
 * OUT.values has u16 code and i16 count: the number of squares with the code for the mover minus
 * the number for the other side. Under renju White's codes follow Black's, SQUARE_CODES later.
 *
 * OUT.moves has a record for each candidate: u16 code for the mover; u16 for the other side; u8
 * distance class to the last move (eval_near); u8 1 for the played move; u16 numbers of lines along
 * which the move captures, denies, brackets, shields and is in danger, three bits each.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/evaluate.h"
#include "position/movegen.h"

typedef struct {
    FILE *heads, *values, *moves;
} Output;

/* The values of a position from its game. */
typedef struct {
    int result; /* 1: Black won */
    int score;  /* the mover's, from the search */
    Cell chosen;
} Move;

static void put8(FILE *f, int v) {
    putc(v & 255, f);
}

static void put16(FILE *f, int v) {
    put8(f, v);
    put8(f, v >> 8);
}

static int best_class(const Position *p, Color c) {
    for (int k = SQUARE_FIVE; k > SQUARE_QUIET; k--)
        if (position_count(p, c, (SquareClass)k)) return k;
    return SQUARE_QUIET;
}

static int table_of(const Position *p, Color c) {
    return traits_law(&p->traits, c) * SQUARE_CODES;
}

/* Codes of both sides cancel out. */
static int write_values(const Output *o, const Position *p) {
    static int16_t times[2 * SQUARE_CODES];
    const Color us = position_to_move(p);
    BB_FOR_EACH(c, &p->board.empty) {
        times[table_of(p, us) + (int)pattern_code(&p->pattern, us, c)]++;
        times[table_of(p, other(us)) + (int)pattern_code(&p->pattern, other(us), c)]--;
    }
    int n = 0;
    for (int i = 0; i < 2 * SQUARE_CODES; i++) {
        if (times[i] == 0) continue;
        put16(o->values, i);
        put16(o->values, times[i]);
        times[i] = 0;
        n++;
    }
    return n;
}

/* In the order of CaptureWeights. */
static int captures_of(const Position *p, Cell c) {
    const Color us = position_to_move(p), them = other(us);
    const int lines[] = {capture_lines_count(&p->capture_lines, us, c, CAPTURE_NOW),
                         capture_lines_count(&p->capture_lines, them, c, CAPTURE_NOW),
                         capture_lines_count(&p->capture_lines, us, c, CAPTURE_THREAT),
                         capture_lines_count(&p->capture_lines, them, c, CAPTURE_THREAT),
                         capture_lines_count(&p->capture_lines, us, c, CAPTURE_RISK)};
    int all = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        all |= lines[i] << (CAPTURE_KIND_BITS * i);
    return all;
}

static int write_moves(const Output *o, const Position *p, Cell chosen) {
    const Color us = position_to_move(p);
    const Cell last = position_last(p);
    Bitboard near = movegen_candidates(p);
    bb_add(&near, chosen);
    BB_FOR_EACH(c, &near) {
        put16(o->moves, (int)pattern_code(&p->pattern, us, c));
        put16(o->moves, (int)pattern_code(&p->pattern, other(us), c));
        put8(o->moves, eval_near(last, c));
        put8(o->moves, c == chosen);
        put16(o->moves, captures_of(p, c));
    }
    return bb_count(&near);
}

static void write_counts(const Output *o, const Position *p, Color c) {
    for (int k = 0; k < COUNT_CLASSES; k++) put8(o->heads, eval_count(p, c, k));
}

static void write_position(const Output *o, const Position *p, const Move *m, bool first) {
    const Color us = position_to_move(p);
    put8(o->heads, us == BLACK ? m->result : -m->result);
    put8(o->heads, (int)us);
    put8(o->heads, first);
    put8(o->heads, best_class(p, us));
    put8(o->heads, best_class(p, other(us)));
    write_counts(o, p, us);
    write_counts(o, p, other(us));
    put16(o->heads, m->score);
    put16(o->heads, (int)(eval_threats(p, us) | eval_threats(p, other(us)) << THREAT_BITS));
    put16(o->heads, write_values(o, p));
    put16(o->heads, write_moves(o, p, m->chosen));
    for (int i = 0; i < COLORS; i++) put8(o->heads, captures_taken(p, i ? other(us) : us));
    for (int i = 0; i < COLORS; i++) put8(o->heads, captures_counted(p, i ? other(us) : us));
}

static void read_game(const Output *o, Position *p, char *line) {
    int rule, size, result, opening, used;
    if (sscanf(line, "%d %d %d %d %n", &rule, &size, &result, &opening, &used) != 4) return;
    if (result < -1 || result > 1) {
        fprintf(stderr, "features: a node of a search has no result\n");
        exit(1);
    }
    position_init(p, (Rule)rule, &eval_table((Rule)rule)->pattern, size);
    int i = 0;
    bool before = false; /* the position before was written */
    for (char *m = strtok(line + used, ";\n"); m; m = strtok(NULL, ";\n"), i++) {
        int x, y, score;
        if (sscanf(m, "%d,%d,%d", &x, &y, &score) != 3) return;
        const Move move = {result, score, cell_at(x, y)};
        const bool wanted = i >= opening && p->state == STATE_ONGOING;
        if (wanted) write_position(o, p, &move, !before);
        before = wanted;
        position_make(p, cell_at(x, y));
    }
}

static bool fail_output(const char *stem, const char *ending) {
    fprintf(stderr, "features: %s.%s cannot be written: %s\n", stem, ending, strerror(errno));
    return false;
}

static FILE *open_output(const char *stem, const char *ending) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", stem, ending);
    FILE *f = fopen(path, "wb");
    if (f) return f;
    fail_output(stem, ending);
    exit(1);
}

static bool close_output(FILE *f, const char *stem, const char *ending) {
    const bool good = fflush(f) == 0 && !ferror(f);
    return (fclose(f) == 0 && good) || fail_output(stem, ending);
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    Position *p = malloc(sizeof *p);
    if (argc != 2 || !p) {
        fprintf(stderr, "usage: features OUT < games.txt\n");
        return 2;
    }
    signal(SIGXFSZ, SIG_IGN); /* close_output reports it */
    const Output o = {open_output(argv[1], "heads"), open_output(argv[1], "values"),
                      open_output(argv[1], "moves")};
    while (fgets(line, sizeof line, stdin)) read_game(&o, p, line);
    free(p);
    const bool heads = close_output(o.heads, argv[1], "heads");
    const bool values = close_output(o.values, argv[1], "values");
    const bool moves = close_output(o.moves, argv[1], "moves");
    return heads && values && moves ? 0 : 1;
}
