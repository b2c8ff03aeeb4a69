/* state.h - a fit as a file, to continue it after an interruption.
 *
 *     header (StateHeader), the parameters (net), Adam's means (moments), CRC-32 of everything
 *     before it
 *
 * The order of the positions is not stored: it is shuffled again. The byte order is that of the
 * machine: continue a fit on the machine that began it.
 */
#ifndef NETWORK_STATE_H
#define NETWORK_STATE_H

#include <errno.h>
#include <unistd.h>

#include "base/crc32.h"
#include "net.h"

/* Increase the version if a fit from the same input learns other numbers. */
enum { STATE_VERSION = 1 };
static const char STATE_MAGIC[8] = "TGFIT\r\n\n";

/* The options that change the result. All are of four bytes: compared byte by byte. */
typedef struct {
    int epochs, lines, recent, keeps_squares;
    float result_share, line_decay, recent_decay;
} Settings;

typedef struct {
    char magic[8];
    u32 version, shape[7];
    Settings settings;
    u32 weights, start, games; /* checksums of the input */
    u64 bytes;                 /* of the file */
    u64 steps;
    double loss;
} StateHeader;

/* Steps done, and the sum of the losses in the epoch of the last step. */
static struct {
    u64 steps;
    double loss;
} progress;

/* The input of the fit, before its first step. */
static struct {
    u32 start, games;
} checksum;

/* Ends the program. */
static void fail_state(const char *path, const char *why) {
    fprintf(stderr, "network: %s %s; remove it to begin anew\n", path, why);
    exit(1);
}

static u32 checksum_of_places(u32 sum, const Samples *of) {
    return crc32_of(sum, of->at, of->count * sizeof *of->at);
}

/* Call it before the positions are shuffled. */
static inline u32 checksum_of_games(const Samples *learned, const Samples *validation) {
    u32 sum = checksum_of_places(checksum_of_places(0, learned), validation);
    for (size_t i = 0; i < games.count; i++) {
        const Game *g = &games.at[i];
        const int game[] = {g->rule, g->size, g->result, g->plies, g->is_node};
        sum = crc32_of(sum, game, sizeof game);
    }
    sum = crc32_of(sum, plies.move, plies.count * sizeof *plies.move);
    return crc32_of(sum, plies.score, plies.count * sizeof *plies.score);
}

/* Call it before the first step. */
static u32 checksum_of_start(void) {
    return crc32_of(crc32_of(0, &net, sizeof net), &start, sizeof start);
}

static StateHeader header_of_fit(void) {
    StateHeader h = {.version = STATE_VERSION,
                     .shape = {WIDTH, NET_HIDDEN, NET_LINE_WIDTH, NET_RECENT_WIDTH, NET_FEATURES,
                               PARAMETERS, BATCH},
                     .settings = {options.epochs, options.lines, options.recent,
                                  options.keeps_squares, options.result_share, options.line_decay,
                                  options.recent_decay},
                     .weights = table->weights.checksum,
                     .start = checksum.start,
                     .games = checksum.games,
                     .bytes = sizeof h + sizeof net + sizeof moments + sizeof(u32),
                     .steps = progress.steps,
                     .loss = progress.loss};
    memcpy(h.magic, STATE_MAGIC, sizeof h.magic);
    return h;
}

static bool put_part(FILE *f, u32 *sum, const void *bytes, size_t size) {
    *sum = crc32_of(*sum, bytes, size);
    return fwrite(bytes, 1, size, f) == size;
}

/* Writes a new file and replaces the old one. Ends the program on failure. */
static void state_write(const char *path) {
    static char part[4096];
    const StateHeader h = header_of_fit();
    u32 sum = 0;
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        fail(path, "is too long a name");
    FILE *f = fopen(part, "wb");
    if (!f) fail(part, strerror(errno));
    const bool good = put_part(f, &sum, &h, sizeof h) && put_part(f, &sum, &net, sizeof net) &&
                      put_part(f, &sum, moments, sizeof moments) &&
                      fwrite(&sum, sizeof sum, 1, f) == 1 && fflush(f) == 0 &&
                      fsync(fileno(f)) == 0;
    if (fclose(f) != 0 || !good) fail(part, "cannot be written whole");
    if (rename(part, path) != 0) fail(path, strerror(errno));
}

/* Returns why the fit cannot continue from a complete file; NULL if it can. */
static const char *fault_of_header(const StateHeader *h) {
    const StateHeader own = header_of_fit();
    if (memcmp(h->shape, own.shape, sizeof own.shape) != 0)
        return "is of a network of another shape";
    if (memcmp(&h->settings, &own.settings, sizeof own.settings) != 0)
        return "is of a fit with other options";
    if (h->weights != own.weights) return "is of a fit with other weights";
    if (h->games != own.games) return "is of a fit to other games";
    if (h->start != own.start) return "is of a fit from another network";
    return NULL;
}

/* The same for the bytes of a file. */
static const char *fault_of_state(const u8 *at, size_t size) {
    StateHeader h = {0};
    u32 sum;
    memcpy(&h, at, size < sizeof h ? size : sizeof h);
    if (size < sizeof h.magic || memcmp(h.magic, STATE_MAGIC, sizeof h.magic) != 0)
        return "is no state of a fit";
    if (size < sizeof h) return "is cut short";
    if (h.version != STATE_VERSION) return "is of another version";
    if (size < h.bytes) return "is cut short";
    memcpy(&sum, at + size - sizeof sum, sizeof sum);
    if (size != h.bytes || sum != crc32_of(0, at, size - sizeof sum)) return "is damaged";
    return fault_of_header(&h);
}

static void restore(const u8 *at) {
    StateHeader h;
    memcpy(&h, at, sizeof h);
    memcpy(&net, at + sizeof h, sizeof net);
    memcpy(moments, at + sizeof h + sizeof net, sizeof moments);
    progress.steps = h.steps;
    progress.loss = h.loss;
}

/* Continues from a file, if there is one; returns whether it did. Ends the program if the file is
 * damaged or of another fit. */
static bool state_read(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f && errno == ENOENT) return false;
    if (!f || fseek(f, 0, SEEK_END) != 0) fail(path, strerror(errno));
    const size_t size = (size_t)ftell(f);
    u8 *at = grown(NULL, size + 1);
    rewind(f);
    if (fread(at, 1, size, f) != size) fail(path, "cannot be read");
    fclose(f);
    const char *wrong = fault_of_state(at, size);
    if (wrong) fail_state(path, wrong);
    restore(at);
    free(at);
    return true;
}

#endif
