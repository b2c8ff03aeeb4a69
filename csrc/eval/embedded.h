/* embedded.h - the weights files that a program or library carries: csrc/assets/RULE.tgw.
 *
 * One of two sources is linked: embedded.c holds the files, embedded_none.c holds none. The
 * library for AVX2 has the latter, so that a package carries each file once (build_core.py).
 */
#ifndef EVAL_EMBEDDED_H
#define EVAL_EMBEDDED_H

#include "base/base.h"

/* A weights file in memory; NULL without one. */
typedef struct {
    const u8 *at;
    size_t size;
} WeightsBytes;

WeightsBytes embedded_weights(Rule rule);

#endif
