/* weights.h - the trained numbers of a rule, and the file that holds them.
 *
 *   RULE.tgw:  WeightsHeader | codes | scores | captures | squares | network | shapes | policy |
 *               lines | recent | recent_layer
 *
 * Each part is the struct of its name, from a multiple of WEIGHTS_ALIGN bytes on, zeroes between:
 *
 *   codes     CodeTables, one for each law (tables.h)       always
 *   scores    ScoreTables (tables.h)                        always
 *   captures  CaptureWeights (captures.h)                   just for rules with captures
 *   squares   NetSquares, one for each law (nn/accumulator.h)      with a network
 *   network   Network (nn/value_net.h)                           or not: the tables are all then
 *   shapes    PolicyShapes, one for each law (nn/policy_net.h)     with a policy
 *   policy    Policy (nn/policy_net.h)                             or not; never without a network
 *   lines     NetLines, one for each law (nn/lines.h)       with lines, or not; never without a
 *                                                           network
 *   recent    NetRecent, one for each law (nn/recent.h)     with the last stones, or not; never
 *   recent_layer  NetRecentLayer (nn/value_net.h)                  without a network
 *
 * Laws: 1, or 2 where the colours have different ones. Numbers are little-endian, as every machine
 * that Tengen runs on has them, so a file is used where it lies. build_weights.py writes
 * such files. It reads the lines between the marks "layout" in this header and in those named
 * above, and keeps WEIGHTS_ARCHITECTURE right: the CRC-32 of the fields of all parts and of
 * the units of their numbers. A new meaning of the same fields raises WEIGHTS_FORMAT.
 */
#ifndef EVAL_WEIGHTS_H
#define EVAL_WEIGHTS_H

#include "eval/captures.h"
#include "eval/embedded.h"
#include "eval/nn/policy_net.h"

/* layout: begin */
#define WEIGHTS_MAGIC 0x0a1a0a0d57475489 /* as bytes: 0x89 "TGW" CR LF 0x1a LF */
#define WEIGHTS_ARCHITECTURE 0xc2f862f7u
enum { WEIGHTS_FORMAT = 9, WEIGHTS_ALIGN = 64 };

/* The start and the size of a part; both 0 if the file has none. */
typedef struct {
    uint32_t offset, bytes;
} WeightsPart;

typedef struct {
    uint64_t magic;
    uint32_t format, architecture;
    uint32_t rule, laws;
    uint32_t bytes;    /* of the whole file */
    uint32_t checksum; /* CRC-32 of the whole file, with these four bytes as zeroes */
    WeightsPart codes, scores, captures, squares, network, shapes, policy, lines, recent,
        recent_layer;
    uint32_t reserved[4]; /* zeroes */
} WeightsHeader;
/* layout: end */

/* The numbers of a rule, in place in a file's bytes, which must stay valid. By colour: the same
 * pointer twice if the colours have one law. */
typedef struct {
    Rule rule;
    u32 checksum;
    const CodeTables *codes[COLORS];
    const ScoreTables *scores;
    const CaptureWeights *captures; /* NULL: a rule without captures */
    const NetSquares *squares[COLORS];
    const Network *network; /* NULL: only the tables count */
    const PolicyShapes *shapes[COLORS];
    const Policy *policy;          /* NULL, as without a network: the tables alone order moves */
    const NetLines *lines[COLORS]; /* NULL, as without a network: no lines */
    const NetRecent *recent[COLORS];
    const NetRecentLayer *recent_layer; /* NULL, as without a network: no last stones */
} Weights;

/* The reason why a weights file is rejected: a clause without a full stop. */
typedef struct {
    char text[120];
} WeightsFault;

/* Reads a file and checks every number; on failure returns false and fills *fault. file.at: aligned
 * to WEIGHTS_ALIGN bytes. */
bool weights_read(Weights *out, WeightsBytes file, WeightsFault *fault);

/* The default file of a rule: the embedded one, else the lent one. */
WeightsBytes weights_builtin(Rule rule);
/* Lends a program without embedded files the file of a rule. Its bytes must stay valid. Call it
 * from one thread, before the first engine exists. */
void weights_lend(Rule rule, WeightsBytes file);

#endif
