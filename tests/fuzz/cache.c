/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - the property: the cache on disk returns the stored value or nothing. An entry is written, its file is
 * damaged by the steps of the input, and read again: if bytes have changed, it is a miss, and the file is removed;
 * otherwise it is a hit.
 *
 * Input: a byte for the key's length, one for the value's, then steps of damage: kind, position (two bytes), a byte; a
 * step "replace" makes the rest of the input the file's contents.
 */
#define _GNU_SOURCE
#include "property.h"

#include "layer/specialize/specialize.h"
#include "layer/store/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 * 1024 };

static char folder[] = "/tmp/nonflat-fuzz-cache-XXXXXX";
static char path[512];

static void remove_folder(void)
{
    snprintf(path, sizeof path, "%s/%s", folder, nf_cl_marker);
    unlink(path);
    rmdir(folder);
}

static void start_once(void)
{
    static bool started;
    if (started) return;
    if (!mkdtemp(folder) || setenv("NONFLAT_CACHE", folder, 1)) abort();
    atexit(remove_folder);
    started = true;
}

/* Finds the only entry of the folder, and sets `path`. */
static bool find_entry(void)
{
    DIR *list = opendir(folder);
    bool found = false;
    for (struct dirent *at; list && (at = readdir(list));) {
        if (at->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        found = true;
    }
    closedir(list);
    return found;
}

static size_t read_file(uint8_t *bytes)
{
    int file = open(path, O_RDONLY);
    ssize_t size = file < 0 ? -1 : read(file, bytes, MOST);
    if (size < 0 || close(file)) fuzz_fail("%s cannot be read", path);
    return (size_t)size;
}

static void write_file(const uint8_t *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_TRUNC);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file)) fuzz_fail("%s cannot be written", path);
}

/* @return the size of the damaged bytes. */
static size_t damage(uint8_t *bytes, size_t size, const uint8_t *steps, size_t count)
{
    for (; count >= 4; steps += 4, count -= 4) {
        size_t at = size ? (steps[1] | (size_t)steps[2] << 8) % size : 0;
        switch (steps[0] % 8) {
        case 0: size = at; break;
        case 1:
            if (size < MOST) bytes[size++] = steps[3];
            break;
        case 2: memmove(bytes + at, bytes, size - at); break;
        case 3: memset(bytes + at, steps[3], size - at); break;
        case 4:
            size = count - 4 < MOST ? count - 4 : MOST;
            memcpy(bytes, steps + 4, size);
            return size;
        default:
            if (size) bytes[at] ^= steps[3];
        }
    }
    return size;
}

static void look_at(const uint8_t *bytes, size_t size)
{
    struct stat info;
    char text[64];
    write_file(bytes, size);
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &info)) abort();
    nf_cl_entry_check(file, &info, text, sizeof text);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t right[MOST], bytes[MOST];
    if (size < 2 || size > MOST / 2) return 0;
    start_once();
    struct nf_cl_bytes key = {(void *)data, data[0] < size ? data[0] : size};
    struct nf_cl_bytes value = {(void *)data, data[1] < size ? data[1] : size}, got = {0};
    nf_cl_store_put("fuzz", &key, &value);
    if (!find_entry()) fuzz_fail("nothing was written");
    size_t length = read_file(right);
    memcpy(bytes, right, length);
    size_t damaged = damage(bytes, length, data + 2, size - 2);
    look_at(bytes, damaged);
    bool same = damaged == length && !memcmp(bytes, right, length), hit = nf_cl_store_get("fuzz", &key, &got);
    if (hit != same) fuzz_fail("%zu bytes, %s: %s", damaged, same ? "as written" : "damaged", hit ? "a hit" : "a miss");
    if (hit && (got.size != value.size || (got.size && memcmp(got.data, value.data, got.size))))
        fuzz_fail("another value");
    free(got.data);
    if (find_entry() != hit) fuzz_fail("after a %s the file is %s", hit ? "hit" : "miss", hit ? "gone" : "there");
    if (hit) unlink(path);
    return 0;
}
