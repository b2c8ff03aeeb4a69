#include "search/vct.h"

#include <string.h>

#include "search/vct_dfpn.h"
#include "search/vct_table.h"
#include "search/vct_walk.h"

enum { TURN = 1 << 14 /* nodes of the first turn */ };

static int64_t sum_of(int64_t a, int64_t b) {
    return a > INT64_MAX / 2 - b ? INT64_MAX / 2 : a + b;
}

static void new_age(Vct *v) {
    if (++v->age) return;
    memset(v->entry, 0, sizeof v->entry); /* every 65,536 calls */
    v->age = 1;
}

/* Works on the root until it is settled or the nodes of the turn are spent. */
static VctStand work_turn(Vct *v) {
    const int64_t most = v->max_nodes, before = v->nodes;
    if (v->left < most - v->nodes) v->max_nodes = v->nodes + v->left;
    const VctEntry *root;
    while ((root = vct_find(v, vct_key_here(v))) == NULL ||
           (root->proof != 0 && root->disproof != 0)) {
        vct_work_on(v, VCT_ENDLESS, VCT_ENDLESS);
        if (v->cut) break;
    }
    root = vct_find(v, vct_key_here(v));
    v->max_nodes = most;
    v->left -= v->nodes - before;
    v->cut = v->budget->over || v->nodes >= most;
    if (!root || (root->proof != 0 && root->disproof != 0)) return VCT_OPEN;
    return vct_is_proved(root) ? VCT_WON : VCT_FAILED;
}

static void next_turn(Vct *v) {
    if (v->is_wide && v->turn < INT64_MAX / 4) v->turn *= 2;
    v->is_wide = v->narrow_failed || !v->is_wide;
    v->left = v->turn;
}

/* The narrow and the wide search take turns, which grow. */
static VctStand work_in_turns(Vct *v) {
    while (!v->cut) {
        const VctStand s = work_turn(v);
        if (s == VCT_WON || (s == VCT_FAILED && v->is_wide)) return s;
        v->narrow_failed |= s == VCT_FAILED;
        if (s == VCT_FAILED || v->left <= 0) next_turn(v);
    }
    return VCT_OPEN;
}

/* A further call for the same position goes on where the last one ended. */
static void start(Vct *v) {
    if (v->root == vct_key_here(v) && v->answer != VCT_WIN && v->turn > 0) return;
    new_age(v);
    v->root = vct_key_here(v);
    v->answer = VCT_NOT_FOUND;
    v->shallow = v->is_wide = v->narrow_failed = false;
    v->turn = v->left = TURN;
}

/* Checks the win and writes its line. As many nodes again as for the search are for the walk, and
 * as many for the line. */
static int walk_through(Vct *v, int64_t more) {
    const int64_t most = v->max_nodes;
    const bool was_wide = v->is_wide;
    v->cut = v->budget->over;
    v->is_wide = true; /* the win may hold parts that an earlier call has found */
    v->max_nodes = sum_of(v->nodes, more);
    const int plies = vct_walk(v);
    v->max_nodes = sum_of(v->nodes, more);
    if (plies) vct_follow(v);
    v->is_wide = was_wide;
    v->cut |= v->nodes >= most;
    v->max_nodes = most;
    return plies;
}

int vct_search(Vct *v, Position *p, Budget *budget, int64_t max_nodes) {
    v->pos = p;
    v->budget = budget;
    v->nodes = 0;
    v->max_nodes = max_nodes;
    v->ply = v->length = 0;
    v->standing = v->eval ? eval_without_network(v->eval, p) : 0;
    v->cut = false;
    start(v);
    if (v->answer == VCT_NO_WIN) return 0;
    int plies = 0;
    while (!plies && !v->cut) { /* a win that does not hold is searched again */
        const VctStand s = work_in_turns(v);
        if (s == VCT_FAILED && !v->shallow) v->answer = VCT_NO_WIN;
        if (s != VCT_WON) return 0;
        plies = walk_through(v, max_nodes);
    }
    if (plies) v->answer = VCT_WIN;
    return plies;
}
