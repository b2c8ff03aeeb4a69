/* Weights files: the built-in ones are valid; every damaged, cut or foreign file is refused with
 * the reason.
 */
#include "weights_file.h"

enum { PARTS = 11 };

static void refused(const char *reason, const char *what) {
    check(!reads(), "%s is read", what);
    check(strstr(file.fault.text, reason) != NULL, "%s: \"%s\" and not \"%s\"", what,
          file.fault.text, reason);
}

static void carried_files(void) {
    check(crc32_of(0, "123456789", 9) == 0xcbf43926, "the CRC-32 of its catalogue");
    check(crc32_of(crc32_of(0, "1234", 4), "56789", 5) == 0xcbf43926, "in two parts");
    for (int i = 0; i < RULE_COUNT; i++) {
        take_builtin(RULES[i]);
        check(reads(), "rule %d: %s", RULES[i], file.fault.text);
        const Weights *w = &file.weights;
        check(w->rule == RULES[i] && w->checksum == header()->checksum, "rule %d: head", RULES[i]);
        check((w->codes[BLACK] != w->codes[WHITE]) == (RULES[i] == RULE_RENJU), "rule %d: laws",
              RULES[i]);
        check(w->network && w->policy, "rule %d: networks", RULES[i]);
        check(!w->captures == !rules_traits(RULES[i])->captures, "rule %d: captures", RULES[i]);
    }
}

/* --- damage ------------------------------------------------------------------------------ */

/* Damages each byte of the header and some others, one after the other. */
static void damaged_bytes(Rule rule) {
    take_builtin(rule);
    for (size_t i = 0; i < file.size; i += i < sizeof(WeightsHeader) ? 1 : 1009) {
        file.at[i] ^= 0x10;
        check(!reads() && file.fault.text[0], "rule %d: byte %zu is damaged", rule, i);
        file.at[i] ^= 0x10;
    }
    check(reads(), "and whole again");
}

static void foreign_header(void) {
    struct {
        u32 *field;
        u32 value;
        const char *reason;
    } cases[] = {
        {&header()->format, WEIGHTS_FORMAT + 1, "format 10, this program reads 9"},
        {&header()->architecture, 0xabad1dea, "architecture 0xabad1dea, this program has 0x"},
        {&header()->rule, 2, "rule 2 is unknown"},
        {&header()->rule, RULE_RENJU, "1 laws, rule 4 has 2"},
        {&header()->rule, RULE_NINUKI, "it lacks the worth of captures"},
        {&header()->laws, 2, "2 laws, rule 0 has 1"},
        {&header()->laws, 0, "0 laws, rule 0 has 1"},
        {&header()->codes.offset, 192, "codes begins at 192, not at 128"},
        {&header()->codes.bytes, 100, "codes has 100 bytes, not "},
        {&header()->scores.offset, 64, "scores begins at 64, not at "},
        {&header()->captures.bytes, 2, "captures has 2 bytes, not "},
        {&header()->squares.bytes, 0, "squares has 0 bytes, not "},
        {&header()->network.offset, 0xffffffc0, "network begins at 4294967232, not at "},
        {&header()->shapes.offset, 0, "shapes begins at 0, not at "},
        {&header()->policy.bytes, 0xffffffff, "policy has 4294967295 bytes, not "},
        {&header()->lines.bytes, 64, "lines has 64 bytes, not "},
        {&header()->lines.offset, 64, "lines has 0 bytes, not "},
        {&header()->recent.bytes, 64, "recent has 64 bytes, not "},
        {&header()->recent_layer.offset, 64, "recent_layer has 0 bytes, not "},
        {&header()->reserved[0], 1, "the header has more fields than are known"},
        {&header()->reserved[3], 1, "the header has more fields than are known"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        take_plain(RULE_FREESTYLE);
        *cases[i].field = cases[i].value;
        seal();
        refused(cases[i].reason, cases[i].reason);
    }
    take_plain(RULE_FREESTYLE);
    header()->bytes -= 64;
    refused("too long: ", "another size");
    take_plain(RULE_FREESTYLE);
    header()->checksum ^= 1;
    refused("damaged: its checksum is ", "another checksum");
    take_plain(RULE_FREESTYLE);
    header()->magic ^= 1;
    refused("not a weights file", "another magic");
    take_plain(RULE_NINUKI);
    header()->rule = RULE_FREESTYLE;
    seal();
    refused("it has the worth of captures, but its rule has no captures",
            "ninuki's as freestyle's");
}

/* Removes a part with its bytes. */
static void drop(WeightsPart *part) {
    const u32 from = part->offset, gap = (part->bytes + 63) / 64 * 64;
    memmove(file.at + from, file.at + from + gap, file.size - from - gap);
    file.size -= gap;
    *part = (WeightsPart){0, 0};
    WeightsPart *all = &header()->codes;
    for (int i = 0; i < PARTS; i++)
        if (all[i].offset > from) all[i].offset -= gap;
}

static void missing_parts(void) {
    const struct {
        int part, other; /* -1: none */
        const char *reason;
    } cases[] = {
        {0, -1, "it lacks the tables"},
        {1, -1, "it lacks the tables"},
        {2, -1, "it lacks the worth of captures"},
        {3, -1, "it has only a part of the network"},
        {4, -1, "it has only a part of the network"},
        {5, -1, "it has only a part of the policy"},
        {6, -1, "it has only a part of the policy"},
        {3, 4, "it has a policy without a network"},
        {5, 6, NULL},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        take_plain(RULE_NINUKI);
        drop(&header()->codes + cases[i].part);
        if (cases[i].other >= 0) drop(&header()->codes + cases[i].other);
        seal();
        if (cases[i].reason)
            refused(cases[i].reason, cases[i].reason);
        else
            check(reads() && !file.weights.policy, "no policy: %s", file.fault.text);
    }
    drop(&header()->squares);
    drop(&header()->network);
    seal();
    check(reads() && !file.weights.network, "no network: %s", file.fault.text);
}

/* A file has lines or none, and both parts of the last stones or none. */
static void missing_additions(void) {
    const struct {
        void (*take)(Rule);
        int part, other;
        const char *reason;
    } cases[] = {
        {take_with_lines, 3, 4, "it has lines without a network"},
        {take_with_lines, 7, -1, NULL},
        {take_with_recent, 8, -1, "it has only a part of the last stones"},
        {take_with_recent, 9, -1, "it has only a part of the last stones"},
        {take_with_recent, 3, 4, "it has the last stones without a network"},
        {take_with_recent, 8, 9, NULL},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        cases[i].take(RULE_FREESTYLE);
        drop(&header()->shapes);
        drop(&header()->policy);
        drop(&header()->codes + cases[i].part);
        if (cases[i].other >= 0) drop(&header()->codes + cases[i].other);
        seal();
        if (cases[i].reason)
            refused(cases[i].reason, cases[i].reason);
        else
            check(reads() && !file.weights.lines[BLACK] && !file.weights.recent_layer,
                  "no additions: %s", file.fault.text);
    }
}

/* Cuts at every boundary, one byte before and after it, with the old header and with a matching
 * one. */
static void cut_short(Rule rule) {
    take_builtin(rule);
    size_t ends[2 * PARTS + 1] = {sizeof(WeightsHeader)};
    int count = 1;
    for (int i = 0; i < PARTS; i++) {
        const WeightsPart part = (&header()->codes)[i];
        ends[count++] = part.offset;
        ends[count++] = part.offset + part.bytes;
    }
    for (int i = 0; i < 3 * count; i++) {
        take_builtin(rule);
        const size_t whole = file.size, size = ends[i / 3] + (size_t)(i % 3) - 1;
        if (size >= whole) continue;
        file.size = size;
        refused(size < 8 || size > whole ? "not a weights" : "cut short: ", "a cut file");
        if (size < sizeof(WeightsHeader)) continue;
        seal();
        check(!reads(), "rule %d: cut at %zu with a header that says so", rule, size);
    }
    take_builtin(rule);
    file.size += 64;
    memset(file.at + file.size - 64, 0, 64);
    refused("too long: ", "a file with more behind it");
    seal();
    refused("its parts end at ", "a file with a header that says so");
    file.size = 0;
    refused("not a weights file", "an empty file");
}

/* --- numbers ----------------------------------------------------------------------------- */

/* The first and the last number of each field are accepted at their bounds and refused beyond. */
#define BOUND(part, type, struct_of, field, scalar, least, most)                                   \
    BOUND_OF(take_ninuki, part, type, struct_of, field, scalar, least, most)
#define BOUND_OF(take, part, type, struct_of, field, scalar, least, most)                          \
    bound(take, part, offsetof(WeightsHeader, type), offsetof(struct_of, field),                   \
          sizeof(((struct_of *)0)->field), sizeof(scalar), least, most)

static void put_number(u8 *at, size_t size, int64_t v) {
    memcpy(at, &v, size); /* little-endian */
}

static void take_ninuki(void) {
    take_plain(RULE_NINUKI);
}

static void take_renju_with_lines(void) {
    take_with_lines(RULE_RENJU);
}

static void take_renju_with_recent(void) {
    take_with_recent(RULE_RENJU);
}

static void bound(void (*take)(void), const char *reason, size_t part, size_t field, size_t bytes,
                  size_t size, int64_t least, int64_t most) {
    for (int last = 0; last < 2; last++)
        for (int beyond = 0; beyond < 2; beyond++)
            for (int high = 0; high < 2; high++) {
                take();
                const WeightsPart *p = (const WeightsPart *)(file.at + part);
                u8 *at = file.at + p->offset + field + (last ? bytes - size : 0);
                put_number(at, size, high ? most + beyond : least - beyond);
                seal();
                if (beyond)
                    refused(reason, reason);
                else
                    check(reads(), "%s at its bound: %s", reason, file.fault.text);
            }
}

static void bounded_numbers(void) {
    const int move = MOVE_WEIGHT_MAX, score = SCORE_WEIGHT_MAX, weight = NET_WEIGHT_MAX;
    const int products = NET_PRODUCTS_MAX;
    BOUND("codes.value: ", codes, CodeTables, value, u16, 0, VALUE_MAX);
    BOUND("codes.attack: ", codes, CodeTables, attack, u16, -move, move);
    BOUND("codes.defence: ", codes, CodeTables, defence, u16, -move, move);
    BOUND("scores.threat: ", scores, ScoreTables, threat, u16, -score, score);
    BOUND("scores.count: ", scores, ScoreTables, count, u16, -score, score);
    BOUND("scores.near: ", scores, ScoreTables, near, u16, -score, score);
    BOUND("captures: ", captures, CaptureWeights, side, u16, -move, move);
    BOUND("captures: ", captures, CaptureWeights, danger, u16, -move, move);
    BOUND("squares.code: ", squares, NetSquares, code, u8, -NET_SQUARE_MAX, NET_SQUARE_MAX);
    BOUND("network.factor", network, Network, factor[0], u16, -NET_FACTOR_MAX, NET_FACTOR_MAX);
    BOUND("neighbours: ", network, Network, factor[1], u16, -NET_RING_MAX, NET_RING_MAX);
    BOUND("neighbours: ", network, Network, factor[2], u16, -NET_RING_MAX, NET_RING_MAX);
    BOUND("network.bias: ", network, Network, bias, u16, -NET_BIAS_MAX, NET_BIAS_MAX);
    BOUND("network.hidden: ", network, Network, hidden, u16, -weight, weight);
    BOUND("network.hidden_bias: ", network, Network, hidden_bias, u32, -products, products);
    BOUND("network.out: ", network, Network, out, u16, -weight, weight);
    BOUND("network.out_bias: ", network, Network, out_bias, u32, -products, products);
    BOUND("shapes.made: ", shapes, PolicyShapes, made, u16, -weight, weight);
    BOUND("shapes.denied: ", shapes, PolicyShapes, denied, u16, -weight, weight);
    BOUND("policy.near: ", policy, Policy, near, u16, -weight, weight);
    BOUND("policy.around: ", policy, Policy, around, u16, -weight, weight);
    BOUND("policy.position: ", policy, Policy, position, u16, -weight, weight);
    BOUND("policy.bias: ", policy, Policy, bias, u32, -products, products);
    BOUND("policy.out: ", policy, Policy, out, u16, -weight, weight);
    BOUND("policy.scale: ", policy, Policy, scale, u32, 0, POLICY_SCALE_MAX);
    BOUND_OF(take_renju_with_lines, "lines.row: ", lines, NetLines, row, u8, -NET_LINE_MAX,
             NET_LINE_MAX);
    BOUND_OF(take_renju_with_recent, "recent.row: ", recent, NetRecent, row, u8, -NET_RECENT_MAX,
             NET_RECENT_MAX);
    BOUND_OF(take_renju_with_recent, "recent_layer.hidden: ", recent_layer, NetRecentLayer, hidden,
             u16, -weight, weight);
    BOUND_OF(take_renju_with_recent, "recent_layer.absent: ", recent_layer, NetRecentLayer, absent,
             u32, -NET_ABSENT_MAX, NET_ABSENT_MAX);
}

int main(void) {
    if (!make_room()) return 1;
    carried_files();
    damaged_bytes(RULE_FREESTYLE);
    damaged_bytes(RULE_RENJU);
    foreign_header();
    missing_parts();
    missing_additions();
    for (int i = 0; i < RULE_COUNT; i++) cut_short(RULES[i]);
    bounded_numbers();
    platform_free(file.at, file.room);
    return checks_done();
}
