#include "search/worker.h"

void worker_forget(Searcher *s) {
    history_clear(&s->history);
    vcf_cache_clear(&s->vcf_cache);
}

void worker_start(Searcher *s) {
    s->accumulators.steps = 0;
    s->null_ply = -1;
    s->forced[0] = false;
    s->evals[0] = eval_score(s->eval, s->pos, &s->accumulators);
    s->excluded[0] = s->excluded[1] = NO_CELL;
}
