/* samples.h - the positions for the fit of the policy network, read from the text of games.
 */
#ifndef POLICY_SAMPLES_H
#define POLICY_SAMPLES_H

#include <string.h>

#include "../fitting.h"
#include "../games.h"
#include "../ordered.h"
#include "../table_file.h"
#include "search/score.h"

typedef struct {
    int16_t score;         /* of the tables */
    int16_t in[NET_LANES]; /* the numbers around it, the mover's view first */
    u16 made, denied;      /* codes */
    u8 near;
} Candidate;

typedef struct {
    size_t first; /* of its candidates */
    int count, chosen;
    u8 made, denied; /* the laws of the mover's shapes and of the other side's */
    int16_t in[NET_INPUTS];
} Sample;

typedef struct {
    Sample *sample;
    size_t count, room;
} Samples;

static struct {
    Candidate *at;
    size_t count, room;
} candidates;

static AccumulatorStack stack;

/* The library has Black's view first. */
static void put_around(Cell c, Color us, int16_t in[NET_LANES]) {
    int16_t lane[NET_LANES];
    policy_around(&stack.top, c, lane);
    for (int i = 0; i < NET_LANES; i++)
        in[i] = us == BLACK ? lane[i] : lane[(i + NET_WIDTH) % NET_LANES];
}

static void add_candidate(const MoveScores *scores, Cell c) {
    if (candidates.count == candidates.room) {
        candidates.room = candidates.room * 2 + (1 << 20);
        candidates.at = grown(candidates.at, candidates.room * sizeof(Candidate));
    }
    Candidate *to = &candidates.at[candidates.count++];
    *to = (Candidate){.score = (int16_t)eval_move(scores, c),
                      .made = (u16)pattern_code(scores->pattern, scores->us, c),
                      .denied = (u16)pattern_code(scores->pattern, other(scores->us), c),
                      .near = scores->near[c]};
    put_around(c, scores->us, to->in);
}

static u8 law_of(const Position *p, Color c) {
    return (u8)traits_law(&p->traits, c);
}

static void put_inputs(const EvalTable *t, const Position *p, int16_t in[NET_INPUTS]) {
    int16_t features[NET_FEATURES];
    eval_features(p, eval_without_network(t, p), features);
    stack.steps = 0;
    value_net_inputs(position_to_move(p), accumulator_update(&t->network.first, p, &stack),
                     features, in);
}

static void add_sample(Samples *to, const EvalTable *t, Position *p, Cell chosen) {
    if (is_for_search(p)) return;
    const Bitboard moves = ordered_moves(p);
    if (to->count == to->room) {
        to->room = to->room * 2 + (1 << 14);
        to->sample = grown(to->sample, to->room * sizeof(Sample));
    }
    Sample *s = &to->sample[to->count];
    const Color us = position_to_move(p);
    *s = (Sample){.first = candidates.count,
                  .chosen = -1,
                  .made = law_of(p, us),
                  .denied = law_of(p, other(us))};
    put_inputs(t, p, s->in);
    const MoveScores scores = eval_moves(t, p, NULL);
    BB_FOR_EACH(c, &moves) {
        if (position_forbidden(p, c)) continue;
        if (c == chosen) s->chosen = s->count;
        s->count++;
        add_candidate(&scores, c);
    }
    to->count += s->chosen >= 0;
}

/* Returns the fault of a line; NULL without one. */
static const char *read_game(Samples *to, const EvalTable *t, Position *p, char *line) {
    int rule, size, result, opening, used = 0, i = 0;
    if (sscanf(line, "%d %d %d %d %n", &rule, &size, &result, &opening, &used) != 4 || !used)
        return "cannot be read";
    if (size < MIN_SIZE || size > MAX_SIZE) return "has no board size of the engine";
    need_rule(t, rule);
    position_init(p, (Rule)rule, &t->pattern, size);
    for (char *m = strtok(line + used, ";\n"); m; m = strtok(NULL, ";\n"), i++) {
        int x, y, score;
        if (sscanf(m, "%d,%d,%d", &x, &y, &score) != 3) return "cannot be read";
        if (x < 0 || y < 0 || x >= size || y >= size) return "has a move off the board";
        if (p->board.stone[cell_at(x, y)] != EMPTY) return "has a move on a stone";
        const bool best = !strchr(m, '!'); /* else the search chose another move */
        if (best && i >= opening && !score_is_proven(score)) add_sample(to, t, p, cell_at(x, y));
        position_make(p, cell_at(x, y));
    }
    return NULL;
}

/* The text of a line's moves; NULL if the line cannot be read. result: of the game. */
static const char *moves_of(const char *line, int *result) {
    int used = 0;
    return sscanf(line, "%*d %*d %d %*d %n", result, &used) == 1 && used ? line + used : NULL;
}

/* Whether two lines are nodes of one search: they share the moves before it. */
static bool is_same_search(const char *line, const char *before) {
    int result, other_result;
    const char *a = moves_of(line, &result), *b = moves_of(before, &other_result);
    if (!a || !b || result < NODE_RESULT || result != other_result) return false;
    for (int left = result - NODE_RESULT; left > 0 && *a; a++, b++) {
        if (*a != *b) return false;
        left -= *a == ';';
    }
    return true;
}

/* Learns a whole game, or all nodes of a search, or uses them for validation. A bad line ends the
 * program. */
static void read_games(Samples *learned, Samples *validation, const EvalTable *t) {
    static char line[1 << 16], before[1 << 16];
    Position *p = grown(NULL, sizeof *p);
    int group = -1;
    for (unsigned n = 1; fgets(line, sizeof line, stdin); n++) {
        const char *wrong = strchr(line, '\n') ? NULL
                            : feof(stdin)      ? "is cut short"
                                               : "is too long";
        group += !is_same_search(line, before);
        memcpy(before, line, strlen(line) + 1);
        if (!wrong) wrong = read_game(group % VALIDATION_EVERY ? learned : validation, t, p, line);
        if (!wrong) continue;
        fprintf(stderr, "policy: line %u of the games %s\n", n, wrong);
        exit(1);
    }
    if (ferror(stdin)) {
        fprintf(stderr, "policy: the standard input cannot be read\n");
        exit(1);
    }
    free(p);
}

#endif
