#include "eval/weights.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/crc32.h"
#include "rules/traits.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a weights file is used as it lies");
_Static_assert(sizeof(WeightsHeader) == 128, "the header fills two lines");

static bool wrong(WeightsFault *fault, const char *form, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(WeightsFault *fault, const char *form, ...) {
    va_list arguments;
    va_start(arguments, form);
    vsnprintf(fault->text, sizeof fault->text, form, arguments);
    va_end(arguments);
    return false;
}

/* --- the header -------------------------------------------------------------------------- */

static u32 checksum_of(WeightsBytes file) {
    WeightsHeader header;
    memcpy(&header, file.at, sizeof header);
    header.checksum = 0;
    const u32 crc = crc32_of(0, &header, sizeof header);
    return crc32_of(crc, file.at + sizeof header, file.size - sizeof header);
}

/* Tells a file of a newer or older program from a damaged one. */
static bool check_whole(WeightsBytes file, WeightsFault *fault) {
    const WeightsHeader *h = (const WeightsHeader *)file.at;
    const u64 magic = WEIGHTS_MAGIC;
    if (file.size < sizeof magic || memcmp(file.at, &magic, sizeof magic) != 0)
        return wrong(fault, "not a weights file");
    if (file.size < sizeof *h)
        return wrong(fault, "cut short: %u bytes of a header of %u", (unsigned)file.size,
                     (unsigned)sizeof *h);
    if (h->format != WEIGHTS_FORMAT)
        return wrong(fault, "format %" PRIu32 ", this program reads %d", h->format, WEIGHTS_FORMAT);
    if (h->architecture != WEIGHTS_ARCHITECTURE)
        return wrong(fault, "architecture 0x%08" PRIx32 ", this program has 0x%08x",
                     h->architecture, WEIGHTS_ARCHITECTURE);
    if (h->bytes != file.size)
        return wrong(fault, "%s: %" PRIu64 " bytes of %" PRIu32,
                     file.size < h->bytes ? "cut short" : "too long", (u64)file.size, h->bytes);
    const u32 checksum = checksum_of(file);
    if (h->checksum != checksum)
        return wrong(fault,
                     "damaged: its checksum is 0x%08" PRIx32 ", the header says 0x%08" PRIx32,
                     checksum, h->checksum);
    for (size_t i = 0; i < sizeof h->reserved / sizeof *h->reserved; i++)
        if (h->reserved[i]) return wrong(fault, "the header has more fields than are known");
    return true;
}

/* --- the parts --------------------------------------------------------------------------- */

/* Reads the parts one after the other; the header has the size of the file in 32 bits. */
typedef struct {
    const u8 *file;
    u32 size, next; /* where the next part must begin */
    WeightsFault *fault;
} Reader;

/* Sets *at to NULL if the file has no such part. */
static bool take(Reader *r, const char *name, const WeightsPart *part, size_t size,
                 const void **at) {
    const u32 bytes = (u32)size;
    *at = NULL;
    if (part->offset == 0 && part->bytes == 0) return true;
    if (part->bytes != bytes)
        return wrong(r->fault, "%s has %" PRIu32 " bytes, not %" PRIu32, name, part->bytes, bytes);
    if (part->offset != r->next)
        return wrong(r->fault, "%s begins at %" PRIu32 ", not at %" PRIu32, name, part->offset,
                     r->next);
    if (r->next > r->size || bytes > r->size - r->next)
        return wrong(r->fault, "%s ends beyond the file's %" PRIu32 " bytes", name, r->size);
    *at = r->file + r->next;
    r->next += (bytes + WEIGHTS_ALIGN - 1) / WEIGHTS_ALIGN * WEIGHTS_ALIGN;
    return true;
}

/* Checks which parts exist. by_law: those of each law, in the order codes, squares, shapes, lines,
 * recent. */
static bool check_presence(const Weights *w, const void *const by_law[5], WeightsFault *fault) {
    const bool captures = rules_traits(w->rule)->captures;
    if (!by_law[0] || !w->scores) return wrong(fault, "it lacks the tables");
    if (captures && !w->captures) return wrong(fault, "it lacks the worth of captures");
    if (!captures && w->captures)
        return wrong(fault, "it has the worth of captures, but its rule has no captures");
    if (!by_law[1] != !w->network) return wrong(fault, "it has only a part of the network");
    if (!by_law[2] != !w->policy) return wrong(fault, "it has only a part of the policy");
    if (w->policy && !w->network) return wrong(fault, "it has a policy without a network");
    if (by_law[3] && !w->network) return wrong(fault, "it has lines without a network");
    if (!by_law[4] != !w->recent_layer)
        return wrong(fault, "it has only a part of the last stones");
    if (w->recent_layer && !w->network)
        return wrong(fault, "it has the last stones without a network");
    return true;
}

/* The part's struct for a colour. */
static const void *of_law(const void *part, size_t size, size_t law) {
    return part ? (const u8 *)part + size * law : NULL;
}

static bool take_parts(Weights *out, WeightsBytes file, WeightsFault *fault) {
    const WeightsHeader *h = (const WeightsHeader *)file.at;
    const size_t laws = h->laws;
    const void *by_law[5], *scores, *captures, *network, *policy, *recent_layer;
    Reader r = {file.at, h->bytes, sizeof *h, fault};
    if (!take(&r, "codes", &h->codes, laws * sizeof(CodeTables), &by_law[0]) ||
        !take(&r, "scores", &h->scores, sizeof(ScoreTables), &scores) ||
        !take(&r, "captures", &h->captures, sizeof(CaptureWeights), &captures) ||
        !take(&r, "squares", &h->squares, laws * sizeof(NetSquares), &by_law[1]) ||
        !take(&r, "network", &h->network, sizeof(Network), &network) ||
        !take(&r, "shapes", &h->shapes, laws * sizeof(PolicyShapes), &by_law[2]) ||
        !take(&r, "policy", &h->policy, sizeof(Policy), &policy) ||
        !take(&r, "lines", &h->lines, laws * sizeof(NetLines), &by_law[3]) ||
        !take(&r, "recent", &h->recent, laws * sizeof(NetRecent), &by_law[4]) ||
        !take(&r, "recent_layer", &h->recent_layer, sizeof(NetRecentLayer), &recent_layer))
        return false;
    if (r.next != r.size)
        return wrong(fault, "its parts end at %" PRIu32 " bytes of %" PRIu32, r.next, r.size);
    *out = (Weights){.rule = (Rule)h->rule,
                     .checksum = h->checksum,
                     .scores = scores,
                     .captures = captures,
                     .network = network,
                     .policy = policy,
                     .recent_layer = recent_layer};
    for (size_t c = 0; c < COLORS; c++) {
        const size_t law = laws == COLORS ? c : 0;
        out->codes[c] = of_law(by_law[0], sizeof(CodeTables), law);
        out->squares[c] = of_law(by_law[1], sizeof(NetSquares), law);
        out->shapes[c] = of_law(by_law[2], sizeof(PolicyShapes), law);
        out->lines[c] = of_law(by_law[3], sizeof(NetLines), law);
        out->recent[c] = of_law(by_law[4], sizeof(NetRecent), law);
    }
    return check_presence(out, by_law, fault);
}

/* --- the numbers ------------------------------------------------------------------------- */

static bool beyond(WeightsFault *fault, const char *name, size_t i, int v, int bound) {
    return wrong(fault, "%s: number %" PRIu32 " is %d, beyond %d", name, (u32)i, v, bound);
}

/* Whether some numbers are within bounds. gcc vectorises the first loop. */
#define DEFINE_WITHIN(type)                                                                        \
    static bool within_##type(const char *name, const void *array, size_t bytes, int low,          \
                              int high, WeightsFault *fault) {                                     \
        const type *at = array;                                                                    \
        const size_t count = bytes / sizeof *at;                                                   \
        bool all = true;                                                                           \
        for (size_t i = 0; i < count; i++) all &= at[i] >= low && at[i] <= high;                   \
        for (size_t i = 0; !all && i < count; i++)                                                 \
            if (at[i] < low || at[i] > high)                                                       \
                return beyond(fault, name, i, at[i], at[i] < low ? low : high);                    \
        return true;                                                                               \
    }
DEFINE_WITHIN(int8_t)
DEFINE_WITHIN(int16_t)
DEFINE_WITHIN(uint16_t)
DEFINE_WITHIN(int32_t)

/* Checks the numbers of a part's fields against the bounds in the header of its struct. */
#define FIELD(part, pointer, field, type, most)                                                    \
    within_##type(part "." #field, &(pointer)->field, sizeof(pointer)->field, -(most), most, fault)

static bool check_tables(const Weights *w, WeightsFault *fault) {
    for (int c = 0; c < COLORS; c++) {
        const CodeTables *t = w->codes[c];
        if (!within_uint16_t("codes.value", t->value, sizeof t->value, 0, VALUE_MAX, fault) ||
            !FIELD("codes", t, attack, int16_t, MOVE_WEIGHT_MAX) ||
            !FIELD("codes", t, defence, int16_t, MOVE_WEIGHT_MAX))
            return false;
    }
    return FIELD("scores", w->scores, threat, int16_t, SCORE_WEIGHT_MAX) &&
           FIELD("scores", w->scores, count, int16_t, SCORE_WEIGHT_MAX) &&
           FIELD("scores", w->scores, near, int16_t, SCORE_WEIGHT_MAX) &&
           (!w->captures || within_int16_t("captures", w->captures, sizeof *w->captures,
                                           -MOVE_WEIGHT_MAX, MOVE_WEIGHT_MAX, fault));
}

static bool check_network(const Weights *w, WeightsFault *fault) {
    const Network *n = w->network;
    for (int c = 0; c < COLORS; c++)
        if (!FIELD("squares", w->squares[c], code, int8_t, NET_SQUARE_MAX)) return false;
    return FIELD("network", n, factor, int16_t, NET_FACTOR_MAX) &&
           within_int16_t("network.factor of the neighbours", &n->factor[1],
                          sizeof n->factor - sizeof n->factor[0], -NET_RING_MAX, NET_RING_MAX,
                          fault) &&
           FIELD("network", n, bias, int16_t, NET_BIAS_MAX) &&
           FIELD("network", n, hidden, int16_t, NET_WEIGHT_MAX) &&
           FIELD("network", n, hidden_bias, int32_t, NET_PRODUCTS_MAX) &&
           FIELD("network", n, out, int16_t, NET_WEIGHT_MAX) &&
           FIELD("network", n, out_bias, int32_t, NET_PRODUCTS_MAX);
}

static bool check_lines(const Weights *w, WeightsFault *fault) {
    for (int c = 0; c < COLORS; c++)
        if (!FIELD("lines", w->lines[c], row, int8_t, NET_LINE_MAX)) return false;
    return true;
}

static bool check_recent(const Weights *w, WeightsFault *fault) {
    for (int c = 0; c < COLORS; c++)
        if (!FIELD("recent", w->recent[c], row, int8_t, NET_RECENT_MAX)) return false;
    return FIELD("recent_layer", w->recent_layer, hidden, int16_t, NET_WEIGHT_MAX) &&
           FIELD("recent_layer", w->recent_layer, absent, int32_t, NET_ABSENT_MAX);
}

static bool check_policy(const Weights *w, WeightsFault *fault) {
    const Policy *p = w->policy;
    for (int c = 0; c < COLORS; c++)
        if (!FIELD("shapes", w->shapes[c], made, int16_t, NET_WEIGHT_MAX) ||
            !FIELD("shapes", w->shapes[c], denied, int16_t, NET_WEIGHT_MAX))
            return false;
    return FIELD("policy", p, near, int16_t, NET_WEIGHT_MAX) &&
           FIELD("policy", p, around, int16_t, NET_WEIGHT_MAX) &&
           FIELD("policy", p, position, int16_t, NET_WEIGHT_MAX) &&
           FIELD("policy", p, bias, int32_t, NET_PRODUCTS_MAX) &&
           FIELD("policy", p, out, int16_t, NET_WEIGHT_MAX) &&
           within_int32_t("policy.scale", &p->scale, sizeof p->scale, 0, POLICY_SCALE_MAX, fault);
}

bool weights_read(Weights *out, WeightsBytes file, WeightsFault *fault) {
    ASSERT((uintptr_t)file.at % WEIGHTS_ALIGN == 0);
    if (!check_whole(file, fault)) return false;
    const WeightsHeader *h = (const WeightsHeader *)file.at;
    if (!is_rule(h->rule)) return wrong(fault, "rule %" PRIu32 " is unknown", h->rule);
    const u32 laws = (u32)traits_laws(rules_traits((Rule)h->rule));
    if (h->laws != laws)
        return wrong(fault, "%" PRIu32 " laws, rule %" PRIu32 " has %" PRIu32, h->laws, h->rule,
                     laws);
    return take_parts(out, file, fault) && check_tables(out, fault) &&
           (!out->network || check_network(out, fault)) &&
           (!out->policy || check_policy(out, fault)) &&
           (!out->lines[BLACK] || check_lines(out, fault)) &&
           (!out->recent_layer || check_recent(out, fault));
}

/* --- those of the program ---------------------------------------------------------------- */

#define DEFINE(name) static WeightsBytes lent_##name;
FOR_EACH_RULE(DEFINE)
#undef DEFINE

static WeightsBytes *lent_to(Rule rule) {
    switch (rule) {
#define CASE(name)                                                                                 \
    case RULE_##name:                                                                              \
        return &lent_##name;
        FOR_EACH_RULE(CASE)
#undef CASE
    }
    ASSERT(false);
    return NULL;
}

WeightsBytes weights_builtin(Rule rule) {
    const WeightsBytes own = embedded_weights(rule);
    return own.at ? own : *lent_to(rule);
}

void weights_lend(Rule rule, WeightsBytes file) {
    *lent_to(rule) = file;
}
