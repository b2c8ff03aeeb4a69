/* state.h - a fit as a file, to continue after an interruption.
 *
 *     header (StateHeader), the vectors v, mean, spread and average, CRC-32 of everything before it
 *
 * The byte order is that of the machine: continue a state on the machine that wrote it.
 */
#ifndef TRAINER_STATE_H
#define TRAINER_STATE_H

#include <unistd.h>

#include "collection.h"
#include "step.h"

enum { STATE_VERSION = 1, STATE_VECTORS = 4 };
static const char STATE_MAGIC[8] = "TGTRAIN\n";

typedef struct {
    char magic[8];
    u32 version, architecture[7], rule, games, plies, checksum;
    u64 numbers, steps;
    double loss;
    Settings settings;
    u32 unused; /* 0: no padding byte is undefined */
} StateHeader;

static inline StateHeader header_of(const Fit *f) {
    StateHeader h = {
        .version = STATE_VERSION,
        .architecture = {HAS_LINES, WIDTH, AROUND, CODE_WIDTH, HIDDEN, SECOND, OUTPUTS},
        .rule = (u32)collection.table->weights.rule,
        .games = (u32)collection.games,
        .plies = (u32)collection.plies,
        .checksum = collection.checksum,
        .numbers = parameters,
        .steps = f->steps,
        .loss = f->loss,
        .settings = options.fit};
    memcpy(h.magic, STATE_MAGIC, sizeof h.magic);
    return h;
}

static inline bool put_part(FILE *f, u32 *sum, const void *bytes, size_t size) {
    *sum = crc32_of(*sum, bytes, size);
    return fwrite(bytes, 1, size, f) == size;
}

static inline bool get_part(FILE *f, u32 *sum, void *bytes, size_t size) {
    const bool whole = fread(bytes, 1, size, f) == size;
    *sum = crc32_of(*sum, bytes, size);
    return whole;
}

/* Writes a new file and replaces the old one; ends the program on failure. */
static inline void state_write(const Fit *fit, const char *path) {
    static char part_path[4096];
    const float *vector[STATE_VECTORS] = {fit->v, fit->mean, fit->spread, fit->average};
    const StateHeader h = header_of(fit);
    u32 sum = 0;
    if (snprintf(part_path, sizeof part_path, "%s.part", path) >= (int)sizeof part_path)
        fail(path, "is too long a name");
    FILE *f = fopen(part_path, "wb");
    if (!f) fail(part_path, strerror(errno));
    bool good = put_part(f, &sum, &h, sizeof h);
    for (int i = 0; i < STATE_VECTORS; i++)
        good = good && put_part(f, &sum, vector[i], parameters * sizeof(float));
    good = good && fwrite(&sum, sizeof sum, 1, f) == 1 && fflush(f) == 0 && fsync(fileno(f)) == 0;
    if (fclose(f) != 0 || !good) fail(part_path, "cannot be written whole");
    if (rename(part_path, path) != 0) fail(path, strerror(errno));
}

/* Returns why the state cannot be continued; NULL if it can. */
static inline const char *header_fault(const StateHeader *h) {
    const StateHeader own = header_of(&(Fit){.steps = h->steps, .loss = h->loss});
    if (memcmp(h->magic, own.magic, sizeof own.magic) != 0) return "is no state of a fit";
    if (h->version != own.version) return "is of another version";
    if (memcmp(h->architecture, own.architecture, sizeof own.architecture) != 0 ||
        h->numbers != own.numbers)
        return "is of a network of another shape";
    if (memcmp(&h->settings, &own.settings, sizeof own.settings) != 0)
        return "is of a fit with other options";
    if (h->rule != own.rule || h->games != own.games || h->plies != own.plies ||
        h->checksum != own.checksum)
        return "is of a fit to other games";
    return NULL;
}

/* Continues from a file, if there is one. Returns whether it did; ends the program if the file is
 * damaged or of another fit. */
static inline bool state_read(Fit *fit, const char *path) {
    float *vector[STATE_VECTORS] = {fit->v, fit->mean, fit->spread, fit->average};
    StateHeader h;
    u32 sum = 0, stored;
    FILE *f = fopen(path, "rb");
    if (!f && errno == ENOENT) return false;
    if (!f) fail(path, strerror(errno));
    if (!get_part(f, &sum, &h, sizeof h)) fail(path, "is cut short");
    const char *wrong = header_fault(&h);
    if (wrong) fail(path, wrong);
    for (int i = 0; i < STATE_VECTORS; i++)
        if (!get_part(f, &sum, vector[i], parameters * sizeof(float))) fail(path, "is cut short");
    if (fread(&stored, sizeof stored, 1, f) != 1) fail(path, "is cut short");
    if (stored != sum || getc(f) != EOF) fail(path, "has a wrong checksum");
    fclose(f);
    fit->steps = h.steps;
    fit->loss = h.loss;
    return true;
}

#endif
