/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.c - an ordinary main() in place of the fuzzer's: calls the target once for every file of the given folders.
 *
 *     replay_TARGET FOLDER_OR_FILE...
 *
 * An argument without any file is an error, except that a folder given after --optional may be empty.
 */
#include "property.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long try_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    uint8_t *data = NULL;
    size_t size = 0, got;
    uint8_t chunk[4096];
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        data = realloc(data, size + got);
        if (!data) abort();
        memcpy(data + size, chunk, got);
        size += got;
    }
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last line before a crash names the file */
    LLVMFuzzerTestOneInput(data ? data : chunk, size);
    free(data);
    return 1;
}

static unsigned long try_path(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) return try_file(path);
    unsigned long count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inside[4096];
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "README") == 0) continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        count += try_file(inside);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    unsigned long total = 0;
    bool optional = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--optional") == 0) {
            optional = true;
            continue;
        }
        unsigned long count = try_path(argv[i]);
        if (!count && !optional) {
            fprintf(stderr, "%s: no inputs there\n", argv[i]);
            return 2;
        }
        total += count;
    }
    printf("%lu inputs\n", total);
    return total ? 0 : 2;
}
