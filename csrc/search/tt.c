#include "search/tt.h"

#include <string.h>

#include "base/platform.h"

enum { SLOTS = 4, SAMPLE_BUCKETS = 250 };
enum { SCORE_AT = 10, EVAL_AT = 26, DEPTH_AT = 42, BOUND_AT = 50, AGE_AT = 52 };
enum { NO_MOVE_BITS = 1023 };

static size_t bytes_of(const Table *t) {
    return t->buckets * SLOTS * sizeof(TableSlot);
}

bool tt_init(Table *t, int64_t kib) {
    const int64_t floor = kib < TT_FLOOR_KIB ? kib : TT_FLOOR_KIB;
    t->age = 0;
    for (;; kib = kib / 2 > floor ? kib / 2 : floor) {
        t->buckets = (size_t)kib * 1024 / (SLOTS * sizeof(TableSlot));
        t->slot = platform_alloc(bytes_of(t));
        if (t->slot) return true;
        t->buckets = 0;
        if (kib == floor) return false;
    }
}

void tt_prefer_huge_pages(Table *t) {
    enum { LEAST_BYTES = 32 << 20 };
    if (bytes_of(t) >= LEAST_BYTES) platform_prefer_huge_pages(t->slot, bytes_of(t));
}

int64_t tt_kib(const Table *t) {
    return (int64_t)(bytes_of(t) / 1024);
}

void tt_free(Table *t) {
    platform_free(t->slot, bytes_of(t));
    t->slot = NULL;
    t->buckets = 0;
}

void tt_clear(Table *t) {
    if (t->slot) memset(t->slot, 0, bytes_of(t));
    t->age = 0;
}

void tt_new_search(Table *t) {
    t->age++;
}

static TableSlot *bucket_of(const Table *t, u64 key) {
    return &t->slot[(size_t)(((unsigned __int128)key * t->buckets) >> 64) * SLOTS];
}

static u64 pack(const TableEntry *e, u8 age) {
    const u64 move = e->move == NO_CELL ? (u64)NO_MOVE_BITS : (u64)e->move;
    return move | (u64)(u16)e->score << SCORE_AT | (u64)(u16)e->eval << EVAL_AT |
           (u64)(u8)e->depth << DEPTH_AT | (u64)e->bound << BOUND_AT | (u64)age << AGE_AT;
}

static int data_depth(u64 data) {
    return (int)(data >> DEPTH_AT & 255);
}

static u8 data_age(u64 data) {
    return (u8)(data >> AGE_AT);
}

bool tt_probe(const Table *t, u64 key, TableEntry *out) {
    TableSlot *slot = bucket_of(t, key);
    for (int i = 0; i < SLOTS; i++) {
        const u64 data = atomic_load_explicit(&slot[i].data, memory_order_relaxed);
        const u64 check = atomic_load_explicit(&slot[i].check, memory_order_relaxed);
        if ((check ^ data) != key || data == 0) continue;
        const u32 move = data & NO_MOVE_BITS;
        out->move = move == NO_MOVE_BITS ? (Cell)NO_CELL : (Cell)move;
        out->score = (int16_t)(data >> SCORE_AT);
        out->eval = (int16_t)(data >> EVAL_AT);
        out->depth = data_depth(data);
        out->bound = (Bound)(data >> BOUND_AT & 3);
        return true;
    }
    return false;
}

/* The replacement order: the slot with the lowest value is replaced, so deep and recent entries
 * stay. */
static int keep_value(const Table *t, u64 data) {
    return data == 0 ? -100000 : data_depth(data) - 8 * (u8)(t->age - data_age(data));
}

void tt_store(Table *t, u64 key, const TableEntry *e) {
    TableSlot *slot = bucket_of(t, key), *to = slot;
    TableEntry new = *e;
    int least = 1 << 30;
    for (int i = 0; i < SLOTS; i++) {
        const u64 data = atomic_load_explicit(&slot[i].data, memory_order_relaxed);
        const u64 check = atomic_load_explicit(&slot[i].check, memory_order_relaxed);
        if ((check ^ data) == key) {
            /* the same position: a much shallower bound must not replace a deeper one */
            if (e->bound != BOUND_EXACT && e->depth + 3 < data_depth(data) &&
                data_age(data) == t->age)
                return;
            const u32 move = data & NO_MOVE_BITS;
            if (new.move == NO_CELL && move != NO_MOVE_BITS) new.move = (Cell)move;
            to = &slot[i];
            break;
        }
        const int w = keep_value(t, data);
        if (w < least) {
            least = w;
            to = &slot[i];
        }
    }
    const u64 data = pack(&new, t->age);
    atomic_store_explicit(&to->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&to->data, data, memory_order_relaxed);
}

int tt_permille(const Table *t) {
    const size_t n = t->buckets < SAMPLE_BUCKETS ? t->buckets : SAMPLE_BUCKETS;
    int used = 0;
    for (size_t i = 0; i < n * SLOTS; i++) {
        const u64 data = atomic_load_explicit(&t->slot[i].data, memory_order_relaxed);
        used += data != 0 && data_age(data) == t->age;
    }
    return n ? (int)((size_t)used * 1000 / (n * SLOTS)) : 0;
}
