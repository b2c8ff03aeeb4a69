/* samples.h - the positions for the fit of the policy network.
 */
#ifndef POLICY_SAMPLES_H
#define POLICY_SAMPLES_H

#include <string.h>

#include "../fitting/command.h"
#include "../fitting/input.h"
#include "../fitting/numbers.h"
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

/* From the weights file to which the network is added. */
static const EvalTable *table;

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

static void put_inputs(const Position *p, int16_t in[NET_INPUTS]) {
    int16_t features[NET_FEATURES];
    eval_features(p, eval_without_network(table, p), features);
    stack.steps = 0;
    value_net_inputs(position_to_move(p), accumulator_update(&table->network.first, p, &stack),
                     features, in);
}

static void add_sample(Samples *to, Position *p, Cell chosen) {
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
    put_inputs(p, s->in);
    const MoveScores scores = eval_moves(table, p, NULL);
    BB_FOR_EACH(c, &moves) {
        if (position_forbidden(p, c)) continue;
        if (c == chosen) s->chosen = s->count;
        s->count++;
        add_candidate(&scores, c);
    }
    to->count += s->chosen >= 0;
}

/* Adds the positions of a game; false if a move is on a stone. */
static bool add_samples(Samples *to, Position *p, const StoredGame *g) {
    position_init(p, (Rule)g->rule, &table->pattern, g->size);
    for (int i = 0; i < g->plies; i++) {
        const Cell c = move_cell(g->move[i]);
        const bool best = !(g->move[i] & MOVE_VARIED); /* else the search chose another move */
        if (p->board.stone[c] != EMPTY) return false;
        if (best && i >= g->opening && !score_is_proven(g->score[i])) add_sample(to, p, c);
        position_make(p, c);
    }
    return true;
}

/* The positions of a fit. */
typedef struct {
    Samples *learned, *validation;
    Position *position;
} Reader;

/* Learns a whole game, or all nodes of a search, or uses them for validation. */
static Taken take_game(const StoredGame *g, void *reader) {
    const Reader *r = reader;
    need_rule(table, g->rule);
    Samples *to = is_for_validation(g) ? r->validation : r->learned;
    return add_samples(to, r->position, g) ? GAME_TAKEN : GAME_UNPLAYABLE;
}

static inline void read_games(Samples *learned, Samples *validation) {
    Reader reader = {learned, validation, grown(NULL, sizeof *reader.position)};
    read_input(command.games, take_game, &reader);
    free(reader.position);
}

#endif
