/* engine_weights.c - implements the part of tengen.h about weights files. */
#include <string.h>

#include "api/engine.h"
#include "base/platform.h"

TgStatus tg_builtin_weights(int32_t rule, const uint8_t **bytes, int64_t *size) {
    if (!bytes || !size) return TG_ERR_ARGUMENT;
    if (!is_rule(rule)) return TG_ERR_RULE;
    const WeightsBytes file = embedded_weights((Rule)rule);
    *bytes = file.at;
    *size = (int64_t)file.size;
    return TG_OK;
}

TgStatus tg_lend_weights(int32_t rule, const uint8_t *bytes, int64_t size) {
    if (!bytes || size < 0 || (uintptr_t)bytes % WEIGHTS_ALIGN != 0) return TG_ERR_ARGUMENT;
    if (!is_rule(rule)) return TG_ERR_RULE;
    if (weights_builtin((Rule)rule).at)
        return TG_ERR_ARGUMENT; /* it has its own, or was lent one */
    weights_lend((Rule)rule, (WeightsBytes){bytes, (size_t)size});
    return TG_OK;
}

/* A copy on a page of its own, as the caller's bytes may lie anywhere. */
static TgStatus copy_of(const uint8_t *bytes, size_t size, void **out) {
    *out = platform_alloc(size + 1); /* no bytes are no memory for the system */
    if (!*out) return TG_ERR_MEMORY;
    memcpy(*out, bytes, size);
    return TG_OK;
}

TgStatus tg_check_weights(const uint8_t *bytes, int64_t size, int32_t *rule, char *reason,
                          int32_t capacity) {
    if (!bytes || size < 0 || !rule || !reason || capacity < 1) return TG_ERR_ARGUMENT;
    void *copy;
    const TgStatus status = copy_of(bytes, (size_t)size, &copy);
    if (status != TG_OK) return status;
    Weights weights;
    WeightsFault fault = {""};
    const bool good = weights_read(&weights, (WeightsBytes){copy, (size_t)size}, &fault);
    platform_free(copy, (size_t)size + 1);
    *rule = good ? (int32_t)weights.rule : -1;
    size_t length = strlen(fault.text);
    if (length >= (size_t)capacity) length = (size_t)capacity - 1;
    memcpy(reason, fault.text, length);
    reason[length] = '\0';
    return good ? TG_OK : TG_ERR_WEIGHTS;
}

TgStatus own_weights_make(OwnWeights *own, const uint8_t *bytes, size_t size) {
    Weights weights;
    WeightsFault fault;
    *own = (OwnWeights){.size = size};
    TgStatus status = copy_of(bytes, size, &own->bytes);
    if (status != TG_OK) return status;
    if (!weights_read(&weights, (WeightsBytes){own->bytes, size}, &fault))
        status = TG_ERR_WEIGHTS;
    else if (!(own->table = platform_alloc(sizeof *own->table)))
        status = TG_ERR_MEMORY;
    if (status == TG_OK)
        eval_table_init(own->table, &weights);
    else
        own_weights_free(own);
    return status;
}

void own_weights_free(OwnWeights *own) {
    platform_free(own->table, sizeof *own->table);
    platform_free(own->bytes, own->size + 1);
    *own = (OwnWeights){NULL, 0, NULL};
}
