#include "base/crc32.h"

#include "base/platform.h"

/* Slicing by 8: residue[k][b] is the CRC of byte b with k zero bytes behind it. */
enum { SLICES = 8 };
static const u32 POLYNOMIAL = 0xedb88320; /* bits reversed */
static u32 residue[SLICES][256];
static Once once = ONCE_INIT;

static void fill_residues(void) {
    for (u32 b = 0; b < 256; b++) {
        u32 crc = b;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        residue[0][b] = crc;
    }
    for (u32 b = 0; b < 256; b++)
        for (int k = 1; k < SLICES; k++) {
            const u32 shorter = residue[k - 1][b];
            residue[k][b] = shorter >> 8 ^ residue[0][shorter & 255];
        }
}

u32 crc32_of(u32 before, const void *bytes, size_t size) {
    platform_once(&once, fill_residues);
    const u8 *at = bytes;
    u32 crc = ~before;
    for (; size >= SLICES; size -= SLICES, at += SLICES) {
        u32 next = 0;
        for (int i = 0; i < 4; i++) {
            next ^= residue[7 - i][at[i] ^ (crc >> 8 * i & 255)];
            next ^= residue[3 - i][at[4 + i]];
        }
        crc = next;
    }
    for (; size > 0; size--) crc = crc >> 8 ^ residue[0][(crc ^ *at++) & 255];
    return ~crc;
}
