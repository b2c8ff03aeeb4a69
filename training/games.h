/* games.h - files of games: how they are written and read.
 *
 * All numbers are little endian.
 *
 *   header, 64 bytes
 *      0  "TGGAMES\n"
 *      8  u16 version (1)      10  u8 rule      11  u8 board size
 *     12  u32 nodes a move
 *     16  u64 seed of the first game; game g has seed + g
 *     24  u32 games asked for  28  u32 games that follow
 *     32  u32 checksum of the evaluation (play.h)   36  u32 CRC-32 of the openings, 0: none
 *     40  engine, 16 bytes of text, filled up with 0
 *     56  u8 percent of games from random openings, u8 from the openings, u8 branches
 *     59  u8 1: decided games were adjudicated (play.h), 2: even games, too, as draws
 *     60  u32 0
 *   a game
 *      0  u8 rule   1  u8 size   2  i8 result: 1 Black won, 0 draw, -1 White won
 *      3  u8 flags  (GAME_BRANCH, GAME_SHIPPED, GAME_ADJUDICATED, GAME_NODE)
 *      4  u16 opening: plies before the first search; nothing is learned from them
 *      6  u16 branch: of them, plies that an earlier game of the file shares; 0: no branch;
 *         of a node, the plies before its search
 *      8  u16 plies    10  u16 lists
 *     12  for each ply  u16 move: y * 32 + x, and MOVE_VARIED where another than the best move was
 *                       played;  i16 score of the best move, for the mover; 0 in the opening
 *         for each list u16 ply, u16 lines, then 3 times u16 move, i16 score: the best moves there
 *   end
 *      0  u32 CRC-32 of everything before it
 *
 * A file that is not finished ends in `.part`. Its header has no games and its end is missing.
 */
#ifndef TRAINING_GAMES_H
#define TRAINING_GAMES_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "position/position.h"

enum {
    GAMES_VERSION = 1,
    GAMES_HEADER = 64,
    GAMES_END = 4,
    GAME_HEAD = 12,
    GAME_PLY = 4,
    LIST_LINES = 3,
    GAME_LIST = 4 + 4 * LIST_LINES,
    ENGINE_TEXT = 16,
    LISTS_MAX = 16,
    GAME_BYTES_MAX = GAME_HEAD + GAME_PLY * MAX_GAME_PLIES + GAME_LIST * LISTS_MAX
};
enum { GAME_BRANCH = 1, GAME_SHIPPED = 2, GAME_ADJUDICATED = 4, GAME_NODE = 8 };
enum { NODE_RESULT = 2 }; /* in text, the least for a node (games.c) */
enum { MOVE_VARIED = 0x8000, MOVE_CELL = 0x3ff };

static const char GAMES_MAGIC[] = "TGGAMES\n";

typedef struct {
    int version, rule, size;
    u32 nodes, asked, count, evaluation, openings;
    u64 seed;
    char engine[ENGINE_TEXT + 1];
    u8 mix[3];      /* percent: random, shipped, branches */
    u8 adjudicated; /* 0, 1 or 2 */
} GamesHeader;

/* The best moves of a position. */
typedef struct {
    int ply, lines;
    u16 move[LIST_LINES];
    int16_t score[LIST_LINES];
} MoveList;

typedef struct {
    int rule, size, result, flags, opening, branch, plies, lists;
    u16 move[MAX_GAME_PLIES];
    int16_t score[MAX_GAME_PLIES];
    MoveList list[LISTS_MAX];
} StoredGame;

/* A file in memory. */
typedef struct {
    GamesHeader header;
    u8 *bytes;
    size_t size; /* with header and end */
} GamesFile;

static inline Cell move_cell(u16 move) {
    return (Cell)(move & MOVE_CELL);
}

/* --- bytes ------------------------------------------------------------------------------- */

static inline void put_bytes(u8 *at, u64 value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (u8)(value >> 8 * i);
}

static inline u64 get_bytes(const u8 *at, int bytes) {
    u64 value = 0;
    for (int i = 0; i < bytes; i++) value |= (u64)at[i] << 8 * i;
    return value;
}

static inline u16 get16(const u8 *at) {
    return (u16)(at[0] | at[1] << 8);
}

/* --- the header -------------------------------------------------------------------------- */

static inline void header_write(const GamesHeader *h, u8 at[GAMES_HEADER]) {
    memset(at, 0, GAMES_HEADER);
    memcpy(at, GAMES_MAGIC, 8);
    put_bytes(at + 8, GAMES_VERSION, 2);
    at[10] = (u8)h->rule;
    at[11] = (u8)h->size;
    put_bytes(at + 12, h->nodes, 4);
    put_bytes(at + 16, h->seed, 8);
    put_bytes(at + 24, h->asked, 4);
    put_bytes(at + 28, h->count, 4);
    put_bytes(at + 32, h->evaluation, 4);
    put_bytes(at + 36, h->openings, 4);
    memcpy(at + 40, h->engine, strnlen(h->engine, ENGINE_TEXT));
    memcpy(at + 56, h->mix, 3);
    at[59] = h->adjudicated;
}

/* Returns the fault; NULL without one. */
static inline const char *header_read(const u8 *at, size_t size, GamesHeader *h) {
    if (size < 8 || memcmp(at, GAMES_MAGIC, 8) != 0) return "is no file of games";
    if (size < GAMES_HEADER) return "is cut short";
    memset(h, 0, sizeof *h);
    h->version = (int)get_bytes(at + 8, 2);
    h->rule = at[10];
    h->size = at[11];
    h->nodes = (u32)get_bytes(at + 12, 4);
    h->seed = get_bytes(at + 16, 8);
    h->asked = (u32)get_bytes(at + 24, 4);
    h->count = (u32)get_bytes(at + 28, 4);
    h->evaluation = (u32)get_bytes(at + 32, 4);
    h->openings = (u32)get_bytes(at + 36, 4);
    memcpy(h->engine, at + 40, ENGINE_TEXT);
    memcpy(h->mix, at + 56, 3);
    h->adjudicated = at[59];
    if (h->version != GAMES_VERSION) return "is of another version";
#define KNOWN(name) h->rule != RULE_##name &&
    if (FOR_EACH_RULE(KNOWN) true) return "names no rule";
#undef KNOWN
    if (h->size < MIN_SIZE || h->size > MAX_SIZE) return "names no board size";
    return NULL;
}

/* --- a game ------------------------------------------------------------------------------ */

/* Returns the number of bytes. */
static inline size_t game_write(const StoredGame *g, u8 at[GAME_BYTES_MAX]) {
    const int head[] = {g->opening, g->branch, g->plies, g->lists};
    at[0] = (u8)g->rule;
    at[1] = (u8)g->size;
    at[2] = (u8)g->result;
    at[3] = (u8)g->flags;
    for (int i = 0; i < 4; i++) put_bytes(at + 4 + 2 * i, (u64)head[i], 2);
    u8 *to = at + GAME_HEAD;
    for (int i = 0; i < g->plies; i++, to += GAME_PLY) {
        put_bytes(to, g->move[i], 2);
        put_bytes(to + 2, (u64)g->score[i], 2);
    }
    for (int i = 0; i < g->lists; i++, to += GAME_LIST) {
        put_bytes(to, (u64)g->list[i].ply, 2);
        put_bytes(to + 2, (u64)g->list[i].lines, 2);
        for (int k = 0; k < LIST_LINES; k++) {
            put_bytes(to + 4 + 4 * k, g->list[i].move[k], 2);
            put_bytes(to + 6 + 4 * k, (u64)g->list[i].score[k], 2);
        }
    }
    return (size_t)(to - at);
}

static inline bool on_board_of(int size, u16 move) {
    return cell_x(move_cell(move)) < size && cell_y(move_cell(move)) < size;
}

/* Checks the numbers of a game's head. */
static inline bool game_head_fits(const StoredGame *g, const GamesHeader *h) {
    return g->rule == h->rule && g->size == h->size && abs(g->result) <= 1 &&
           g->plies <= MAX_GAME_PLIES && g->lists <= LISTS_MAX && g->opening <= g->plies &&
           g->branch <= g->opening;
}

/* Reads the game at `at`, of which `size` bytes exist. Returns its length, 0 if it is damaged or
 * incomplete. */
static inline size_t game_read(const u8 *at, size_t size, const GamesHeader *h, StoredGame *g) {
    if (size < GAME_HEAD) return 0;
    g->rule = at[0];
    g->size = at[1];
    g->result = (int8_t)at[2];
    g->flags = at[3];
    g->opening = get16(at + 4);
    g->branch = get16(at + 6);
    g->plies = get16(at + 8);
    g->lists = get16(at + 10);
    if (!game_head_fits(g, h)) return 0;
    const size_t whole = GAME_HEAD + (size_t)(GAME_PLY * g->plies + GAME_LIST * g->lists);
    if (size < whole) return 0;
    const u8 *from = at + GAME_HEAD;
    for (int i = 0; i < g->plies; i++, from += GAME_PLY) {
        g->move[i] = get16(from);
        g->score[i] = (int16_t)get16(from + 2);
        if (!on_board_of(g->size, g->move[i])) return 0;
    }
    for (int i = 0; i < g->lists; i++, from += GAME_LIST) {
        MoveList *list = &g->list[i];
        list->ply = get16(from);
        list->lines = get16(from + 2);
        if (list->ply >= g->plies || list->lines > LIST_LINES) return 0;
        for (int k = 0; k < LIST_LINES; k++) {
            list->move[k] = get16(from + 4 + 4 * k);
            list->score[k] = (int16_t)get16(from + 6 + 4 * k);
        }
    }
    return whole;
}

/* Plays the game on an empty position of its rule and size; false if a square is occupied. */
static inline bool game_replays(const StoredGame *g, Position *p) {
    for (int i = 0; i < g->plies; i++) {
        const Cell c = move_cell(g->move[i]);
        if (p->board.stone[c] != EMPTY) return false;
        position_make(p, c);
    }
    return true;
}

/* --- a file ------------------------------------------------------------------------------ */

/* Reads the whole file. Returns why it cannot be read; NULL on success. */
static inline const char *file_slurp(const char *path, u8 **bytes, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f) return strerror(errno);
    *size = 0;
    *bytes = NULL;
    size_t room = 0, read = 1;
    while (read > 0) {
        if (*size == room) {
            room = room ? room * 2 : 1 << 16;
            u8 *grown = realloc(*bytes, room);
            if (!grown) break;
            *bytes = grown;
        }
        read = fread(*bytes + *size, 1, room - *size, f);
        *size += read;
    }
    const bool failed = ferror(f) || read > 0;
    fclose(f);
    if (!failed) return NULL;
    free(*bytes);
    *bytes = NULL;
    return read > 0 ? "does not fit the memory" : "cannot be read";
}

/* Returns the game at *at and advances; *at = 0 is the first game. false: no game is left. */
static inline bool games_next(const GamesFile *f, size_t *at, StoredGame *g) {
    if (*at == 0) *at = GAMES_HEADER;
    const size_t length = game_read(f->bytes + *at, f->size - GAMES_END - *at, &f->header, g);
    *at += length;
    return length > 0;
}

static inline const char *games_check(GamesFile *f) {
    static StoredGame game;
    const char *wrong = header_read(f->bytes, f->size, &f->header);
    if (wrong) return wrong;
    if (f->size < GAMES_HEADER + GAMES_END) return "is cut short";
    const size_t end = f->size - GAMES_END;
    const bool sums = crc32_of(0, f->bytes, end) == (u32)get_bytes(f->bytes + end, GAMES_END);
    u32 count = 0;
    size_t at = 0;
    while (games_next(f, &at, &game)) count++;
    if (at == 0) at = GAMES_HEADER;
    if (f->header.count == 0) return "is not finished";
    if (count < f->header.count) return "is cut short or damaged";
    return sums && at == end && count == f->header.count ? NULL : "has a wrong checksum";
}

static inline void games_close(GamesFile *f) {
    free(f->bytes);
    *f = (GamesFile){.bytes = NULL};
}

/* Reads and checks a file; the caller closes it. Returns its fault; NULL without one. */
static inline const char *games_open(const char *path, GamesFile *f) {
    *f = (GamesFile){.bytes = NULL};
    const char *wrong = file_slurp(path, &f->bytes, &f->size);
    if (!wrong) wrong = games_check(f);
    if (wrong) games_close(f);
    return wrong;
}

#endif
