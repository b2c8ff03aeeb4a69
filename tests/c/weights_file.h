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
    file.room = 1 << 21;
    file.at = platform_alloc(file.room);
    return file.at != NULL;
}

/* Makes the header match the parts. */
static inline void seal(void) {
    header()->bytes = (u32)file.size;
    header()->checksum = 0;
    header()->checksum = crc32_of(0, file.at, file.size);
}

/* Adds a part to the end of the file, all zeroes. */
static inline void add_part(WeightsPart *part, size_t bytes) {
    const size_t room = (bytes + 63) / 64 * 64;
    check(part->bytes == 0 && file.size + room <= file.room, "a file has the part already");
    *part = (WeightsPart){(u32)file.size, (u32)bytes};
    memset(file.at + file.size, 0, room);
    file.size += room;
}

/* The file of a rule without the parts that a file may lack besides a policy: lines, last stones.
 * They are the last parts. */
static inline void take_plain(Rule rule) {
    take_builtin(rule);
    WeightsPart *const parts[] = {&header()->recent_layer, &header()->recent, &header()->lines};
    for (int i = 0; i < COUNT(parts); i++) {
        if (parts[i]->bytes) file.size = parts[i]->offset;
        *parts[i] = (WeightsPart){0, 0};
    }
    seal();
}

/* The same with added lines that are 0. */
static inline void take_with_lines(Rule rule) {
    take_plain(rule);
    add_part(&header()->lines, header()->laws * sizeof(NetLines));
    seal();
}

/* The file without lines, with the last stones. */
static inline void take_with_recent(Rule rule) {
    take_plain(rule);
    add_part(&header()->recent, header()->laws * sizeof(NetRecent));
    add_part(&header()->recent_layer, sizeof(NetRecentLayer));
    seal();
}

/* The same with both. */
static inline void take_with_lines_and_recent(Rule rule) {
    take_with_lines(rule);
    add_part(&header()->recent, header()->laws * sizeof(NetRecent));
    add_part(&header()->recent_layer, sizeof(NetRecentLayer));
    seal();
}

static inline bool reads(void) {
    file.fault.text[0] = '\0';
    return weights_read(&file.weights, (WeightsBytes){file.at, file.size}, &file.fault);
}

#endif
