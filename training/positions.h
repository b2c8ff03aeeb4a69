/* positions.h - the positions for the fit of the value network.
 *
 * Games are kept in memory, positions are not: each is made from its game when it is needed. 30
 * million positions therefore need about 400 MB.
 */
#ifndef TRAINING_POSITIONS_H
#define TRAINING_POSITIONS_H

#include "fitting/command.h"
#include "fitting/input.h"
#include "fitting/numbers.h"
#include "quiet.h"
#include "table_file.h"

enum { LAWS = 2 }; /* under renju one for each colour */

/* The arguments that other fits do not have. */
static struct {
    const char *start;
    size_t positions;
    float result_share, line_decay, recent_decay;
    bool lines, recent, keeps_squares;
} options = {.positions = SIZE_MAX, .result_share = 0.7f, .line_decay = 1, .recent_decay = 1};

/* From the weights file that the network corrects. */
static const EvalTable *table;

/* --- positions --------------------------------------------------------------------------- */

/* A square's codes for the mover and the other side; its lines and its content in the mover's view.
 */
typedef struct {
    u16 us, them;
    u16 line[DIRECTIONS];
    u8 stands; /* empty, the mover's stone, the other side's */
} Square;

/* A position by its game and ply. */
typedef struct {
    u32 game, ply;
} Place;

/* The place of a last stone and its lines in the mover's view. */
typedef struct {
    bool absent;
    int x, y;
    u16 line[DIRECTIONS];
} RecentStone;

/* A position in the form of the fit. */
typedef struct {
    RecentStone recent[NET_RECENT_STONES];
    Square square[MAX_SQUARES]; /* row by row */
    int size;
    float score, label; /* logit without the network; chance */
    int16_t features[NET_FEATURES];
} Sample;

typedef struct {
    Place *at;
    size_t count, room;
} Samples;

typedef struct {
    size_t first; /* of its plies */
    int rule, size, result, opening, plies;
    bool is_node; /* a position from inside a search (nodes.c), without a result */
    bool validates;
} Game;

static struct {
    u16 *move;
    int16_t *score;
    size_t count, room;
} plies;

static struct {
    Game *at;
    size_t count, room;
    bool seen[NET_FEATURES]; /* in any position of the fit */
} games;

static float chance(float logit) {
    return 1 / (1 + expf(-logit));
}

/* For a game that begins empty, without neutral stones. */
static u16 code_of(const Position *p, Color color, Cell c) {
    const int law = traits_law(&p->traits, color);
    const Stone s = (Stone)p->board.stone[c];
    const u32 code = s == EMPTY          ? pattern_code(&p->pattern, color, c)
                     : s == (Stone)color ? NET_OWN_STONE
                                         : NET_FOREIGN_STONE;
    return (u16)(law * NET_CODES + (int)code);
}

static void put_lines_of(const Position *p, Color us, Cell c, Square *out) {
    const LineTable *t = line_table();
    const Stone s = (Stone)p->board.stone[c];
    out->stands = s == EMPTY ? 0 : s == (Stone)us ? 1 : 2;
    for (int d = 0; d < DIRECTIONS; d++) {
        const int i = line_class(t, p->pattern.line[line_index(c, d)], line_position(c, d));
        out->line[d] = us == BLACK ? (u16)i : t->swapped[i];
    }
}

static void put_squares_of(const Position *p, Square *out) {
    const Color us = position_to_move(p);
    for (int y = 0; y < p->board.size; y++)
        for (int x = 0; x < p->board.size; x++) {
            const Cell c = cell_at(x, y);
            *out = (Square){.us = code_of(p, us, c), .them = code_of(p, other(us), c)};
            if (options.lines) put_lines_of(p, us, c, out);
            out++;
        }
}

/* The last stones as the network sees them (recent.h). */
static void put_recent_of(const Position *p, RecentStone out[NET_RECENT_STONES]) {
    const LineTable *t = line_table();
    const Color us = position_to_move(p);
    for (int stone = 0; stone < NET_RECENT_STONES; stone++, out++) {
        const Cell c = recent_move(p, stone == 0 ? other(us) : us);
        out->absent = c == NO_CELL;
        if (out->absent) continue;
        out->x = cell_x(c);
        out->y = cell_y(c);
        for (int d = 0; d < DIRECTIONS; d++) {
            const int i = line_class(t, p->pattern.line[line_index(c, d)], line_position(c, d));
            out->line[d] = us == BLACK ? (u16)i : t->swapped[i];
        }
    }
}

static void set_up(Position *p, const Game *g) {
    position_init(p, (Rule)g->rule, &table->pattern, g->size);
}

/* Makes the position of a place. */
static void load(const Place *place, Sample *s) {
    static _Thread_local Position own; /* a block of the heap would outlive the thread */
    Position *p = &own;
    const Game *g = &games.at[place->game];
    set_up(p, g);
    for (u32 i = 0; i < place->ply; i++) position_make(p, move_cell(plies.move[g->first + i]));
    const int plain = eval_without_network(table, p);
    const float won = (float)(1 + (position_to_move(p) == BLACK ? g->result : -g->result)) / 2;
    const float seen = chance((float)plies.score[g->first + place->ply] / NET_SCALE);
    s->size = g->size;
    put_squares_of(p, s->square);
    if (options.recent) put_recent_of(p, s->recent);
    s->score = (float)plain / NET_SCALE;
    const float share = g->is_node ? 0 : options.result_share;
    s->label = share * won + (1 - share) * seen;
    eval_features(p, plain, s->features);
}

/* --- games ------------------------------------------------------------------------------- */

static void add_place(Samples *to, Place place) {
    if (to->count == to->room) {
        to->room = to->room * 2 + (1 << 16);
        to->at = grown(to->at, to->room * sizeof *to->at);
    }
    to->at[to->count++] = place;
}

static void see_features(const Position *p) {
    int16_t features[NET_FEATURES];
    eval_features(p, eval_without_network(table, p), features);
    for (int f = 0; f < NET_FEATURES; f++) games.seen[f] |= features[f] != 0;
}

/* Whether the position of a ply is worth learning: a decided node of a search is not. */
static bool is_open(const Game *g, int ply) {
    enum { NODE_SCORE_MAX = 1200 };
    return !g->is_node || abs(plies.score[g->first + (size_t)ply]) <= NODE_SCORE_MAX;
}

/* Adds the places of the last game; false if its moves are illegal. */
static bool add_places(Samples *learned, Samples *validation, Position *p) {
    const Game *g = &games.at[games.count - 1];
    const u32 number = (u32)games.count - 1;
    set_up(p, g);
    for (int i = 0; i < g->plies; i++) {
        const Cell c = move_cell(plies.move[g->first + (size_t)i]);
        if (i >= g->opening && is_quiet(p) && is_open(g, i)) {
            add_place(g->validates ? validation : learned, (Place){number, (u32)i});
            if (!g->validates) see_features(p);
        }
        if (p->board.stone[c] != EMPTY) return false;
        position_make(p, c);
    }
    return true;
}

static void add_ply(u16 move, int score) {
    if (plies.count == plies.room) {
        plies.room = plies.room * 2 + (1 << 20);
        plies.move = grown(plies.move, plies.room * sizeof *plies.move);
        plies.score = grown(plies.score, plies.room * sizeof *plies.score);
    }
    plies.move[plies.count] = move & MOVE_CELL;
    plies.score[plies.count++] = (int16_t)score;
    games.at[games.count - 1].plies++;
}

static void add_game(Game g) {
    need_rule(table, g.rule);
    if (games.count == games.room) {
        games.room = games.room * 2 + (1 << 12);
        games.at = grown(games.at, games.room * sizeof *games.at);
    }
    g.first = plies.count;
    games.at[games.count++] = g;
}

/* The positions of a fit. */
typedef struct {
    Samples *learned, *validation;
    Position *position;
} Reader;

static Taken take_game(const StoredGame *g, void *reader) {
    const Reader *to = reader;
    add_game((Game){.rule = g->rule,
                    .size = g->size,
                    .result = g->result,
                    .opening = g->opening,
                    .is_node = g->flags & GAME_NODE,
                    .validates = is_for_validation(g)});
    for (int i = 0; i < g->plies; i++) add_ply(g->move[i], g->score[i]);
    if (!add_places(to->learned, to->validation, to->position)) return GAME_UNPLAYABLE;
    const bool enough = to->learned->count + to->validation->count >= options.positions;
    return enough ? GAME_IS_LAST : GAME_TAKEN;
}

static inline void read_games(Samples *learned, Samples *validation) {
    Reader reader = {learned, validation, grown(NULL, sizeof *reader.position)};
    read_input(command.games, take_game, &reader);
    free(reader.position);
}

#endif
