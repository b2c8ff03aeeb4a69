/* weights_file.h - one weights file in memory, to be damaged and read.
 */
#ifndef TESTS_WEIGHTS_FILE_H
#define TESTS_WEIGHTS_FILE_H

#include <string.h>

#include "base/crc32.h"
#include "base/platform.h"
#include "check.h"
#include "eval/weights.h"

/* A file to damage, and the result of reading it. */
static struct {
    u8 *at;
    size_t size, room;
    Weights weights;
    WeightsFault fault;
} file;

static inline WeightsHeader *header(void) {
    return (WeightsHeader *)file.at;
}

static inline void take_builtin(Rule rule) {
    const WeightsBytes whole = weights_builtin(rule);
    memcpy(file.at, whole.at, whole.size);
    file.size = whole.size;
}

/* Returns false if memory runs out. */
static inline bool make_room(void) {
    file.room = 1 << 20;
    file.at = platform_alloc(file.room);
    return file.at != NULL;
}

/* Makes the header match the parts. */
static inline void seal(void) {
    header()->bytes = (u32)file.size;
    header()->checksum = 0;
    header()->checksum = crc32_of(0, file.at, file.size);
}

/* The file of a rule with added lines that are 0. */
static inline void take_with_lines(Rule rule) {
    take_builtin(rule);
    const u32 laws = header()->laws;
    const u32 bytes[] = {laws * (u32)sizeof(NetLines), (u32)sizeof(NetLineLayer)};
    WeightsPart *part = &header()->lines;
    for (int i = 0; i < COUNT(bytes); i++) {
        const size_t room = (bytes[i] + 63) / 64 * 64;
        check(part[i].bytes == 0 && file.size + room <= file.room, "rule %d has lines", rule);
        part[i] = (WeightsPart){(u32)file.size, bytes[i]};
        memset(file.at + file.size, 0, room);
        file.size += room;
    }
    seal();
}

static inline bool reads(void) {
    file.fault.text[0] = '\0';
    return weights_read(&file.weights, (WeightsBytes){file.at, file.size}, &file.fault);
}

#endif
