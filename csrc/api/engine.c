/* engine.c - implements tengen.h: the handle, argument checks, status codes, the game. */
#include "api/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "search/level.h"

enum { PAGE_KIB = 4 };
_Static_assert((int)TG_MIN_MEMORY_KIB >= (int)TT_MIN_KIB, "the least table is one");

static int32_t color_of(Stone s) {
    return s == BLACK ? TG_BLACK : s == WHITE ? TG_WHITE : TG_NONE;
}

/* Squares sort by x, then y; cells by y, then x. */
static int by_x_then_y(const void *a, const void *b) {
    const TgSquare *s = a, *t = b;
    return s->x != t->x ? s->x - t->x : s->y - t->y;
}

static void sort_squares(TgSquare *squares, int32_t count) {
    qsort(squares, (size_t)count, sizeof *squares, by_x_then_y);
}

/* --- life -------------------------------------------------------------------------------- */

/* NULL: there are no weights for the rule. */
static const EvalTable *table_of(const TgEngine *e, Rule rule) {
    if (!e->own.table) return eval_table(rule);
    return e->own.table->weights.rule == rule ? e->own.table : NULL;
}

static void reset_searcher(TgEngine *e) {
    Searcher *s = &e->searcher;
    s->pos = &e->pos;
    s->eval = table_of(e, e->pos.rule);
    s->table = &e->table;
    s->budget.stop = &e->stop;
    worker_forget(s);
    smp_forget(&e->crew);
    kept_proofs_clear(&e->kept);
}

static void empty_board(TgEngine *e, int32_t size, int32_t rule) {
    if (e->trace) e->trace->count = 0;
    position_init(&e->pos, (Rule)rule, &table_of(e, (Rule)rule)->pattern, size);
    e->searcher.params = e->params[engine_rule_index((Rule)rule)];
    reset_searcher(e);
}

int32_t tg_abi_version(void) {
    return TG_ABI_VERSION;
}

int32_t tg_cpu_built(void) {
#ifdef __AVX2__
    return TG_CPU_AVX2;
#else
    return TG_CPU_BASELINE;
#endif
}

int32_t tg_cpu_best(void) {
    return platform_has_avx2() ? TG_CPU_AVX2 : TG_CPU_BASELINE;
}

static TgStatus check_config(const TgConfig *c) {
    if (c->size < TG_MIN_SIZE || c->size > TG_MAX_SIZE) return TG_ERR_SIZE;
    if (!is_rule(c->rule)) return TG_ERR_RULE;
    if (c->threads < 1 || c->threads > MAX_THREADS) return TG_ERR_ARGUMENT;
    if (c->memory_kib < TG_MIN_MEMORY_KIB || c->memory_kib > TG_MAX_MEMORY_KIB)
        return TG_ERR_ARGUMENT;
    return TG_OK;
}

TgStatus tg_new(const TgConfig *config, TgEngine **out) {
    if (!config || !out) return TG_ERR_ARGUMENT;
    const TgStatus status = check_config(config);
    if (status != TG_OK) return status;
    if (!eval_table((Rule)config->rule)) return TG_ERR_WEIGHTS;
    TgEngine *e = platform_alloc(sizeof *e);
    if (!e) return TG_ERR_MEMORY;
    memset(e, 0, sizeof *e); /* touched: the stacks of a long game grow into nothing new later */
    if (pthread_mutex_init(&e->progress_lock, NULL) != 0) {
        platform_free(e, sizeof *e);
        return TG_ERR_MEMORY;
    }
    atomic_init(&e->stop, false);
    e->table_kib = config->memory_kib;
    e->crew.wanted = config->threads;
#define DEFAULTS(name) params_default(&e->params[engine_rule_index(RULE_##name)], RULE_##name);
    FOR_EACH_RULE(DEFAULTS)
#undef DEFAULTS
    e->level = LEVEL_FULL;
    empty_board(e, config->size, config->rule);
    *out = e;
    return TG_OK;
}

/* All that searches have made; the next one makes it anew. */
static void free_tables(TgEngine *e) {
    smp_free(&e->crew);
    tt_free(&e->table);
    e->table_nodes = 0;
    proof_free(e->searcher.proof);
    e->searcher.proof = NULL;
}

void tg_free(TgEngine *e) {
    if (!e) return;
    free_tables(e);
    own_weights_free(&e->own);
    free(e->trace);
    pthread_mutex_destroy(&e->progress_lock);
    platform_free(e, sizeof *e);
}

/* In place, as new pages cost far more, and that in the midst of the next search; but not where
 * most pages of the table have never been touched. */
static void empty_tables(TgEngine *e) {
    if (e->table_nodes < tt_kib(&e->table) / PAGE_KIB) {
        free_tables(e);
        return;
    }
    tt_clear(&e->table);
    proof_clear(e->searcher.proof);
}

TgStatus tg_reset(TgEngine *e, int32_t size, int32_t rule) {
    if (!e) return TG_ERR_ARGUMENT;
    if (size < TG_MIN_SIZE || size > TG_MAX_SIZE) return TG_ERR_SIZE;
    if (!is_rule(rule)) return TG_ERR_RULE;
    if (!table_of(e, (Rule)rule)) return TG_ERR_WEIGHTS;
    empty_board(e, size, rule);
    empty_tables(e);
    return TG_OK;
}

TgStatus tg_load_weights(TgEngine *e, int32_t size, const uint8_t *bytes, int64_t count) {
    if (!e || !bytes || count < 0) return TG_ERR_ARGUMENT;
    if (size < TG_MIN_SIZE || size > TG_MAX_SIZE) return TG_ERR_SIZE;
    OwnWeights own;
    const TgStatus status = own_weights_make(&own, bytes, (size_t)count);
    if (status != TG_OK) return status;
    OwnWeights old = e->own;
    e->own = own;
    empty_board(e, size, (int32_t)own.table->weights.rule);
    empty_tables(e);
    own_weights_free(&old);
    return TG_OK;
}

uint32_t tg_weights_checksum(const TgEngine *e) {
    return e ? e->searcher.eval->weights.checksum : 0;
}

TgStatus tg_resize_table(TgEngine *e, int32_t memory_kib) {
    if (!e || memory_kib < TG_MIN_MEMORY_KIB || memory_kib > TG_MAX_MEMORY_KIB)
        return TG_ERR_ARGUMENT;
    if (memory_kib == e->table_kib) return TG_OK;
    free_tables(e);
    e->table_kib = memory_kib;
    return TG_OK;
}

TgStatus tg_clear_table(TgEngine *e) {
    if (!e) return TG_ERR_ARGUMENT;
    free_tables(e);
    worker_forget(&e->searcher);
    kept_proofs_clear(&e->kept);
    return TG_OK;
}

/* --- the game ---------------------------------------------------------------------------- */

static TgStatus check_stones(const TgEngine *e, const TgSquare *at, int32_t count,
                             bool taken[CELLS]) {
    if (count < 0 || (count > 0 && !at)) return TG_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!on_board(e, at[i])) return TG_ERR_OFF_BOARD;
        if (taken[cell_of(at[i])]) return TG_ERR_OCCUPIED;
        taken[cell_of(at[i])] = true;
    }
    return TG_OK;
}

static bool captures_possible(const TgEngine *e, int32_t black, int32_t white) {
    const RuleTraits *t = &e->pos.traits;
    const int most = traits_most_captures(t);
    if (black < 0 || white < 0 || black > most || white > most) return false;
    if (!t->captures) return black == 0 && white == 0;
    return black < traits_to_win(t) || white < traits_to_win(t);
}

static void put_stones(TgEngine *e, const TgSquare *at, int32_t count, Stone s) {
    for (int32_t i = 0; i < count; i++) position_put(&e->pos, cell_of(at[i]), s);
}

TgStatus tg_set_position(TgEngine *e, const TgSquare *black, int32_t black_count,
                         const TgSquare *white, int32_t white_count, const TgSquare *neutral,
                         int32_t neutral_count, int32_t black_captures, int32_t white_captures,
                         int32_t to_move) {
    if (!e) return TG_ERR_ARGUMENT;
    if (to_move != TG_BLACK && to_move != TG_WHITE) return TG_ERR_ARGUMENT;
    if (!captures_possible(e, black_captures, white_captures)) return TG_ERR_ARGUMENT;
    bool taken[CELLS] = {false};
    TgStatus status = check_stones(e, black, black_count, taken);
    if (status == TG_OK) status = check_stones(e, white, white_count, taken);
    if (status == TG_OK) status = check_stones(e, neutral, neutral_count, taken);
    if (status != TG_OK) return status;
    const int captures[COLORS] = {black_captures, white_captures};
    position_init(&e->pos, e->pos.rule, e->pos.pattern.table, e->pos.board.size);
    put_stones(e, black, black_count, BLACK);
    put_stones(e, white, white_count, WHITE);
    put_stones(e, neutral, neutral_count, NEUTRAL);
    position_ready(&e->pos, captures, to_move == TG_BLACK ? BLACK : WHITE);
    return TG_OK;
}

static TgStatus check_empty(const TgEngine *e, TgSquare at) {
    if (!on_board(e, at)) return TG_ERR_OFF_BOARD;
    return e->pos.board.stone[cell_of(at)] == EMPTY ? TG_OK : TG_ERR_OCCUPIED;
}

TgStatus tg_legal(const TgEngine *e, TgSquare at) {
    if (!e) return TG_ERR_ARGUMENT;
    const TgStatus status = check_empty(e, at);
    if (status != TG_OK) return status;
    return position_forbidden(&e->pos, cell_of(at)) ? TG_ERR_FORBIDDEN : TG_OK;
}

TgStatus tg_forbidden(const TgEngine *e, TgSquare *out, int32_t capacity, int32_t *count) {
    if (!e || !out || !count || capacity < 0) return TG_ERR_ARGUMENT;
    *count = 0;
    BB_FOR_EACH(c, &e->pos.board.empty) {
        if (!position_forbidden(&e->pos, c)) continue;
        if (*count == capacity) return TG_ERR_ARGUMENT;
        out[(*count)++] = square_of(c);
    }
    sort_squares(out, *count);
    return TG_OK;
}

TgStatus tg_why_forbidden(const TgEngine *e, TgSquare at, int32_t *out) {
    if (!e || !out) return TG_ERR_ARGUMENT;
    *out = TG_FORBIDDEN_NONE;
    const TgStatus status = check_empty(e, at);
    if (status != TG_OK) return status;
    const Cell c = cell_of(at);
    if (!position_forbidden(&e->pos, c)) return TG_OK;
    const Forbids forbids = e->pos.traits.forbids[position_to_move(&e->pos)];
    *out = forbids == FORBIDS_RENJU ? (int32_t)rules_renju_forbidden(&e->pos.board, c)
                                    : TG_FORBIDDEN_DOUBLE_THREE; /* the one reason there is */
    return TG_OK;
}

static Verdict verdict_of(const TgEngine *e) {
    const Position *p = &e->pos;
    return p->plies ? rules_judge(&p->board, p->rule, position_last(p))
                    : rules_judge_setup(&p->board, p->rule);
}

static void fill_outcome(TgOutcome *out, Verdict v) {
    memset(out, 0, sizeof *out);
    out->status = (int32_t)v.status;
    out->winner = color_of(v.winner);
    out->reason = (int32_t)v.reason;
}

TgStatus tg_place(TgEngine *e, TgSquare at, TgOutcome *out) {
    if (!e || !out) return TG_ERR_ARGUMENT;
    const TgStatus status = check_empty(e, at);
    if (status != TG_OK) return status;
    position_make_room(&e->pos);
    position_make(&e->pos, cell_of(at));
    fill_outcome(out, verdict_of(e));
    const Ply *ply = &e->pos.ply[e->pos.plies - 1];
    out->captured_count = ply->captured;
    for (int i = 0; i < ply->captured; i++) out->captured[i] = square_of(ply->taken[i]);
    sort_squares(out->captured, out->captured_count);
    return TG_OK;
}

TgStatus tg_play(TgEngine *e, TgSquare at, TgOutcome *out) {
    if (!e || !out) return TG_ERR_ARGUMENT;
    const GameStatus now = verdict_of(e).status;
    if (now == GAME_WIN || now == GAME_DRAW) return TG_ERR_GAME_OVER;
    const TgStatus status = tg_legal(e, at);
    return status == TG_OK ? tg_place(e, at, out) : status;
}

TgStatus tg_undo(TgEngine *e) {
    if (!e) return TG_ERR_ARGUMENT;
    if (e->pos.plies == 0) return TG_ERR_NO_UNDO;
    position_unmake(&e->pos);
    return TG_OK;
}

TgStatus tg_outcome(const TgEngine *e, TgOutcome *out) {
    if (!e || !out) return TG_ERR_ARGUMENT;
    fill_outcome(out, verdict_of(e));
    return TG_OK;
}

TgStatus tg_evaluate(const TgEngine *e, int32_t *score) {
    if (!e || !score) return TG_ERR_ARGUMENT;
    *score = eval_score(e->searcher.eval, &e->pos, NULL);
    return TG_OK;
}

int64_t tg_resident_bytes(void) {
    return platform_resident_bytes();
}

void tg_one_heap(void) {
    platform_one_heap();
}

void tg_fill_cache(void) {
    platform_fill_cache();
}

void tg_trim_heap(void) {
    platform_trim_heap();
}
