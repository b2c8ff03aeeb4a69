/* crc32.h - the CRC-32 of zlib, PNG and Ethernet: a checksum for files. */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include "base/base.h"

/* The checksum of `size` bytes that follow those with checksum `before`; 0 = nothing before. */
u32 crc32_of(u32 before, const void *bytes, size_t size);

#endif
