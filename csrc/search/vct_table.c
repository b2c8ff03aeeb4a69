#include "search/vct_table.h"

enum {
    BUCKET = 4,
    MOST_TRIES = 12,
    UNKNOWN_PROOF = 8 /* after the first try that ran out of nodes */
};

bool vct_attacking(const Vct *v) {
    return v->ply % 2 == 0;
}

/* In the keys of positions with the defender to move: the same position with the attacker to move
 * is another question. So is a wide search, until it has found a win. */
static const u64 DEFENDER = 0x9e3779b97f4a7c15, WIDE = 0xc2b2ae3d27d4eb4f;

u64 vct_key_here(const Vct *v) {
    return v->pos->board.key ^ (vct_attacking(v) ? 0 : DEFENDER);
}

u64 vct_key_after(const Vct *v, Cell c) {
    return position_key_after(v->pos, c) ^ (vct_attacking(v) ? DEFENDER : 0);
}

bool vct_is_proved(const VctEntry *e) {
    return e->proof == 0;
}

static VctEntry *find_one(Vct *v, u64 key) {
    VctEntry *bucket = &v->entry[key & (VCT_SLOTS - BUCKET)];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key && bucket[i].age &&
            (bucket[i].age == v->age || vct_is_proved(&bucket[i]))) {
            bucket[i].age = v->age; /* an old proof that is read stays longer */
            return &bucket[i];
        }
    return NULL;
}

VctEntry *vct_find(Vct *v, u64 key) {
    VctEntry *e = find_one(v, key);
    return v->is_wide && !(e && vct_is_proved(e)) ? find_one(v, key ^ WIDE) : e;
}

VctEntry *vct_slot_for(Vct *v, u64 key) {
    VctEntry *to = find_one(v, key);
    if (to) return to;
    VctEntry *bucket = &v->entry[key & (VCT_SLOTS - BUCKET)];
    to = bucket;
    for (int i = 0; i < BUCKET && to->age == v->age; i++)
        if (bucket[i].age != v->age || bucket[i].work < to->work) to = &bucket[i];
    *to = (VctEntry){.key = key, .age = v->age};
    return to;
}

int64_t vct_nodes_of_try(int64_t first, int tries) {
    return first << (2 * (tries < MOST_TRIES ? tries : MOST_TRIES));
}

void vct_add_work(VctEntry *e, int64_t work) {
    e->work = e->work + work < UINT32_MAX ? e->work + (u32)work : UINT32_MAX;
}

void vct_store(Vct *v, u32 proof, u32 disproof, int64_t work) {
    VctEntry *to = vct_slot_for(v, vct_key_here(v) ^ (v->is_wide && proof ? WIDE : 0));
    to->proof = proof;
    to->disproof = disproof;
    to->tries = v->frame[v->ply].tries;
    vct_add_work(to, work);
}

void vct_store_settled(Vct *v, VctStand s, int64_t work) {
    if (s == VCT_UNKNOWN)
        vct_store(v, (u32)vct_nodes_of_try(UNKNOWN_PROOF, v->frame[v->ply].tries), 1, work);
    else
        vct_store(v, s == VCT_WON ? 0 : VCT_ENDLESS, s == VCT_WON ? VCT_ENDLESS : 0, work);
}
