/* newfile.h - replaces a file as a whole. The new one is PATH.part until it is complete.
 */
#ifndef FITTING_NEWFILE_H
#define FITTING_NEWFILE_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *path;
    char part[4096];
    FILE *file;
} NewFile;

/* False, with errno, if the file cannot be made. */
static inline bool newfile_open(NewFile *n, const char *path) {
    n->path = path;
    signal(SIGXFSZ, SIG_IGN); /* the write reports it */
    errno = ENAMETOOLONG;
    if (snprintf(n->part, sizeof n->part, "%s.part", path) >= (int)sizeof n->part) return false;
    n->file = fopen(n->part, "wb");
    return n->file != NULL;
}

/* Replaces the old file if the new one is good. Otherwise removes the new one and returns false,
 * with errno of the first failure. */
static inline bool newfile_close(NewFile *n, bool good) {
    const int written = errno;
    const bool closed = fclose(n->file) == 0;
    if (good && closed && rename(n->part, n->path) == 0) return true;
    const int error = good ? errno : written;
    unlink(n->part);
    errno = error;
    return false;
}

/* Whether newfile_close could replace the path; false, with errno, if not. No file is changed. */
static inline bool newfile_can_replace(const char *path) {
    char probe[4096];
    struct stat found;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        errno = EISDIR;
        return false;
    }
    errno = ENAMETOOLONG;
    if (snprintf(probe, sizeof probe, "%s.XXXXXX", path) >= (int)sizeof probe) return false;
    const int file = mkstemp(probe);
    if (file < 0) return false;
    close(file);
    unlink(probe);
    return true;
}

#endif
