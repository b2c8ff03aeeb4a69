#include "search/search.h"

#include <string.h>

#include "search/root_proofs.h"

/* Whether a finished search has proven its score and line. A loss is proven only if every move was
 * searched. It must also be new: the line of a known loss is only the longest resistance found. */
static bool proves(const Root *r, const SearchLine *line) {
    if (line->depth == 0 || !score_is_proven(line->score)) return false;
    if (line->score > 0) return true;
    const bool found = !r->lost || line->score < -SCORE_MATE + r->lost;
    return found && !r->s->params.width && !bb_any(&r->limits->excluded);
}

SearchResult search_run(Crew *crew, Searcher *s, KeptProofs *kept, const SearchLimits *limits,
                        SearchListener listen, void *context) {
    Root root = {.s = s, .limits = limits, .listen = listen, .context = context};
    if (s->params.kept_proofs) root.kept = kept;
    if (limits->lines > 1) root.multipv = crew->multipv;
    SearchResult out;
    if (root_proofs_decide(&root, &out)) {
        out.nodes = s->budget.nodes;
        out.threads = 1;
    } else {
        const int64_t proofs = s->budget.nodes, vct = root.notes[STAGE_VCT].nodes;
        root_trace_left_out(&root);
        smp_deepen(crew, &root, &out);
        const int64_t again = root.notes[STAGE_VCT].nodes - vct;
        root.notes[STAGE_SEARCH] = (StageNote){true, true, out.nodes - proofs - again};
        out.move = out.line.pv[0];
        out.stage = out.line.depth > 0 ? root.stage : STAGE_STATIC;
    }
    root_proofs_conclude(&root, &out);
    memcpy(out.notes, root.notes, sizeof out.notes);
    if (root.kept && out.move != NO_CELL && proves(&root, &out.line))
        kept_proofs_note(root.kept, s->pos, out.line.score, out.line.pv, out.line.pv_count);
    return out;
}
