/* bench_positions.h - what the bench searches: quiet and sharp, each rule, the usual sizes. */
#ifndef BENCH_POSITIONS_H
#define BENCH_POSITIONS_H

#include "base/base.h"

typedef struct {
    int32_t size, rule, depth;
    const char *moves;
} BenchPosition;

static const BenchPosition BENCH[] = {
    {15, RULE_FREESTYLE, 10, "h8i9g9i7"},        {20, RULE_FREESTYLE, 10, "j10k11i11k9j12"},
    {15, RULE_STANDARD, 10, "h8i8i9g7j10k11h9"}, {15, RULE_RENJU, 10, "h8i9j7g9h10"},
    {15, RULE_CARO, 10, "h8h9i9g8j10k11"},       {20, RULE_CARO_STANDARD, 10, "j10k10k11i9l12m13"},
    {19, RULE_NINUKI, 6, "j10k11i11k9j12"},
};

#endif
