/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.c - the property: whatever the bytes of a cache entry are, reading it stays within them, and returns the value
 * that was stored under the requested key, or nothing. A damaged entry is never accepted.
 *
 * Like cache.c, but without files, so that a hundred million inputs can be tried: the sources that read the cache are
 * part of this target, and read from memory. Values are also parsed as if their checksums were right.
 *
 * Input: the number of steps of damage (0 to 7), the key's length, then five bytes for each step: kind, position (two
 * bytes), two bytes. The rest is the value; the key is its beginning.
 */
#define _GNU_SOURCE
#include "property.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/base/base.h"

/* ---- The file, in memory ----------------------------------------------------------------------------------------- */

enum { MOST = 64 * 1024, FILE_OF_OURS = 1000 };

static struct {
    const uint8_t *bytes;
    size_t size, at;
} disk;
static uint8_t written[MOST];
static size_t written_size;

static bool read_memory(int file, void *data, size_t size)
{
    if (file != FILE_OF_OURS) fuzz_fail("another file is read");
    if (size > disk.size - disk.at) return false;
    memcpy(data, disk.bytes + disk.at, size);
    disk.at += size;
    return true;
}

static off_t seek_memory(int file, off_t at, int from)
{
    if (file != FILE_OF_OURS || from != SEEK_SET || (size_t)at > disk.size) fuzz_fail("sought where nothing is");
    disk.at = (size_t)at;
    return at;
}

static bool write_memory(int file, const void *data, size_t size)
{
    if (file != FILE_OF_OURS || size > MOST - written_size) return false;
    if (size) memcpy(written + written_size, data, size);
    written_size += size;
    return true;
}

static int close_memory(int file)
{
    return file == FILE_OF_OURS ? 0 : -1;
}

#define nf_cl_read_fully read_memory
#define nf_cl_write_fully write_memory
#define lseek seek_memory
#define openat(folder, name, ...) ((void)(folder), (void)(name), FILE_OF_OURS)
#define close(file) close_memory(file)
#define unlinkat(folder, name, flags) ((void)(folder), (void)(name))
#define nf_version() "0" /* avoids the core library: fewer coverage counters allow more inputs */
#include "layer/store/store.c"
#undef openat
#undef close
#undef unlinkat
#include "layer/specialize/specialize.h"
static void free_special(struct nf_cl_result *special)
{
    if (!special) return;
    free(special->bytes.data);
    free(special->report);
    free(special);
}
#define nf_cl_specialize(request) ((void)(request), NULL)
#define nf_cl_result_free free_special
#include "layer/specialize/cache.c"
#include "layer/translate/notes.c"

/* ---- Readers ----------------------------------------------------------------------------------------------------- */

static char *read_it(const uint8_t *bytes, size_t size, struct header *header, const struct nf_cl_bytes *key)
{
    struct stat info = {.st_size = (off_t)size};
    disk.bytes = bytes;
    disk.size = size;
    disk.at = 0;
    return read_entry(FILE_OF_OURS, &info, header, key);
}

static void list_it(const uint8_t *bytes, size_t size)
{
    struct stat info = {.st_size = (off_t)size};
    char text[64];
    disk.bytes = bytes;
    disk.size = size;
    disk.at = 0;
    if (nf_cl_entry_check(FILE_OF_OURS, &info, text, sizeof text) && strlen(text) >= sizeof text)
        fuzz_fail("a label without an end");
}

/* Parses bytes that another build of the layer has stored, with a correct checksum. */
static void read_value(const uint8_t *bytes, size_t size)
{
    const struct nf_cl_bytes value = {(void *)bytes, size};
    struct nf_cl_result *special = unpack(&value);
    if (special && special->bytes.size + strlen(special->report) + sizeof(struct head) >= size)
        fuzz_fail("an answer is longer than what it was read from");
    free_special(special);
    struct nf_cl_bytes notes = value;
    struct nf_cl_note note;
    while (nf_cl_notes_next(&notes, &note)) {
        const uint8_t *end = (const uint8_t *)note.value + note.value_size;
        if ((const uint8_t *)note.name < bytes || end > bytes + size || end + notes.size != bytes + size)
            fuzz_fail("a note that is not inside");
        nf_cl_note_is(&note, "file");
    }
}

/* ---- The input --------------------------------------------------------------------------------------------------- */

enum { STEP = 5 };

/* One step of damage: truncates, extends, changes bits, a byte or a 64-bit word, or moves the rest of the bytes.
 * @return the new size. */
static size_t damage(uint8_t *bytes, size_t size, const uint8_t step[STEP])
{
    size_t at = size ? (step[1] | (size_t)step[2] << 8) % size : 0;
    const uint64_t number = step[3] | (uint64_t)step[4] << 56;
    switch (step[0] % 8) {
    case 0: return at;
    case 1:
        if (size < MOST) bytes[size++] = step[3];
        return size;
    case 2: memmove(bytes + at, bytes, size - at); return size;
    case 3: memset(bytes + at, step[3], size - at); return size;
    case 4:
        at = at % 64 & ~(size_t)7; /* usually in the header */
        if (size >= at + 8) memcpy(bytes + at, &number, 8);
        return size;
    default:
        if (size) bytes[at] ^= step[3];
        return size;
    }
}

static void write_right(const struct nf_cl_bytes *key, const struct nf_cl_bytes *value)
{
    written_size = 0;
    if (!write_entry(0, "entry", key, value)) fuzz_fail("an entry of %zu bytes cannot be written", value->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[MOST];
    static bool started;
    if (!started && setenv("NONFLAT_CONFIG", "off", 1)) abort();
    started = true;
    size_t steps = size ? data[0] % 8 * (size_t)STEP : 0;
    if (size < 2 + steps || size > MOST / 4) return 0;
    const uint8_t *rest = data + 2 + steps;
    size_t length = size - 2 - steps;
    const struct nf_cl_bytes key = {(void *)rest, data[1] < length ? data[1] : length}, value = {(void *)rest, length};
    write_right(&key, &value);
    memcpy(bytes, written, written_size);
    size_t damaged = written_size;
    for (size_t i = 0; i < steps; i += STEP)
        damaged = damage(bytes, damaged, data + 2 + i);
    bool same = damaged == written_size && !memcmp(bytes, written, damaged);
    struct header header;
    char *got = read_it(fuzz_at_an_edge(bytes, damaged), damaged, &header, &key);
    if (!got != !same)
        fuzz_fail("%zu bytes, %s: %s", damaged, same ? "as written" : "damaged", got ? "a hit" : "a miss");
    if (got && (header.value_size != length || (length && memcmp(got + key.size, rest, length))))
        fuzz_fail("another value");
    fuzz_taken += got != NULL;
    free(got);
    list_it(fuzz_at_an_edge(bytes, damaged), damaged);
    list_it(fuzz_at_an_edge(data, size), size);
    read_value(fuzz_at_an_edge(rest, length), length);
    return 0;
}
