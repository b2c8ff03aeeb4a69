/* replay_boundary.c - plays the inputs that fuzzing has found worth keeping, with any compiler.
 *
 *     replay_boundary [FILE ...]      without a name: all of tests/fuzz/boundary/
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_boundary.c"

enum { LONGEST_INPUT = 1 << 16, LONGEST_PATH = 1024 };

static const char CORPUS[] = "tests/fuzz/boundary";

/* 1 if the file was played, 0 with a message if not. */
static int replay(const char *path) {
    static uint8_t data[LONGEST_INPUT];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 0;
    }
    const size_t bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, bytes);
    return 1;
}

static int replay_folder(const char *folder) {
    DIR *open = opendir(folder);
    if (!open) {
        perror(folder);
        return 0;
    }
    int played = 0;
    for (const struct dirent *entry; (entry = readdir(open));) {
        char path[LONGEST_PATH];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        played += replay(path);
    }
    closedir(open);
    return played;
}

int main(int argc, char **argv) {
    int played = 0;
    for (int i = 1; i < argc; i++) played += replay(argv[i]);
    if (argc == 1) played = replay_folder(CORPUS);
    printf("%d inputs played\n", played);
    return played < (argc == 1 ? 1 : argc - 1);
}
