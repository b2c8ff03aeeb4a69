/* web.c - the core's API with flat arguments, for a WebAssembly host.
 *
 * JavaScript passes numbers only. A call that returns more than a status leaves it in a buffer of
 * 32-bit integers, web_out(), from index 0 on; each function says in which order. A square is two
 * integers, x and y. Numbers of 64 bits are two integers, the low half first. Lists of squares go
 * in through web_push() and are taken by the next call that wants one.
 *
 * The page's worker owns one instance of this module and calls it from one thread.
 */
#include <stddef.h>

#include "include/tengen.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

enum { OUT_SIZE = 16384, LIST_SIZE = 3 * TG_MAX_SIZE * TG_MAX_SIZE, LINES_AT_ONCE = 64 };

static int32_t out[OUT_SIZE];
static TgSquare list[3][LIST_SIZE / 3]; /* black, white, neutral; or excluded in the first */
static int32_t listed[3];

static int32_t *put_square(int32_t *to, TgSquare s) {
    to[0] = s.x;
    to[1] = s.y;
    return to + 2;
}

static int32_t *put_long(int32_t *to, int64_t n) {
    to[0] = (int32_t)(uint32_t)n;
    to[1] = (int32_t)(n >> 32);
    return to + 2;
}

static int32_t *put_squares(int32_t *to, const TgSquare *s, int32_t count) {
    *to++ = count;
    for (int32_t i = 0; i < count; i++) to = put_square(to, s[i]);
    return to;
}

/* seq, line, depth, seldepth, score, mate, time_ms, nodes (2), count of the PV, its squares */
static int32_t *put_line(int32_t *to, const TgLine *l) {
    const int32_t head[] = {l->seq, l->line, l->depth, l->seldepth, l->score, l->mate, l->time_ms};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) *to++ = head[i];
    to = put_long(to, l->nodes);
    return put_squares(to, l->pv, l->pv_count);
}

static void put_outcome(const TgOutcome *o) {
    out[0] = o->status;
    out[1] = o->winner;
    out[2] = o->reason;
    put_squares(out + 3, o->captured, o->captured_count);
}

static TgSquare at(int32_t x, int32_t y) {
    return (TgSquare){(int8_t)x, (int8_t)y};
}

int32_t *EXPORT(web_out)(void);
int32_t *web_out(void) {
    return out;
}

/* Returns the size of web_out() in integers. */
int32_t EXPORT(web_out_size)(void);
int32_t web_out_size(void) {
    return OUT_SIZE;
}

/* Adds a square to list 0, 1 or 2 of the next call that takes lists; false when it is full. */
int32_t EXPORT(web_push)(int32_t which, int32_t x, int32_t y);
int32_t web_push(int32_t which, int32_t x, int32_t y) {
    if (which < 0 || which > 2 || listed[which] == LIST_SIZE / 3) return 0;
    list[which][listed[which]++] = at(x, y);
    return 1;
}

static void forget_lists(void) {
    for (int i = 0; i < 3; i++) listed[i] = 0;
}

/* The engine's handle, or NULL; the status is out[0]. */
TgEngine *EXPORT(web_new)(int32_t size, int32_t rule, int32_t memory_kib);
TgEngine *web_new(int32_t size, int32_t rule, int32_t memory_kib) {
    const TgConfig config = {size, rule, 1, memory_kib};
    TgEngine *engine = NULL;
    out[0] = (int32_t)tg_new(&config, &engine);
    return engine;
}

int32_t EXPORT(web_reset)(TgEngine *e, int32_t size, int32_t rule);
int32_t web_reset(TgEngine *e, int32_t size, int32_t rule) {
    return (int32_t)tg_reset(e, size, rule);
}

int32_t EXPORT(web_level)(TgEngine *e, int32_t level);
int32_t web_level(TgEngine *e, int32_t level) {
    return (int32_t)tg_set_option(e, "level", level);
}

int32_t EXPORT(web_resize_table)(TgEngine *e, int32_t memory_kib);
int32_t web_resize_table(TgEngine *e, int32_t memory_kib) {
    return (int32_t)tg_resize_table(e, memory_kib);
}

/* Takes the lists of black, white and neutral stones. */
int32_t EXPORT(web_set_position)(TgEngine *e, int32_t black_captures, int32_t white_captures,
                                 int32_t to_move);
int32_t web_set_position(TgEngine *e, int32_t black_captures, int32_t white_captures,
                         int32_t to_move) {
    const TgStatus status = tg_set_position(e, list[0], listed[0], list[1], listed[1], list[2],
                                            listed[2], black_captures, white_captures, to_move);
    forget_lists();
    return (int32_t)status;
}

/* out: status of the game, winner, reason, count of captured stones, their squares */
int32_t EXPORT(web_play)(TgEngine *e, int32_t x, int32_t y);
int32_t web_play(TgEngine *e, int32_t x, int32_t y) {
    TgOutcome outcome;
    const TgStatus status = tg_play(e, at(x, y), &outcome);
    if (status == TG_OK) put_outcome(&outcome);
    return (int32_t)status;
}

/* As web_play, for a move that was played elsewhere: forbidden moves and the end of the game are
 * not checked. */
int32_t EXPORT(web_place)(TgEngine *e, int32_t x, int32_t y);
int32_t web_place(TgEngine *e, int32_t x, int32_t y) {
    TgOutcome outcome;
    const TgStatus status = tg_place(e, at(x, y), &outcome);
    if (status == TG_OK) put_outcome(&outcome);
    return (int32_t)status;
}

int32_t EXPORT(web_undo)(TgEngine *e);
int32_t web_undo(TgEngine *e) {
    return (int32_t)tg_undo(e);
}

int32_t EXPORT(web_outcome)(TgEngine *e);
int32_t web_outcome(TgEngine *e) {
    TgOutcome outcome;
    const TgStatus status = tg_outcome(e, &outcome);
    if (status == TG_OK) put_outcome(&outcome);
    return (int32_t)status;
}

int32_t EXPORT(web_legal)(TgEngine *e, int32_t x, int32_t y);
int32_t web_legal(TgEngine *e, int32_t x, int32_t y) {
    return (int32_t)tg_legal(e, at(x, y));
}

/* out: count, squares */
int32_t EXPORT(web_forbidden)(TgEngine *e);
int32_t web_forbidden(TgEngine *e) {
    TgSquare squares[TG_MAX_SIZE * TG_MAX_SIZE];
    int32_t count = 0;
    const TgStatus status = tg_forbidden(e, squares, TG_MAX_SIZE * TG_MAX_SIZE, &count);
    if (status == TG_OK) put_squares(out, squares, count);
    return (int32_t)status;
}

/* out: count, squares on which the side to move does not lose at once although a five of the other
 * side stands; none where no five is pending. */
int32_t EXPORT(web_breaks)(TgEngine *e, int32_t size);
int32_t web_breaks(TgEngine *e, int32_t size) {
    TgSquare squares[TG_MAX_SIZE * TG_MAX_SIZE];
    int32_t count = 0;
    TgOutcome now;
    TgStatus status = tg_outcome(e, &now);
    if (status != TG_OK || now.status != TG_PENDING) size = 0;
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++) {
            TgOutcome after;
            if (tg_legal(e, at(x, y)) != TG_OK || tg_play(e, at(x, y), &after) != TG_OK) continue;
            tg_undo(e);
            if (after.reason != TG_REASON_FIVE_NOT_BROKEN) squares[count++] = at(x, y);
        }
    put_squares(out, squares, count);
    return (int32_t)status;
}

/* out: TgForbidden of a square for the side to move */
int32_t EXPORT(web_why_forbidden)(TgEngine *e, int32_t x, int32_t y);
int32_t web_why_forbidden(TgEngine *e, int32_t x, int32_t y) {
    return (int32_t)tg_why_forbidden(e, at(x, y), out);
}

/* out: TgThreat of each of the size*size squares for a colour, row by row */
int32_t EXPORT(web_threats)(TgEngine *e, int32_t color, int32_t size);
int32_t web_threats(TgEngine *e, int32_t color, int32_t size) {
    return (int32_t)tg_threats(e, color, out, size * size);
}

int32_t EXPORT(web_evaluate)(TgEngine *e);
int32_t web_evaluate(TgEngine *e) {
    return (int32_t)tg_evaluate(e, out);
}

/* Takes list 0 as the squares that are not to be played. nodes: -1 = no limit.
 * out: move (2), stage, hash usage in permille, the line of the move */
int32_t EXPORT(web_search)(TgEngine *e, int32_t time_ms, int32_t depth, int32_t lines, double nodes,
                           int32_t analysis);
int32_t web_search(TgEngine *e, int32_t time_ms, int32_t depth, int32_t lines, double nodes,
                   int32_t analysis) {
    const TgLimits limits = {.time_ms = time_ms,
                             .soft_ms = -1,
                             .depth = depth,
                             .lines = lines,
                             .nodes = (int64_t)nodes,
                             .analysis = analysis,
                             .excluded = list[0],
                             .excluded_count = listed[0]};
    TgResult result;
    tg_arm(e);
    const TgStatus status = tg_search(e, &limits, &result);
    forget_lists();
    if (status != TG_OK) return (int32_t)status;
    int32_t *to = put_square(out, result.move);
    *to++ = result.stage;
    *to++ = result.table_permille;
    put_line(to, &result.line);
    return (int32_t)status;
}

/* out: count of lines, then the lines told after number `after`, LINES_AT_ONCE at most */
int32_t EXPORT(web_progress)(TgEngine *e, int32_t after);
int32_t web_progress(TgEngine *e, int32_t after) {
    static TgLine lines[LINES_AT_ONCE];
    int32_t count = 0;
    const TgStatus status = tg_progress(e, after, lines, LINES_AT_ONCE, &count);
    if (status != TG_OK) return (int32_t)status;
    int32_t *to = out;
    *to++ = count;
    for (int32_t i = 0; i < count; i++) to = put_line(to, &lines[i]);
    return (int32_t)status;
}

/* out: count, squares of the line, 0 without a win; TgProof */
int32_t EXPORT(web_vcf)(TgEngine *e, double nodes);
int32_t web_vcf(TgEngine *e, double nodes) {
    static TgSquare line[1024];
    int32_t count = 0, answer = TG_PROOF_NOT_FOUND;
    tg_arm(e);
    const TgStatus status = tg_vcf(e, (int64_t)nodes, line, 1024, &count, &answer);
    if (status == TG_OK) *put_squares(out, line, count) = answer;
    return (int32_t)status;
}

int32_t EXPORT(web_vct)(TgEngine *e, double nodes, int32_t time_ms);
int32_t web_vct(TgEngine *e, double nodes, int32_t time_ms) {
    static TgSquare line[1024];
    int32_t count = 0, answer = TG_PROOF_NOT_FOUND;
    tg_arm(e);
    const TgStatus status = tg_vct(e, (int64_t)nodes, time_ms, line, 1024, &count, &answer);
    if (status == TG_OK) *put_squares(out, line, count) = answer;
    return (int32_t)status;
}

/* out: size, rule, depth, move (2), score, nodes (2), microseconds (2) */
int32_t EXPORT(web_bench)(int32_t index);
int32_t web_bench(int32_t index) {
    TgBenchRow row;
    const TgStatus status = tg_bench(index, &row);
    if (status != TG_OK) return (int32_t)status;
    out[0] = row.size;
    out[1] = row.rule;
    out[2] = row.depth;
    int32_t *to = put_square(out + 3, row.move);
    *to++ = row.score;
    to = put_long(to, row.nodes);
    put_long(to, row.time_us);
    return (int32_t)status;
}
