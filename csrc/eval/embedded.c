#include "eval/embedded.h"

#include "base/platform.h"

PLATFORM_EMBED(weights_FREESTYLE, "assets/freestyle.tgw");
PLATFORM_EMBED(weights_STANDARD, "assets/standard.tgw");
PLATFORM_EMBED(weights_RENJU, "assets/renju.tgw");
PLATFORM_EMBED(weights_CARO, "assets/caro.tgw");
PLATFORM_EMBED(weights_CARO_STANDARD, "assets/caro_standard.tgw");
PLATFORM_EMBED(weights_NINUKI, "assets/ninuki.tgw");
PLATFORM_EMBED(weights_PENTE, "assets/pente.tgw");
PLATFORM_EMBED(weights_KERYO, "assets/keryo.tgw");

WeightsBytes embedded_weights(Rule rule) {
    switch (rule) {
#define CASE(name)                                                                                 \
    case RULE_##name:                                                                              \
        return (WeightsBytes){weights_##name, (size_t)(weights_##name##_end - weights_##name)};
        FOR_EACH_RULE(CASE)
    }
    ASSERT(false);
    return (WeightsBytes){NULL, 0};
}
