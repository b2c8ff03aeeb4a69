/* yardstick.h - positions with a deep score and move, to judge networks.
 *
 * A text file, one position a line: RULE SIZE MOVES SCORE MOVE. MOVES: two letters a move, column
 * and row from `a` at the top left corner, Black's first. SCORE and MOVE: the result of a search of
 * YARDSTICK_NODES nodes, for the side to move.
 *
 * This file needs the public interface only, so that it can be built with other versions of the
 * core.
 */
#ifndef TRAINING_YARDSTICK_H
#define TRAINING_YARDSTICK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/tengen.h"

enum { YARDSTICK_NODES = 300000, YARDSTICK_PLIES = 120, YARDSTICK_LINE = 512 };

/* The rules. Pente (32) and keryo (64) are numbers, because the header may be older than they are.
 */
enum { MEASURE_RULES = 8 };
static const int MEASURE_RULE[MEASURE_RULES] = {TG_RULE_FREESTYLE,
                                                TG_RULE_STANDARD,
                                                TG_RULE_RENJU,
                                                TG_RULE_CARO,
                                                TG_RULE_CARO_STANDARD,
                                                TG_RULE_NINUKI,
                                                32,
                                                64};

typedef struct {
    int rule, size, plies, score;
    TgSquare move[YARDSTICK_PLIES], best;
} Measure;

typedef struct {
    const char *path;
    Measure *at;
    int count;
} Yardstick;

static inline bool measure_has_rule(const Measure *m) {
    for (int i = 0; i < MEASURE_RULES; i++)
        if (MEASURE_RULE[i] == m->rule) return true;
    return false;
}

static inline bool measure_square(const char *text, int size, TgSquare *out) {
    *out = (TgSquare){(int8_t)(text[0] - 'a'), (int8_t)(text[1] - 'a')};
    return out->x >= 0 && out->x < size && out->y >= 0 && out->y < size;
}

static inline bool measure_read(const char *line, Measure *m) {
    char moves[2 * YARDSTICK_PLIES + 1], best[3], more;
    if (sscanf(line, "%d %d %240[a-v] %d %2[a-v] %c", &m->rule, &m->size, moves, &m->score, best,
               &more) != 5)
        return false;
    const size_t letters = strlen(moves);
    if (!measure_has_rule(m) || m->size < TG_MIN_SIZE || m->size > TG_MAX_SIZE) return false;
    if (letters % 2 || strlen(best) != 2) return false;
    m->plies = (int)letters / 2;
    for (int i = 0; i < m->plies; i++)
        if (!measure_square(moves + 2 * i, m->size, &m->move[i])) return false;
    return measure_square(best, m->size, &m->best);
}

static inline void measure_write(FILE *f, const Measure *m) {
    fprintf(f, "%d %d ", m->rule, m->size);
    for (int i = 0; i < m->plies; i++) fprintf(f, "%c%c", 'a' + m->move[i].x, 'a' + m->move[i].y);
    fprintf(f, " %d %c%c\n", m->score, 'a' + m->best.x, 'a' + m->best.y);
}

/* Ends the program and names the line of a position. */
static inline void yardstick_fail(const Yardstick *y, int index, const char *why) {
    fprintf(stderr, "%s:%d: %s\n", y->path, index + 1, why);
    exit(1);
}

/* Reads a file, `most` lines at most; -1: all. Ends the program at a line that is not a position,
 * and if the file has none. */
static inline Yardstick yardstick_read(const char *path, int most) {
    char line[YARDSTICK_LINE];
    Yardstick y = {path, NULL, 0};
    int room = 0;
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(1);
    }
    while (y.count != most && fgets(line, sizeof line, f)) {
        if (y.count == room) {
            room = room ? 2 * room : 1024;
            y.at = realloc(y.at, (size_t)room * sizeof *y.at);
            if (!y.at) abort();
        }
        if (!strchr(line, '\n') || !measure_read(line, &y.at[y.count]))
            yardstick_fail(&y, y.count, "no position of a yardstick");
        y.count++;
    }
    if (ferror(f)) {
        perror(path);
        exit(1);
    }
    fclose(f);
    if (!y.count) yardstick_fail(&y, 0, "no position of a yardstick");
    return y;
}

#endif
