/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - see list.h. */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the words of a file, which the caller frees, and its size in bytes; or NULL. */
static uint32_t *read_words(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint32_t *words = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        words = end > 0 ? malloc((size_t)end) : NULL;
        *size = words ? fread(words, 1, (size_t)end, file) : 0;
    }
    fclose(file);
    return words;
}

int for_each_module(const char *list, module_function *work, void *user)
{
    char path[4096];
    FILE *file = fopen(list, "r");
    if (!file) return -1;
    while (fgets(path, sizeof path, file)) {
        size_t size = 0;
        path[strcspn(path, "\n")] = '\0';
        uint32_t *words = read_words(path, &size);
        if (words)
            work(user, path, words, size);
        else
            fprintf(stderr, "cannot read %s\n", path);
        free(words);
    }
    fclose(file);
    return 0;
}

void put_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}
