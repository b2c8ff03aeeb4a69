/* fuzz_boundary.c - random sequences of calls across the public interface, for libFuzzer.
 *
 * The bytes of an input are read as calls on two engines: the lower bits of the first say which
 * call, the top bit which engine, and what follows are its arguments, within their ranges mostly.
 * What the header leaves to the caller is kept: buffers are as large as said, and a handle that
 * was freed is not used. Everything else may be nonsense, and gets a status.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/tengen.h"

enum { ENGINES = 2, SQUARES = 484, LINES = 32, MANY = 600, FEW_NODES = 1500, SHORT_MS = 3 };

static const int32_t RULES[] = {0, 1, 4, 8, 9, 16};

typedef struct {
    const uint8_t *at, *end;
} Input;

typedef struct {
    TgEngine *engine;
    int32_t size, rule;
} Slot;

/* Ends the run with the failed property; libFuzzer keeps the input. */
#define HOLDS(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #what);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* --- arguments --------------------------------------------------------------------------- */

/* 0 when the input is used up. */
static uint8_t byte(Input *in) {
    return in->at < in->end ? *in->at++ : 0;
}

static int32_t below(Input *in, int32_t n) {
    return byte(in) % n;
}

/* Any number, near zero or at an end of some range. */
static int32_t number(Input *in) {
    static const int32_t ENDS[] = {
        INT32_MIN, INT32_MIN + 1, -65536,    22,      23,      63,        64,
        65,        256,           65536,     1 << 20, 1 << 30, INT32_MAX, INT32_MAX - 1,
        484,       1000000,       2000000000};
    const uint8_t b = byte(in);
    return b < 128 ? b - 32 : ENDS[b % (sizeof ENDS / sizeof *ENDS)];
}

static bool sometimes(Input *in) {
    return byte(in) >= 248;
}

static int32_t size_number(Input *in) {
    return sometimes(in) ? number(in) : TG_MIN_SIZE + below(in, TG_MAX_SIZE - TG_MIN_SIZE + 1);
}

static int32_t rule_number(Input *in) {
    return sometimes(in) ? number(in) : RULES[below(in, 6)];
}

/* A square on the board or next to it; sometimes any numbers. */
static TgSquare square(Input *in, const Slot *s) {
    const uint8_t x = byte(in), y = byte(in);
    if (x == 255) return (TgSquare){(int8_t)y, (int8_t)byte(in)};
    return (TgSquare){(int8_t)(x % (s->size + 2) - 1), (int8_t)(y % (s->size + 2) - 1)};
}

/* The number of squares in the first byte; NULL for none. */
static const TgSquare *squares(Input *in, const Slot *s, TgSquare out[MANY], int32_t *count) {
    *count = sometimes(in) ? -1 - below(in, 3) : below(in, 24) * below(in, 24);
    for (int32_t i = 0; i < *count; i++) out[i] = square(in, s);
    return *count == 0 && byte(in) & 1 ? NULL : out;
}

static TgStatus checked(TgStatus status) {
    HOLDS(status >= TG_OK && status <= TG_ERR_OPTION);
    return status;
}

/* --- what has to hold -------------------------------------------------------------------- */

static bool inside(const Slot *s, TgSquare at) {
    return at.x >= 0 && at.y >= 0 && at.x < s->size && at.y < s->size;
}

static int32_t worth(const Slot *s) {
    int32_t score = 0;
    HOLDS(tg_evaluate(s->engine, &score) == TG_OK);
    return score;
}

static TgOutcome outcome(const Slot *s) {
    TgOutcome o;
    HOLDS(tg_outcome(s->engine, &o) == TG_OK);
    HOLDS(o.status >= TG_ONGOING && o.status <= TG_DRAW);
    HOLDS((o.status == TG_WIN) == (o.winner != TG_NONE) || o.status == TG_PENDING);
    return o;
}

static void check_captures(const Slot *s, const TgOutcome *o) {
    HOLDS(o->captured_count >= 0 && o->captured_count <= TG_MAX_CAPTURED);
    HOLDS(o->captured_count % 2 == 0 && (s->rule == 16 || o->captured_count == 0));
    for (int32_t i = 0; i < o->captured_count; i++) HOLDS(inside(s, o->captured[i]));
}

/* Plays a claimed line out and takes it back. Ninuki is left to tests that know when a capture
 * breaks a five. */
static void check_proof(const Slot *s, const TgSquare *line, int32_t count) {
    TgOutcome o = outcome(s);
    if (s->rule == 16 || o.status != TG_ONGOING) return;
    for (int32_t i = 0; i < count; i++) HOLDS(tg_play(s->engine, line[i], &o) == TG_OK);
    HOLDS(count == 0 || (o.status == TG_WIN && count % 2 == 1));
    for (int32_t i = 0; i < count; i++) HOLDS(tg_undo(s->engine) == TG_OK);
}

/* --- calls ------------------------------------------------------------------------------- */

static void call_new(Input *in, Slot *s) {
    static const int32_t KIB[] = {64, 64, 65, 128, 1000, 4096};
    const TgConfig config = {.size = size_number(in),
                             .rule = rule_number(in),
                             .threads = sometimes(in) ? number(in) : 1 + below(in, 3),
                             .memory_kib = sometimes(in) ? number(in) : KIB[below(in, 6)]};
    TgEngine *fresh = NULL;
    if (checked(tg_new(&config, &fresh)) != TG_OK) {
        HOLDS(fresh == NULL);
        return;
    }
    tg_free(s->engine);
    *s = (Slot){fresh, config.size, config.rule};
}

static void call_reset(Input *in, Slot *s) {
    const int32_t size = size_number(in), rule = rule_number(in);
    if (checked(tg_reset(s->engine, size, rule)) != TG_OK) return;
    s->size = size;
    s->rule = rule;
    HOLDS(outcome(s).status == TG_ONGOING);
}

static void call_tables(Input *in, Slot *s) {
    if (byte(in) & 1)
        HOLDS(tg_clear_table(s->engine) == TG_OK);
    else
        checked(tg_resize_table(s->engine, sometimes(in) ? number(in) : 60 + byte(in)));
}

static void call_option(Input *in, Slot *s) {
    char name[16] = {0};
    TgOption o, after;
    const int32_t index = number(in);
    const bool known = checked(tg_option(s->engine, s->rule, index, &o)) == TG_OK;
    if (!known)
        for (size_t i = 0; i + 1 < sizeof name; i++) name[i] = (char)byte(in);
    const int32_t value = byte(in) & 1 ? number(in) : below(in, 4);
    /* Dozens of threads would only slow down a search of a millisecond. */
    if (known && strcmp(o.name, "threads") == 0 && value > 3 && value <= 64) return;
    const int32_t rule = rule_number(in);
    const TgStatus status =
        checked(tg_set_rule_option(s->engine, rule, known ? o.name : name, value));
    if (!known) return;
    HOLDS(tg_option(s->engine, s->rule, index, &after) == TG_OK);
    HOLDS(after.low <= after.value && after.value <= after.high);
    const bool set = status == TG_OK && (rule == s->rule || !o.per_rule);
    HOLDS(after.value == (set ? value : o.value));
}

static void call_position(Input *in, Slot *s) {
    static TgSquare stones[3][MANY];
    int32_t count[3];
    const TgSquare *at[3];
    for (int i = 0; i < 3; i++) at[i] = squares(in, s, stones[i], &count[i]);
    const int32_t before = worth(s);
    const bool pairs = s->rule == 16 || sometimes(in);
    const int32_t black = pairs ? number(in) % 8 : 0, white = pairs ? number(in) % 8 : 0;
    const int32_t to_move = sometimes(in) ? number(in) : 1 + below(in, 2);
    const TgStatus status = checked(tg_set_position(s->engine, at[0], count[0], at[1], count[1],
                                                    at[2], count[2], black, white, to_move));
    HOLDS(status == TG_OK || worth(s) == before);
}

static void call_play(Input *in, Slot *s) {
    TgOutcome o;
    const TgSquare at = square(in, s);
    const TgStatus legal = checked(tg_legal(s->engine, at));
    const bool over = outcome(s).status >= TG_WIN;
    const TgStatus status = checked(tg_play(s->engine, at, &o));
    HOLDS(status == (over ? TG_ERR_GAME_OVER : legal));
    if (status == TG_OK) check_captures(s, &o);
}

static void call_place(Input *in, Slot *s) {
    TgOutcome o;
    const int32_t before = worth(s);
    const bool stays = byte(in) & 3;
    if (checked(tg_place(s->engine, square(in, s), &o)) != TG_OK) return;
    check_captures(s, &o);
    if (stays) return;
    HOLDS(tg_undo(s->engine) == TG_OK);
    HOLDS(worth(s) == before);
}

/* A game: many stones in a row, as `place` puts them. */
static void call_stones(Input *in, Slot *s) {
    TgOutcome o;
    for (int32_t n = byte(in); n > 0 && in->at < in->end; n--)
        checked(tg_place(s->engine, square(in, s), &o));
}

static void call_forbidden(Input *in, Slot *s) {
    static TgSquare out[SQUARES];
    int32_t count = -1;
    const int32_t capacity = sometimes(in) ? number(in) % SQUARES : SQUARES;
    if (checked(tg_forbidden(s->engine, out, capacity, &count)) != TG_OK) return;
    HOLDS(count >= 0 && count <= capacity);
    for (int32_t i = 0; i < count; i++) HOLDS(tg_legal(s->engine, out[i]) == TG_ERR_FORBIDDEN);
}

static void call_progress(Input *in, Slot *s) {
    static TgLine out[LINES];
    int32_t count = -1;
    const int32_t after = number(in), capacity = sometimes(in) ? -1 : below(in, LINES + 1);
    if (checked(tg_progress(s->engine, after, out, capacity, &count)) != TG_OK) return;
    HOLDS(count >= 0 && count <= capacity);
    for (int32_t i = 0; i < count; i++) {
        HOLDS(out[i].seq > after && out[i].pv_count >= 0 && out[i].pv_count <= TG_MAX_PV);
        for (int32_t k = 0; k < out[i].pv_count; k++) HOLDS(inside(s, out[i].pv[k]));
    }
}

static void call_trace(Input *in, Slot *s) {
    static TgTraceRow out[TG_TRACE_ROWS];
    int32_t count = -1;
    checked(tg_set_trace(s->engine, byte(in) & 3));
    const int32_t capacity = sometimes(in) ? -1 : below(in, TG_TRACE_ROWS + 1);
    if (checked(tg_trace(s->engine, out, capacity, &count)) != TG_OK) return;
    HOLDS(count >= 0 && count <= capacity);
    for (int32_t i = 0; i < count; i++) {
        HOLDS(inside(s, out[i].move) && out[i].outcome >= 0);
        HOLDS((out[i].depth > 0) == (out[i].outcome < TG_TRACED_FORBIDDEN));
    }
}

static void call_search(Input *in, Slot *s) {
    static TgSquare excluded[MANY];
    TgLimits limits = {.time_ms = number(in),
                       .soft_ms = number(in),
                       .depth = number(in),
                       .lines = byte(in) & 7 ? 1 : number(in),
                       .nodes = number(in)};
    if (byte(in) & 1) limits.excluded = squares(in, s, excluded, &limits.excluded_count);
    /* One of them must end it soon. */
    if (limits.time_ms < 0 || limits.time_ms > SHORT_MS)
        if (limits.nodes < 0 || limits.nodes > FEW_NODES) limits.nodes = FEW_NODES;
    const int32_t before = worth(s);
    TgResult r;
    if (byte(in) & 15) tg_arm(s->engine);
    if (checked(tg_search(s->engine, &limits, &r)) == TG_OK) {
        const TgStatus legal = tg_legal(s->engine, r.move);
        HOLDS(legal == TG_OK || legal == TG_ERR_FORBIDDEN);
        HOLDS(r.line.pv_count >= 0 && r.line.pv_count <= TG_MAX_PV && r.threads >= 1);
    }
    HOLDS(worth(s) == before);
}

static void call_proof(Input *in, Slot *s) {
    static TgSquare line[SQUARES];
    int32_t count = 0, answer = -1;
    const int32_t asked = number(in), nodes = asked > FEW_NODES ? FEW_NODES : asked;
    const int32_t capacity = sometimes(in) ? number(in) % SQUARES : SQUARES;
    const int32_t before = worth(s);
    tg_arm(s->engine);
    const TgStatus status =
        byte(in) & 1 ? tg_vcf(s->engine, nodes, line, capacity, &count, &answer)
                     : tg_vct(s->engine, nodes, number(in), line, capacity, &count, &answer);
    if (checked(status) == TG_OK) {
        check_proof(s, line, count);
        HOLDS((answer == TG_PROOF_WIN) == (count > 0));
    }
    HOLDS(worth(s) == before);
}

/* Calls with null pointers, and calls without an engine. */
static void call_nothing(Input *in, Slot *s) {
    int32_t count = 0;
    TgBenchRow row;
    TgOutcome o;
    TgSquare at = square(in, s);
    tg_free(NULL);
    tg_stop(NULL);
    HOLDS(tg_new(NULL, NULL) == TG_ERR_ARGUMENT && tg_arm(NULL) == TG_ERR_ARGUMENT);
    HOLDS(tg_play(NULL, at, &o) == TG_ERR_ARGUMENT && tg_undo(NULL) == TG_ERR_ARGUMENT);
    HOLDS(tg_search(s->engine, NULL, NULL) == TG_ERR_ARGUMENT);
    HOLDS(tg_forbidden(s->engine, NULL, 1, &count) == TG_ERR_ARGUMENT);
    HOLDS(tg_threats(s->engine, TG_BLACK, NULL, 0) == TG_ERR_ARGUMENT);
    HOLDS(tg_set_option(s->engine, NULL, 0) == TG_ERR_ARGUMENT);
    HOLDS(tg_option(s->engine, s->rule, -1, NULL) == TG_ERR_ARGUMENT);
    HOLDS(tg_bench(-1 - below(in, 9), &row) == TG_ERR_ARGUMENT);
    HOLDS(tg_resident_bytes() >= 0);
    tg_one_heap();
    tg_fill_cache();
    tg_trim_heap();
}

static void call_undo(Input *in, Slot *s) {
    for (int32_t n = 1 + below(in, 16); n > 0; n--)
        if (checked(tg_undo(s->engine)) != TG_OK) return;
}

static void call_stop(Input *in, Slot *s) {
    (void)in;
    tg_stop(s->engine);
    outcome(s);
}

typedef void Call(Input *in, Slot *s);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    static Call *const CALLS[] = {
        call_new,       call_reset,    call_tables, call_option, call_position,
        call_position,  call_play,     call_play,   call_place,  call_stones,
        call_forbidden, call_progress, call_search, call_search, call_proof,
        call_proof,     call_nothing,  call_undo,   call_stop,   call_trace,
    };
    Input in = {data, data + bytes};
    Slot slot[ENGINES] = {{0}};
    while (in.at < in.end) {
        const uint8_t b = byte(&in);
        Slot *s = &slot[b >> 7];
        const size_t which = (b & 127) % (sizeof CALLS / sizeof *CALLS);
        if (which == 0 || s->engine)
            CALLS[which](&in, s);
        else
            call_new(&in, s);
    }
    for (int i = 0; i < ENGINES; i++) tg_free(slot[i].engine);
    return 0;
}
