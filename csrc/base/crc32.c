#include "base/crc32.h"

/* The remainders of a nibble: small enough to be written down, so nothing has to be built first. */
static const u32 NIBBLE[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

u32 crc32_of(u32 before, const void *bytes, size_t size) {
    const u8 *at = bytes;
    u32 crc = ~before;
    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ NIBBLE[crc & 15];
        crc = crc >> 4 ^ NIBBLE[crc & 15];
    }
    return ~crc;
}
