/* state.h - a fit as a file, to continue it after an interruption.
 *
 *     header (StateHeader), the program's blocks of memory (StateForm), CRC-32 of everything before
 *     it
 *
 * The order of the positions is not stored: it is shuffled again. The byte order is that of the
 * machine: continue a fit on the machine that began it. One process at a time uses a state: it
 * holds a lock on STATE.lock. That file stays, because to remove it would let two processes in.
 */
#ifndef FITTING_STATE_H
#define FITTING_STATE_H

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#include "../games.h"
#include "base/crc32.h"
#include "newfile.h"
#include "program.h"

enum { STATE_NUMBERS = 8, STATE_BLOCKS = 2 };

/* An option that changes the result, as four bytes. Two options may have one name. */
typedef struct {
    const char *name;
    u32 value;
} Setting;

/* Memory that the fit changes. */
typedef struct {
    void *at;
    size_t size;
} StateBlock;

/* What a program stores. */
typedef struct {
    const char *magic; /* 8 bytes */
    u32 version;       /* increase it if a fit from the same input learns other numbers */
    u32 shape[STATE_NUMBERS];
    Setting setting[STATE_NUMBERS]; /* name NULL: not used */
    u32 weights;                    /* checksum of the input */
    StateBlock block[STATE_BLOCKS];
} StateForm;

typedef struct {
    char magic[8];
    u32 version, shape[STATE_NUMBERS], setting[STATE_NUMBERS];
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

/* The file of the fit, and its bytes if it was read but not yet continued. */
static struct {
    const char *path; /* NULL: the fit has no state */
    StateForm form;
    u8 *at; /* NULL: none */
    size_t size;
} state;

/* Ends the program. */
static inline void fail_state(const char *why) {
    fprintf(stderr, PROGRAM ": %s %s; remove it to begin anew\n", state.path, why);
    exit(1);
}

/* Ends the program, with the reason of errno. */
static inline void fail_write(const char *path) {
    fprintf(stderr, PROGRAM ": %s cannot be written: %s", path, strerror(errno));
    if (progress.saved)
        fprintf(stderr, "; the state of step %llu is kept", (unsigned long long)progress.saved);
    fprintf(stderr, "\n");
    exit(1);
}

/* The value of a setting. */
static inline u32 bits_of(float v) {
    u32 bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Takes the state until this process ends. Ends the program if another process has it. */
static inline void state_lock(const char *path) {
    static char lock[4096];
    if (snprintf(lock, sizeof lock, "%s.lock", path) >= (int)sizeof lock)
        fail(path, "is too long a name");
    const int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) fail_write(lock);
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK) fail(path, "is in use by another fit");
    fail(lock, "cannot be locked");
}

static inline StateHeader header_of_fit(void) {
    const StateForm *form = &state.form;
    StateHeader h = {.version = form->version,
                     .weights = form->weights,
                     .start = checksum.start,
                     .games = checksum.games,
                     .bytes = sizeof h + sizeof(u32),
                     .steps = progress.steps,
                     .loss = progress.loss};
    memcpy(h.magic, form->magic, sizeof h.magic);
    memcpy(h.shape, form->shape, sizeof h.shape);
    for (int i = 0; i < STATE_NUMBERS; i++) h.setting[i] = form->setting[i].value;
    for (int i = 0; i < STATE_BLOCKS; i++) h.bytes += form->block[i].size;
    return h;
}

static inline bool put_part(FILE *f, u32 *sum, const void *bytes, size_t size) {
    *sum = crc32_of(*sum, bytes, size);
    return fwrite(bytes, 1, size, f) == size;
}

static inline bool put_state(FILE *f) {
    const StateHeader h = header_of_fit();
    u32 sum = 0;
    bool good = put_part(f, &sum, &h, sizeof h);
    for (int i = 0; good && i < STATE_BLOCKS; i++)
        good = put_part(f, &sum, state.form.block[i].at, state.form.block[i].size);
    return good && fwrite(&sum, sizeof sum, 1, f) == 1 && fflush(f) == 0 && fsync(fileno(f)) == 0;
}

/* Ends the program on failure; the old state is kept. */
static inline void state_write(void) {
    static NewFile new;
    if (!newfile_open(&new, state.path) || !newfile_close(&new, put_state(new.file)))
        fail_write(state.path);
    progress.saved = progress.steps;
}

/* Returns the name of the first setting that differs; NULL: they are the same. */
static inline const char *other_setting(const u32 setting[STATE_NUMBERS]) {
    for (int i = 0; i < STATE_NUMBERS; i++)
        if (setting[i] != state.form.setting[i].value) {
            const char *name = state.form.setting[i].name;
            return name ? name : "a further one";
        }
    return NULL;
}

/* Returns why the fit cannot continue from a complete file; NULL if it can. This needs neither the
 * games nor the start of the fit. */
static inline const char *fault_of_header(const StateHeader *h) {
    static char text[64];
    const StateHeader own = header_of_fit();
    if (memcmp(h->shape, own.shape, sizeof own.shape) != 0 || h->bytes != own.bytes)
        return "is of a network of another shape";
    const char *name = other_setting(h->setting);
    snprintf(text, sizeof text, "is of a fit with other options: %s differs", name ? name : "");
    if (name) return text;
    return h->weights == own.weights ? NULL : "is of a fit with other weights";
}

/* The same for the bytes of a file. */
static inline const char *fault_of_state(const u8 *at, size_t size) {
    StateHeader h = {0};
    u32 sum;
    memcpy(&h, at, size < sizeof h ? size : sizeof h);
    if (size < sizeof h.magic || memcmp(h.magic, state.form.magic, sizeof h.magic) != 0)
        return "is no state of a fit";
    if (size < sizeof h) return "is cut short";
    if (h.version != state.form.version) return "is of another version";
    if (size < h.bytes) return "is cut short";
    memcpy(&sum, at + size - sizeof sum, sizeof sum);
    if (size != h.bytes || sum != crc32_of(0, at, size - sizeof sum)) return "is damaged";
    return fault_of_header(&h);
}

/* Locks the state, and reads and checks the file, if there is one. Call it before the games are
 * read, which takes minutes. Ends the program at a fault. */
static inline void state_begin(const char *path, const StateForm *form) {
    state_lock(path);
    state.path = path;
    state.form = *form;
    if (access(path, F_OK) != 0 && errno == ENOENT) return;
    const char *wrong = file_slurp(path, &state.at, &state.size);
    if (wrong) fail(path, wrong);
    wrong = fault_of_state(state.at, state.size);
    if (wrong) fail_state(wrong);
}

static inline void restore(const u8 *at, const StateHeader *h) {
    at += sizeof *h;
    for (int i = 0; i < STATE_BLOCKS; i++) {
        memcpy(state.form.block[i].at, at, state.form.block[i].size);
        at += state.form.block[i].size;
    }
    progress.steps = progress.saved = h->steps;
    progress.loss = h->loss;
}

/* Continues from the file of state_begin; returns whether there was one. Ends the program if it has
 * other games or another start. */
static inline bool state_continue(void) {
    StateHeader h;
    if (!state.at) return false;
    memcpy(&h, state.at, sizeof h);
    if (h.games != checksum.games) fail_state("is of a fit to other games");
    if (h.start != checksum.start) fail_state("is of a fit from another network");
    restore(state.at, &h);
    free(state.at);
    state.at = NULL;
    return true;
}

#endif
