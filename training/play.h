/* play.h - a game of the engine against itself: openings, variety, adjudication.
 *
 * All random numbers come from the game's own seed. A game depends on its seed and on the openings.
 * A branch also depends on the games before it.
 */
#ifndef TRAINING_PLAY_H
#define TRAINING_PLAY_H

#include <signal.h>

#include "base/platform.h"
#include "eval/evaluate.h"
#include "games.h"
#include "include/tengen.h"

enum { TABLE_KIB = 4096 };
/* Random openings: up to this many stones in a square of side SPREAD; the score is at most
 * MAX_START_SCORE. */
enum { MIN_OPENING = 3, MORE_OPENING = 6, SPREAD = 9, MAX_START_SCORE = 400 };
/* Early variety, in the first plies after the opening: one time in EARLY_ONE_IN the game plays one
 * of the best LIST_LINES moves that is at most EARLY_MARGIN worse than the best. After a shipped
 * opening it is one time in SHIPPED_ONE_IN, because there are few such openings. */
enum { EARLY_PLIES = 6, EARLY_ONE_IN = 4, SHIPPED_ONE_IN = 2, EARLY_MARGIN = 60 };
/* Branches: in a position of an earlier game with a score up to BRANCH_SCORE, another of the best
 * moves, at most BRANCH_MARGIN worse by BRANCH_NODES. */
enum { BRANCH_LINES = 5, BRANCH_MARGIN = 150, BRANCH_NODES = 2000, BRANCH_SCORE = 600 };
enum { BRANCH_TRIES = 8 };
/* Adjudication: for this many plies in a row the same side is ahead by more than DECIDED. */
enum { DECIDED = 3000, DECIDED_PLIES = 4 };
/* A draw: half of the squares have had a move, and so many scores in a row are at most EVEN. One
 * game in PLAYED_ON continues, so that networks keep learning such positions. Not under rules with
 * captures, which empty squares. */
enum { EVEN = 30, EVEN_PLIES = 16, PLAYED_ON = 8 };

typedef struct {
    TgSquare move;
    int32_t score;
} Choice;

typedef struct {
    u16 move[64];
    int count;
} Opening;

typedef struct {
    Opening *at;
    int count;
    u32 checksum;
} Openings;

typedef struct {
    TgEngine *engine;
    int32_t size, rule, nodes;
    bool adjudicates, plays_on; /* plays_on: this game is not adjudicated as a draw */
    u64 random;
    TgOutcome outcome; /* after the last move */
    StoredGame game;
} Player;

static volatile sig_atomic_t play_stopped;

static inline void stop_playing(int signal_number) {
    (void)signal_number;
    play_stopped = 1;
}

static inline u32 draw(Player *p, u32 below) {
    u64 z = (p->random += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (u32)(z >> 32) % below;
}

static inline void player_seed(Player *p, u64 seed) {
    p->random = seed * 0x2545F4914F6CDD1Du;
    p->plays_on = (p->random >> 32) % PLAYED_ON == 0;
}

static inline u16 move_of(TgSquare at) {
    return (u16)(at.y * STRIDE + at.x);
}

static inline TgSquare square_at(u16 move) {
    const Cell c = move_cell(move);
    return (TgSquare){(int8_t)cell_x(c), (int8_t)cell_y(c)};
}

static inline bool is_over(const Player *p) {
    return p->outcome.status != TG_ONGOING && p->outcome.status != TG_PENDING;
}

static inline void begin_game(Player *p) {
    tg_reset(p->engine, p->size, p->rule);
    p->outcome = (TgOutcome){.status = TG_ONGOING};
    p->game = (StoredGame){.rule = p->rule, .size = p->size};
}

static inline bool play_move(Player *p, u16 move, int score) {
    StoredGame *g = &p->game;
    if (g->plies == MAX_GAME_PLIES) return false;
    if (tg_play(p->engine, square_at(move), &p->outcome) != TG_OK) return false;
    g->move[g->plies] = move;
    g->score[g->plies++] = (int16_t)score;
    return true;
}

static inline TgStatus think(Player *p, int64_t nodes, int lines, TgResult *out) {
    const TgLimits limits = {
        .time_ms = -1, .soft_ms = -1, .depth = -1, .lines = lines, .nodes = nodes};
    return tg_search(p->engine, &limits, out);
}

static inline bool has_choice(const Choice *choice, int count, TgSquare move) {
    for (int i = 0; i < count; i++)
        if (choice[i].move.x == move.x && choice[i].move.y == move.y) return true;
    return false;
}

/* Searches for the best `lines` moves; the last result of each line counts. Returns their number,
 * the best first. */
static inline int best_moves(Player *p, int64_t nodes, int lines, Choice out[BRANCH_LINES]) {
    static TgLine told[1024];
    TgResult result;
    int32_t count = 0;
    int found = 0;
    if (think(p, nodes, lines, &result) != TG_OK) return 0;
    tg_progress(p->engine, 0, told, sizeof told / sizeof *told, &count);
    out[found++] = (Choice){result.move, result.line.score};
    for (int line = 0; line < lines && found < lines; line++)
        for (int32_t i = count - 1; i >= 0; i--) {
            if (told[i].line != line || told[i].pv_count == 0) continue;
            if (!has_choice(out, found, told[i].pv[0]))
                out[found++] = (Choice){told[i].pv[0], told[i].score};
            break;
        }
    return found;
}

/* --- openings ---------------------------------------------------------------------------- */

/* Places a few stones at random around a random centre; false if the position is not balanced. */
static inline bool open_randomly(Player *p) {
    TgResult result;
    begin_game(p);
    const int stones = MIN_OPENING + (int)draw(p, MORE_OPENING);
    const int room = p->size - SPREAD > 0 ? p->size - SPREAD : 1;
    const int x0 = (int)draw(p, (u32)room), y0 = (int)draw(p, (u32)room);
    for (int tries = 0; p->game.plies < stones && tries < 100; tries++) {
        const int x = x0 + (int)draw(p, SPREAD), y = y0 + (int)draw(p, SPREAD);
        if (x < p->size && y < p->size && play_move(p, (u16)cell_at(x, y), 0) && is_over(p))
            return false;
    }
    p->game.opening = p->game.plies;
    if (is_over(p)) return false;
    return think(p, p->nodes, 1, &result) == TG_OK && abs(result.line.score) <= MAX_START_SCORE;
}

/* One of the eight symmetries of the board. */
static inline u16 turned(u16 move, int size, int way) {
    int x = cell_x(move_cell(move)), y = cell_y(move_cell(move));
    if (way & 1) x = size - 1 - x;
    if (way & 2) y = size - 1 - y;
    return (u16)(way & 4 ? cell_at(y, x) : cell_at(x, y));
}

static inline bool open_by_book(Player *p, const Openings *book) {
    begin_game(p);
    const Opening *o = &book->at[draw(p, (u32)book->count)];
    const int way = (int)draw(p, 8);
    for (int i = 0; i < o->count; i++)
        if (!play_move(p, turned(o->move[i], p->size, way), 0) || is_over(p)) return false;
    p->game.opening = p->game.plies;
    p->game.flags = GAME_SHIPPED;
    return true;
}

/* Another good move than that of the game; false if there is none. */
static inline bool choose_branch(Player *p, u16 played, u16 *move) {
    Choice choice[BRANCH_LINES], good[BRANCH_LINES];
    const int found = best_moves(p, BRANCH_NODES, BRANCH_LINES, choice);
    int count = 0;
    for (int i = 0; i < found; i++)
        if (move_of(choice[i].move) != played && choice[i].score >= choice[0].score - BRANCH_MARGIN)
            good[count++] = choice[i];
    if (count) *move = move_of(good[draw(p, (u32)count)].move);
    return count > 0;
}

/* Follows an earlier game up to a random ply, then plays another move; false if that fails. */
static inline bool open_branch(Player *p, const StoredGame *from) {
    const int plies = from->plies - from->opening;
    if (plies < 2) return false;
    const int ply = from->opening + (int)draw(p, (u32)plies);
    if (abs(from->score[ply]) > BRANCH_SCORE) return false;
    begin_game(p);
    u16 move;
    for (int i = 0; i < ply; i++)
        if (!play_move(p, move_cell(from->move[i]) & MOVE_CELL, 0)) return false;
    if (!choose_branch(p, from->move[ply] & MOVE_CELL, &move)) return false;
    if (!play_move(p, move, 0) || is_over(p)) return false;
    p->game.branch = ply;
    p->game.opening = p->game.plies;
    p->game.flags = GAME_BRANCH;
    return true;
}

/* --- the game ---------------------------------------------------------------------------- */

static inline bool wants_variety(Player *p) {
    const StoredGame *g = &p->game;
    if (g->plies - g->opening >= EARLY_PLIES || g->lists == LISTS_MAX) return false;
    return draw(p, g->flags & GAME_SHIPPED ? SHIPPED_ONE_IN : EARLY_ONE_IN) == 0;
}

static inline void keep_list(StoredGame *g, const Choice *choice, int count) {
    MoveList *list = &g->list[g->lists++];
    *list = (MoveList){.ply = g->plies, .lines = count};
    for (int i = 0; i < count; i++) {
        list->move[i] = move_of(choice[i].move);
        list->score[i] = (int16_t)choice[i].score;
    }
}

/* Chooses one of the best moves, and stores the list of them. */
static inline u16 vary(Player *p, u16 best) {
    Choice choice[BRANCH_LINES];
    int good = 0;
    const int found = best_moves(p, p->nodes, LIST_LINES, choice);
    while (good < found && choice[good].score >= choice[0].score - EARLY_MARGIN) good++;
    if (good < 2) return best;
    keep_list(&p->game, choice, found);
    const u16 move = move_of(choice[draw(p, (u32)good)].move);
    return move == best ? best : move | MOVE_VARIED;
}

/* The side that is clearly ahead: 1 Black, -1 White, 0 neither. `score` is for the side that moves
 * at that ply. */
static inline int side_ahead(int score, int ply) {
    if (abs(score) <= DECIDED) return 0;
    return (score > 0) == (ply % 2 == 0) ? 1 : -1;
}

static inline int winner(const TgOutcome *o) {
    return o->winner == TG_BLACK ? 1 : o->winner == TG_WHITE ? -1 : 0;
}

/* Plays one move of the game; false if the game cannot continue. */
static inline bool play_ply(Player *p, int *score) {
    TgResult result;
    if (think(p, p->nodes, 1, &result) != TG_OK) return false;
    *score = result.line.score;
    u16 move = move_of(result.move);
    if (wants_variety(p)) move = vary(p, move);
    const int ply = p->game.plies;
    if (!play_move(p, move & MOVE_CELL, *score)) return false;
    p->game.move[ply] = move;
    return true;
}

/* The side that is ahead, and the numbers of plies in a row for which it has been ahead and for
 * which the game has been even. */
typedef struct {
    int ahead, ahead_plies, even_plies;
} Course;

static inline void follow_course(Course *c, int score, int ply) {
    const int now = side_ahead(score, ply);
    c->ahead_plies = now && now == c->ahead ? c->ahead_plies + 1 : now != 0;
    c->ahead = now;
    c->even_plies = abs(score) <= EVEN ? c->even_plies + 1 : 0;
}

static inline bool is_drawn(const Player *p, const Course *c) {
    return c->even_plies >= EVEN_PLIES && 2 * p->game.plies >= p->size * p->size && !p->plays_on &&
           !rules_traits((Rule)p->rule)->captures;
}

/* Plays from the opening to the end, or until the game is adjudicated. false: it was stopped. */
static inline bool play_out(Player *p) {
    Course course = {0};
    while (!is_over(p)) {
        int score;
        if (play_stopped) return false;
        const int ply = p->game.plies;
        if (!play_ply(p, &score)) break;
        follow_course(&course, score, ply);
        const bool decided = course.ahead_plies >= DECIDED_PLIES;
        if (!p->adjudicates || is_over(p) || (!decided && !is_drawn(p, &course))) continue;
        p->game.result = decided ? course.ahead : 0;
        p->game.flags |= GAME_ADJUDICATED;
        return true;
    }
    p->game.result = winner(&p->outcome);
    return true;
}

/* --- what the games were made with ------------------------------------------------------- */

/* Reads openings, one a line: `x,y x,y ...` from the board's corner. Returns the fault; NULL
 * without one. */
static inline const char *read_openings(const char *path, int size, Openings *out) {
    u8 *bytes = NULL;
    size_t length = 0;
    const char *wrong = file_slurp(path, &bytes, &length);
    if (wrong) return wrong;
    *out = (Openings){.checksum = crc32_of(0, bytes, length)};
    size_t lines = 0;
    for (size_t i = 0; i < length; i++) lines += bytes[i] == '\n';
    out->at = calloc(lines + 1, sizeof(Opening));
    char *text = realloc(bytes, length + 1);
    if (!out->at || !text) return "does not fit the memory";
    text[length] = 0;
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest));) {
        Opening *o = &out->at[out->count++];
        for (char *word; (word = strtok_r(line, " ", &line)) && !wrong;) {
            int x, y;
            const bool fits = sscanf(word, "%d,%d", &x, &y) == 2 && x >= 0 && y >= 0 && x < size &&
                              y < size && o->count < (int)(sizeof o->move / sizeof *o->move);
            if (fits)
                o->move[o->count++] = (u16)cell_at(x, y);
            else
                wrong = "has a line that is no opening for this board";
        }
    }
    free(text);
    return wrong ? wrong : out->count ? NULL : "holds no opening";
}

/* A checksum of the evaluation's values and move scores on some hundred random positions of every
 * rule. It identifies networks independently of their storage. */
static inline u32 checksum_with(Position *p, AccumulatorStack *stack) {
#define NUMBER(name) RULE_##name,
    static const Rule RULES[] = {FOR_EACH_RULE(NUMBER)};
#undef NUMBER
    enum { POSITIONS = 64, STONES = 40, SIDE = 15 };
    Player chance = {.random = 1};
    u32 sum = 0;
    for (size_t r = 0; r < sizeof RULES / sizeof *RULES; r++)
        for (int i = 0; i < POSITIONS; i++) {
            const EvalTable *t = eval_table(RULES[r]);
            position_init(p, RULES[r], &t->pattern, SIDE);
            stack->steps = 0;
            for (int k = (int)draw(&chance, STONES); k >= 0; k--) {
                const Cell c = cell_at((int)draw(&chance, SIDE), (int)draw(&chance, SIDE));
                if (p->board.stone[c] == EMPTY && p->state == STATE_ONGOING) position_make(p, c);
            }
            PolicyNode policy;
            if (t->has_policy) eval_policy(t, p, stack, &policy);
            const MoveScores moves = eval_moves(t, p, t->has_policy ? &policy : NULL);
            int said[1 + 8] = {eval_score(t, p, stack)};
            for (int k = 1; k <= 8; k++) {
                const Cell c = cell_at((int)draw(&chance, SIDE), (int)draw(&chance, SIDE));
                if (p->board.stone[c] == EMPTY) said[k] = eval_move(&moves, c);
            }
            for (int k = 0; k <= 8; k++) {
                u8 bytes[4];
                put_bytes(bytes, (u64)said[k], 4);
                sum = crc32_of(sum, bytes, 4);
            }
        }
    return sum;
}

/* Ends the program without memory. */
static inline u32 evaluation_checksum(void) {
    Position *p = malloc(sizeof *p);
    AccumulatorStack *stack = platform_alloc(sizeof *stack);
    if (!p || !stack) {
        fprintf(stderr, "no memory for the checksum of the evaluation\n");
        exit(1);
    }
    const u32 sum = checksum_with(p, stack);
    platform_free(stack, sizeof *stack);
    free(p);
    return sum;
}

#endif
