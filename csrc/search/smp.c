#include "search/smp.h"

#include "base/platform.h"
#include "search/iterative.h"

enum {
    STACK_BYTES = 1 << 20,
    /* Shorter searches end before another thread has started. With one thread, a low node limit (a
     * level of play) is kept exactly. */
    WORTHWHILE_NODES = 4096,
    /* The search for the score of a single legal move: its nodes, and its part of the limits, which
     * is larger in a won position. */
    FORCED_NODES = 4000,
    FORCED_LEAST = 200,
    FORCED_PART = 20,
    WON_PART = 4
};

struct Helper {
    Thread thread;
    SearchLine line; /* the result of its search */
    Searcher searcher;
    Position pos;
    Root root;
};

/* --- helpers ----------------------------------------------------------------------------- */

void smp_resize(Crew *crew, int wanted) {
    crew->wanted = wanted;
    for (int i = wanted - 1; i < MAX_THREADS - 1; i++) {
        platform_free(crew->helper[i], sizeof(Helper));
        crew->helper[i] = NULL;
    }
}

void smp_free(Crew *crew) {
    const int wanted = crew->wanted;
    smp_resize(crew, 1);
    crew->wanted = wanted;
}

void smp_forget(Crew *crew) {
    for (int i = 0; i < MAX_THREADS - 1; i++)
        if (crew->helper[i]) worker_forget(&crew->helper[i]->searcher);
}

static Helper *new_helper(void) {
    Helper *h = platform_alloc(sizeof *h);
    if (h) worker_forget(&h->searcher);
    return h;
}

/* Copies the position, options, limits and moves of the first thread. */
static void prepare(Helper *h, const Root *first, int thread) {
    Searcher *s = &h->searcher;
    const Searcher *from = first->s;
    position_copy(&h->pos, from->pos);
    s->pos = &h->pos;
    s->eval = from->eval;
    s->table = from->table;
    s->params = from->params;
    s->seldepth = 0;
    budget_join(&s->budget, &from->budget);
    history_fade(&s->history);
    h->root.s = s;
    h->root.limits = first->limits;
    h->root.thread = thread;
    root_join(&h->root, first);
}

/* A helper that finishes stops the others. Not in multi-PV: there only the first thread reports, so
 * it must finish all lines. */
static void *work(void *argument) {
    Helper *h = argument;
    Budget *b = &h->searcher.budget;
    h->line = iterative_deepen(&h->root);
    if (!b->over && h->root.limits->lines == 1)
        atomic_store_explicit(&b->shared->halt, true, memory_order_relaxed);
    return NULL;
}

/* Starts the helpers; returns how many the system allowed. */
static int start_helpers(Crew *crew, const Root *first) {
    for (int i = 0; i < crew->wanted - 1; i++) {
        if (!crew->helper[i]) crew->helper[i] = new_helper();
        Helper *h = crew->helper[i];
        if (!h) return i;
        prepare(h, first, i + 1);
        if (!platform_thread_start(&h->thread, STACK_BYTES, work, h)) return i;
    }
    return crew->wanted - 1;
}

static bool worthwhile(const Crew *crew, const Root *first) {
    const SearchLimits *l = first->limits;
    return crew->wanted > 1 && !root_is_forced(first) && !first->s->budget.over && l->depth > 1 &&
           (l->nodes < 0 || l->nodes >= WORTHWHILE_NODES);
}

/* --- the vote ---------------------------------------------------------------------------- */

/* The lines of the threads; line[0] is the first thread's. */
typedef struct {
    const SearchLine *const *line;
    int count, worst, base;
} Votes;

/* The weight of a line grows with its depth and its score. */
static int64_t weight(const Votes *v, const SearchLine *l) {
    return (int64_t)(l->score - v->worst + v->base) * l->depth;
}

/* The summed weight of the threads that chose the move. */
static int64_t weight_of_move(const Votes *v, Cell move) {
    int64_t sum = 0;
    for (int i = 0; i < v->count; i++)
        if (v->line[i]->pv[0] == move) sum += weight(v, v->line[i]);
    return sum;
}

/* Whether a line is better than another: the shortest proven win, then the move of more weight,
 * then the deeper line of the same move. On a tie the line of the earlier thread stays. */
static bool is_better(const Votes *v, const SearchLine *l, const SearchLine *than) {
    if (l->depth == 0 || than->depth == 0) return l->depth > than->depth;
    if (l->score > SCORE_PROVEN || than->score > SCORE_PROVEN) return l->score > than->score;
    if (l->pv[0] == than->pv[0]) return l->depth > than->depth;
    return weight_of_move(v, l->pv[0]) > weight_of_move(v, than->pv[0]);
}

const SearchLine *smp_vote(const SearchLine *const *line, int count, int base) {
    Votes v = {.line = line, .count = count, .worst = SCORE_INFINITE, .base = base};
    for (int i = 0; i < count; i++)
        if (line[i]->depth > 0 && line[i]->score < v.worst) v.worst = line[i]->score;
    const SearchLine *best = line[0];
    for (int i = 1; i < count; i++)
        if (is_better(&v, line[i], best)) best = line[i];
    return best;
}

/* --- a search ---------------------------------------------------------------------------- */

int smp_keep_finished(const SearchLine *line[], int count, int depth) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (line[i]->depth >= depth || line[i]->score > SCORE_PROVEN) line[kept++] = line[i];
    return kept ? kept : count;
}

/* The chosen line after all threads have finished. It is reported last, so that the last report has
 * the played move. */
static SearchLine choose_line(const Crew *crew, int helpers, const Root *first,
                              const SearchLine *own, int64_t nodes) {
    const SearchLine *line[MAX_THREADS] = {own};
    if (first->limits->lines > 1) return *own;
    for (int i = 0; i < helpers; i++) line[i + 1] = &crew->helper[i]->line;
    /* a search to a given depth answers with a line of this depth */
    const int voters = smp_keep_finished(line, helpers + 1, first->limits->depth);
    SearchLine chosen = *smp_vote(line, voters, first->s->params.vote_base);
    chosen.nodes = nodes;
    chosen.time_us = budget_elapsed_us(&first->s->budget);
    if (chosen.pv[0] != own->pv[0] && first->listen) first->listen(first->context, &chosen, 1);
    return chosen;
}

static void narrow(Budget *b, bool won) {
    const int part = won ? WON_PART : FORCED_PART;
    int64_t nodes = (b->max_nodes - b->nodes) / part;
    if (nodes < FORCED_LEAST) nodes = FORCED_LEAST;
    if (!won && nodes > FORCED_NODES) nodes = FORCED_NODES;
    budget_narrow(b, nodes, part);
}

void smp_deepen(Crew *crew, Root *first, SearchResult *out) {
    Budget *b = &first->s->budget;
    int helpers = 0;
    if (root_is_forced(first)) narrow(b, first->won);
    if (worthwhile(crew, first)) {
        budget_share(b, &crew->shared);
        helpers = start_helpers(crew, first);
        if (helpers == 0) budget_unshare(b);
        out->refused = crew->wanted - 1 - helpers;
    }
    const SearchLine own = iterative_deepen(first);
    out->nodes = b->nodes;
    atomic_store_explicit(&crew->shared.halt, true, memory_order_relaxed);
    for (int i = 0; i < helpers; i++) {
        platform_thread_join(crew->helper[i]->thread);
        out->nodes += crew->helper[i]->searcher.budget.nodes;
    }
    if (helpers) budget_unshare(b);
    out->threads = 1 + helpers;
    out->line = choose_line(crew, helpers, first, &own, out->nodes);
}
