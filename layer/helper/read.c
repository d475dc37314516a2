/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - reads a whole file, or all of standard input.
 */
#include "layer/helper/helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 1 << 16 };

static bool grow(struct nf_bytes *bytes, size_t *capacity)
{
    size_t larger = *capacity ? *capacity * 2 : FIRST_CHUNK;
    unsigned char *data = realloc(bytes->data, larger + 1);
    if (!data) {
        nf_helper_error("out of memory");
        return false;
    }
    bytes->data = data;
    *capacity = larger;
    return true;
}

static bool read_stream(FILE *stream, struct nf_bytes *bytes)
{
    size_t capacity = 0;
    for (;;) {
        if (bytes->size == capacity && !grow(bytes, &capacity)) return false;
        size_t got = fread(bytes->data + bytes->size, 1, capacity - bytes->size, stream);
        if (got == 0) break;
        bytes->size += got;
    }
    bytes->data[bytes->size] = 0;
    return !ferror(stream);
}

bool nf_read_file(const char *path, struct nf_bytes *bytes)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    bool good = stream && read_stream(stream, bytes);
    if (!good) nf_helper_error("cannot read %s: %s", standard ? "standard input" : path, strerror(errno));
    if (stream && !standard) fclose(stream);
    return good;
}
