/* state.h - a fit as a file, to continue it after an interruption.
 *
 *     header (StateHeader), the parameters (net), Adam's means (moments), CRC-32 of everything
 *     before it
 *
 * The order of the positions is not stored: it is shuffled again. The byte order is that of the
 * machine: continue a fit on the machine that began it. One process at a time uses a state: it
 * holds a lock on STATE.lock. That file stays, because to remove it would let two processes in.
 */
#ifndef NETWORK_STATE_H
#define NETWORK_STATE_H

#include <fcntl.h>
#include <sys/file.h>

#include "base/crc32.h"
#include "net.h"
#include "newfile.h"

/* Increase the version if a fit from the same input learns other numbers. */
enum { STATE_VERSION = 4 };
static const char STATE_MAGIC[] = "TGFIT\r\n\n";

/* The options that change the result. All are of four bytes: compared byte by byte. */
typedef struct {
    int epochs, lines, recent, keeps_squares;
    float result_share, line_decay, recent_decay;
} Settings;

/* Their names, in the same order. */
static const char *const SETTINGS[] = {"EPOCHS",         "--lines", "--recent", "--squares",
                                       "--result-share", "--lines", "--recent"};
_Static_assert(sizeof SETTINGS / sizeof *SETTINGS * sizeof(int) == sizeof(Settings),
               "a setting without a name");

typedef struct {
    char magic[8];
    u32 version, shape[7];
    Settings settings;
    u32 weights, start, games; /* checksums of the input */
    u64 bytes;                 /* of the file */
    u64 steps;
    double loss;
} StateHeader;

/* Steps done, those of them in the file, and the sum of the losses in the epoch of the last step.
 */
static struct {
    u64 steps, saved;
    double loss;
} progress;

/* The input of the fit, before its first step. */
static struct {
    u32 start, games;
} checksum;

/* A state that was read but not yet continued. */
static struct {
    u8 *at; /* NULL: none */
    size_t size;
} stored;

/* Ends the program. */
static void fail_state(const char *path, const char *why) {
    fprintf(stderr, "network: %s %s; remove it to begin anew\n", path, why);
    exit(1);
}

/* Ends the program, with the reason of errno. */
static void fail_write(const char *path) {
    fprintf(stderr, "network: %s cannot be written: %s", path, strerror(errno));
    if (progress.saved)
        fprintf(stderr, "; the state of step %llu is kept", (unsigned long long)progress.saved);
    fprintf(stderr, "\n");
    exit(1);
}

/* Takes the state until this process ends. Ends the program if another process has it. */
static void state_lock(const char *path) {
    static char lock[4096];
    if (snprintf(lock, sizeof lock, "%s.lock", path) >= (int)sizeof lock)
        fail(path, "is too long a name");
    const int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) fail_write(lock);
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK) fail(path, "is in use by another fit");
    fail(lock, "cannot be locked");
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

static bool put_state(FILE *f) {
    const StateHeader h = header_of_fit();
    u32 sum = 0;
    return put_part(f, &sum, &h, sizeof h) && put_part(f, &sum, &net, sizeof net) &&
           put_part(f, &sum, moments, sizeof moments) && fwrite(&sum, sizeof sum, 1, f) == 1 &&
           fflush(f) == 0 && fsync(fileno(f)) == 0;
}

/* Ends the program on failure; the old state is kept. */
static void state_write(const char *path) {
    static NewFile new;
    if (!newfile_open(&new, path) || !newfile_close(&new, put_state(new.file))) fail_write(path);
    progress.saved = progress.steps;
}

/* Returns the name of the first setting that differs; NULL: they are the same. */
static const char *other_setting(const Settings *a, const Settings *b) {
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
        if (memcmp((const char *)a + i * sizeof(int), (const char *)b + i * sizeof(int),
                   sizeof(int)) != 0)
            return SETTINGS[i];
    return NULL;
}

/* Returns why the fit cannot continue from a complete file; NULL if it can. This needs neither the
 * games nor the start of the fit. */
static const char *fault_of_header(const StateHeader *h) {
    static char text[64];
    const StateHeader own = header_of_fit();
    if (memcmp(h->shape, own.shape, sizeof own.shape) != 0 || h->bytes != own.bytes)
        return "is of a network of another shape";
    const char *name = other_setting(&h->settings, &own.settings);
    snprintf(text, sizeof text, "is of a fit with other options: %s differs", name ? name : "");
    if (name) return text;
    return h->weights == own.weights ? NULL : "is of a fit with other weights";
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

/* Locks the state, and reads and checks the file, if there is one. Call it before the games are
 * read, which takes minutes, and after the start. Ends the program at a fault. */
static inline void state_begin(const char *path) {
    state_lock(path);
    if (access(path, F_OK) != 0 && errno == ENOENT) return;
    const char *wrong = file_slurp(path, &stored.at, &stored.size);
    if (wrong) fail(path, wrong);
    wrong = fault_of_state(stored.at, stored.size);
    if (wrong) fail_state(path, wrong);
}

static void restore(const u8 *at, const StateHeader *h) {
    memcpy(&net, at + sizeof *h, sizeof net);
    memcpy(moments, at + sizeof *h + sizeof net, sizeof moments);
    progress.steps = progress.saved = h->steps;
    progress.loss = h->loss;
}

/* Continues from the file of state_begin; returns whether there was one. Ends the program if it has
 * other games or another start. */
static bool state_continue(const char *path) {
    StateHeader h;
    if (!stored.at) return false;
    memcpy(&h, stored.at, sizeof h);
    if (h.games != checksum.games) fail_state(path, "is of a fit to other games");
    if (h.start != checksum.start) fail_state(path, "is of a fit from another network");
    restore(stored.at, &h);
    free(stored.at);
    stored.at = NULL;
    return true;
}

#endif
