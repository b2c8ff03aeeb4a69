/* input.h - the games of a fit: files of games (games.h) that a list names, or text (games.c). */
#ifndef FITTING_INPUT_H
#define FITTING_INPUT_H

#include "../games.h"
#include "program.h"

/* What a program did with a game. */
typedef enum { GAME_TAKEN, GAME_IS_LAST, GAME_UNPLAYABLE } Taken;
typedef Taken TakeGame(const StoredGame *game, void *to);

enum { VALIDATION_EVERY = 20 }; /* one game or search in so many is for validation */

/* Whether a game is for validation. Its moves decide this, not its place in the list: what one fit
 * has learned, no later fit uses for validation. The nodes of a search share the moves before it,
 * which decide for all of them. */
static inline bool is_for_validation(const StoredGame *g) {
    const int plies = g->flags & GAME_NODE ? g->branch : g->plies;
    u32 sum = 0;
    for (int i = 0; i < plies; i++) {
        const Cell c = move_cell(g->move[i]);
        sum = crc32_of(sum, (const u8[]){(u8)c, (u8)(c >> 8)}, 2);
    }
    return sum % VALIDATION_EVERY == 0;
}

/* Reads `x,y,score` or `x,y,score!`. Returns its fault; NULL without one. */
static inline const char *read_ply(const char *text, StoredGame *g) {
    int x, y, score;
    if (sscanf(text, "%d,%d,%d", &x, &y, &score) != 3 || score != (int16_t)score)
        return "cannot be read";
    if (x < 0 || x >= g->size || y < 0 || y >= g->size) return "has a move outside of the board";
    if (g->plies == MAX_GAME_PLIES) return "has too many moves";
    g->move[g->plies] = (u16)((int)cell_at(x, y) | (strchr(text, '!') ? MOVE_VARIED : 0));
    g->score[g->plies++] = (int16_t)score;
    return NULL;
}

/* Reads a line and changes it. Returns its fault; NULL without one. The rule may be unknown. */
static inline const char *read_line(char *line, StoredGame *g) {
    int used = 0;
    const char *wrong = NULL;
    g->plies = g->lists = 0;
    if (sscanf(line, "%d %d %d %d %n", &g->rule, &g->size, &g->result, &g->opening, &used) != 4 ||
        !used)
        return "cannot be read";
    if (g->size < MIN_SIZE || g->size > MAX_SIZE) return "has no board size of the engine";
    if (g->result < -1 || g->result - NODE_RESULT > g->opening) return "has no result of a game";
    const bool is_node = g->result >= NODE_RESULT;
    g->flags = is_node ? GAME_NODE : 0;
    g->branch = is_node ? g->result - NODE_RESULT : 0;
    for (char *m = strtok(line + used, ";\n"); m && !wrong; m = strtok(NULL, ";\n"))
        wrong = read_ply(m, g);
    if (!wrong && (g->opening < 0 || g->opening > g->plies))
        wrong = "has fewer moves than its opening";
    return wrong;
}

static inline void read_text(TakeGame *take, void *to) {
    static char line[1 << 16], name[32];
    static StoredGame game;
    Taken taken = GAME_TAKEN;
    for (u32 n = 1; taken == GAME_TAKEN && fgets(line, sizeof line, stdin); n++) {
        const char *wrong = strchr(line, '\n') ? read_line(line, &game)
                            : feof(stdin)      ? "is cut short"
                                               : "is too long";
        if (!wrong) taken = take(&game, to);
        if (taken == GAME_UNPLAYABLE) wrong = "has a move on a stone";
        snprintf(name, sizeof name, "line %u of the games", n);
        if (wrong) fail(name, wrong);
    }
    if (ferror(stdin)) fail("the standard input", "cannot be read");
}

static inline Taken read_file(const char *path, int *rule, TakeGame *take, void *to) {
    static StoredGame game;
    GamesFile f;
    size_t at = 0;
    Taken taken = GAME_TAKEN;
    const char *wrong = games_open(path, &f);
    if (wrong) fail(path, wrong);
    if (*rule >= 0 && *rule != f.header.rule) fail(path, "is of another rule");
    *rule = f.header.rule;
    while (taken == GAME_TAKEN && games_next(&f, &at, &game)) taken = take(&game, to);
    if (taken == GAME_UNPLAYABLE) fail(path, "has a game that cannot be played");
    games_close(&f);
    return taken;
}

/* Calls `take` with each game of the files of a list, or of the standard input if `list` is NULL,
 * up to the last one that it wants. Ends the program at a fault. */
static inline void read_input(const char *list, TakeGame *take, void *to) {
    static char path[4096];
    int rule = -1;
    Taken taken = GAME_TAKEN;
    if (!list) {
        read_text(take, to);
        return;
    }
    FILE *f = fopen(list, "r");
    if (!f) fail(list, "cannot be read");
    while (taken == GAME_TAKEN && fgets(path, sizeof path, f)) {
        path[strcspn(path, "\n")] = 0;
        taken = read_file(path, &rule, take, to);
    }
    if (ferror(f)) fail(list, "cannot be read");
    if (rule < 0) fail(list, "names no file of games");
    fclose(f);
}

#endif
