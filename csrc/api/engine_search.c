/* engine_search.c - implements the part of tengen.h that thinks: searches, what they tell while
 * they run, proofs. */
#include <stdlib.h>
#include <string.h>

#include "api/engine.h"
#include "search/level.h"

_Static_assert((int)TRACE_ROWS == (int)TG_TRACE_ROWS, "callers make room for TG_TRACE_ROWS");
_Static_assert((int)PROOF_KIB < (int)TG_PROOF_KIB, "callers plan with TG_PROOF_KIB");

static void forget_progress(TgEngine *e) {
    pthread_mutex_lock(&e->progress_lock);
    e->progress_count = 0;
    pthread_mutex_unlock(&e->progress_lock);
}

TgStatus tg_arm(TgEngine *e) {
    if (!e) return TG_ERR_ARGUMENT;
    atomic_store(&e->stop, false);
    forget_progress(e);
    return TG_OK;
}

void tg_stop(TgEngine *e) {
    if (e) atomic_store(&e->stop, true);
}

static void fill_line(TgLine *out, const SearchLine *line) {
    memset(out, 0, sizeof *out);
    out->line = line->line;
    out->depth = line->depth;
    out->seldepth = line->seldepth;
    out->score = line->score;
    out->mate = score_mate(line->score);
    out->time_ms = (int32_t)(line->time_us / 1000);
    out->nodes = line->nodes;
    out->pv_count = line->pv_count < TG_MAX_PV ? line->pv_count : TG_MAX_PV;
    for (int i = 0; i < out->pv_count; i++) out->pv[i] = square_of(line->pv[i]);
}

static void on_lines(void *context, const SearchLine *lines, int count) {
    TgEngine *e = context;
    pthread_mutex_lock(&e->progress_lock);
    for (int i = 0; i < count; i++) {
        TgLine *to = &e->progress[e->progress_count % PROGRESS_LINES];
        fill_line(to, &lines[i]);
        to->seq = ++e->progress_count;
    }
    pthread_mutex_unlock(&e->progress_lock);
}

TgStatus tg_progress(TgEngine *e, int32_t after, TgLine *out, int32_t capacity, int32_t *count) {
    if (!e || !out || !count || after < 0 || capacity < 0) return TG_ERR_ARGUMENT;
    pthread_mutex_lock(&e->progress_lock);
    int32_t seq = e->progress_count - PROGRESS_LINES;
    if (seq < after) seq = after;
    for (*count = 0; seq < e->progress_count && *count < capacity; seq++)
        out[(*count)++] = e->progress[seq % PROGRESS_LINES];
    pthread_mutex_unlock(&e->progress_lock);
    return TG_OK;
}

TgStatus tg_set_trace(TgEngine *e, int32_t on) {
    if (!e || (on != 0 && on != 1)) return TG_ERR_ARGUMENT;
    if (on && !e->trace) e->trace = calloc(1, sizeof *e->trace);
    if (on) return e->trace ? TG_OK : TG_ERR_MEMORY;
    free(e->trace);
    e->trace = NULL;
    return TG_OK;
}

TgStatus tg_trace(TgEngine *e, TgTraceRow *out, int32_t capacity, int32_t *count) {
    if (!e || !out || !count || capacity < 0) return TG_ERR_ARGUMENT;
    *count = 0;
    if (!e->trace) return TG_OK;
    const Trace *t = e->trace;
    int at = t->count > TRACE_ROWS ? t->count - TRACE_ROWS : 0;
    if (at < t->count - capacity) at = t->count - capacity;
    for (; at < t->count; at++) {
        const TraceRow *row = &t->row[at % TRACE_ROWS];
        out[(*count)++] = (TgTraceRow){.move = square_of(row->move),
                                       .outcome = (int32_t)row->outcome,
                                       .depth = row->depth,
                                       .place = row->place,
                                       .alpha = row->alpha,
                                       .beta = row->beta,
                                       .reduction = row->reduction * 100 / PLY,
                                       .score = row->score,
                                       .nodes = row->nodes};
    }
    return TG_OK;
}

static bool ensure_table(TgEngine *e, int32_t time_ms) {
    enum { PATIENT_MS = 500 };
    if (e->table.slot) return true;
    if (!tt_init(&e->table, e->table_kib)) return false;
    if (time_ms < 0 || time_ms >= PATIENT_MS) tt_prefer_huge_pages(&e->table);
    return true;
}

static bool ensure_proof(TgEngine *e) {
    if (!e->searcher.proof) e->searcher.proof = proof_new();
    return e->searcher.proof;
}

static TgStatus read_limits(const TgEngine *e, const TgLimits *l, SearchLimits *out) {
    if (l->lines < 1 || l->excluded_count < 0) return TG_ERR_ARGUMENT;
    if (l->excluded_count > 0 && !l->excluded) return TG_ERR_ARGUMENT;
    *out = (SearchLimits){.hard_ms = l->time_ms,
                          .soft_ms = l->soft_ms,
                          .nodes = l->nodes,
                          .depth = MAX_PLY - 1,
                          .lines = l->lines,
                          .analysis = l->analysis != 0};
    if (l->depth >= 0 && l->depth < out->depth) out->depth = l->depth;
    for (int32_t i = 0; i < l->excluded_count; i++) {
        if (!on_board(e, l->excluded[i])) return TG_ERR_OFF_BOARD;
        bb_add(&out->excluded, cell_of(l->excluded[i]));
    }
    return TG_OK;
}

TgStatus tg_search(TgEngine *e, const TgLimits *limits, TgResult *out) {
    if (!e || !limits || !out) return TG_ERR_ARGUMENT;
    SearchLimits search_limits;
    const TgStatus status = read_limits(e, limits, &search_limits);
    if (status != TG_OK) return status;
    e->searcher.params = e->params[engine_rule_index(e->pos.rule)];
    level_apply(e->level, &e->searcher.params, &search_limits);
    if (!ensure_table(e, limits->time_ms)) return TG_ERR_MEMORY;
    const int64_t without = ensure_proof(e) ? 0 : PROOF_KIB; /* a search does without proofs */
    forget_progress(e);
    search_limits.trace = e->trace;
    if (e->trace) e->trace->count = 0;
    position_make_room(&e->pos);
    tt_new_search(&e->table);
    history_fade(&e->searcher.history);
    const SearchResult r =
        search_run(&e->crew, &e->searcher, &e->kept, &search_limits, on_lines, e);
    e->table_nodes += r.nodes;
    if (r.move == NO_CELL) return TG_ERR_NO_MOVE;
    memset(out, 0, sizeof *out);
    out->move = square_of(r.move);
    out->stage = (int32_t)r.stage;
    out->table_permille = tt_permille(&e->table);
    out->threads = r.threads;
    out->threads_refused = r.refused;
    out->table_refused_kib = (int32_t)(e->table_kib - tt_kib(&e->table) + without);
    for (int i = 0; i < STAGE_COUNT; i++)
        out->notes[i] = (TgStageNote){r.notes[i].ran, r.notes[i].found, r.notes[i].nodes};
    fill_line(&out->line, &r.line);
    out->line.nodes = r.nodes;
    out->line.time_ms = (int32_t)(budget_elapsed_us(&e->searcher.budget) / 1000);
    return TG_OK;
}

static TgStatus give_line(const Cell *line, int length, TgSquare *out, int32_t capacity,
                          int32_t *count) {
    if (length > capacity) return TG_ERR_ARGUMENT;
    for (int i = 0; i < length; i++) out[i] = square_of(line[i]);
    *count = length;
    return TG_OK;
}

_Static_assert((int)VCT_NOT_FOUND == (int)TG_PROOF_NOT_FOUND &&
                   (int)VCT_NO_WIN == (int)TG_PROOF_NO_WIN && (int)VCT_WIN == (int)TG_PROOF_WIN,
               "the answers of the header are those of the core");

TgStatus tg_vcf(TgEngine *e, int64_t max_nodes, TgSquare *out, int32_t capacity, int32_t *count,
                int32_t *answer) {
    if (!e || !out || !count || !answer || max_nodes < 1) return TG_ERR_ARGUMENT;
    if (!ensure_proof(e)) return TG_ERR_MEMORY;
    Searcher *s = &e->searcher;
    *count = 0;
    position_make_room(&e->pos);
    budget_start(&s->budget, &e->stop, -1, -1, -1);
    const int plies = proof_vcf(s->proof, &e->pos, &s->budget, max_nodes);
    *answer = plies ? TG_PROOF_WIN : s->proof->vcf.aborted ? TG_PROOF_NOT_FOUND : TG_PROOF_NO_WIN;
    if (!plies) return TG_OK;
    return give_line(s->proof->vcf.line[0], s->proof->vcf.length[0], out, capacity, count);
}

TgStatus tg_vct(TgEngine *e, int64_t max_nodes, int32_t time_ms, TgSquare *out, int32_t capacity,
                int32_t *count, int32_t *answer) {
    if (!e || !out || !count || !answer || max_nodes < 1) return TG_ERR_ARGUMENT;
    if (!ensure_proof(e)) return TG_ERR_MEMORY;
    Searcher *s = &e->searcher;
    *count = 0;
    position_make_room(&e->pos);
    budget_start(&s->budget, &e->stop, time_ms, -1, -1);
    const int plies = proof_vct(s->proof, s->eval, &e->pos, &s->budget, max_nodes);
    *answer = plies ? TG_PROOF_WIN : (int32_t)s->proof->vct.answer;
    if (!plies) return TG_OK;
    return give_line(s->proof->vct.line, s->proof->vct.length, out, capacity, count);
}
