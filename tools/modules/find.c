/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find.c - finds the SPIR-V modules in a file: a .spv file, an executable or shared object, an offload bundle, also
 * compressed within any of them.
 *
 *     ELF           each section separately, so that bytes after a section's last module are not taken for its end
 *     bundle        "__CLANG_OFFLOAD_BUNDLE__": each entry separately
 *     Zstandard     each frame is decompressed and searched like a file (if built with libzstd)
 *     anything else from its first byte to its last
 *
 * A module begins with the magic number in either byte order, a valid header and an OpCapability. A module ends with
 * its last instruction: only another function (or debug information) may follow a function.
 */
#include <stdlib.h>
#include <string.h>
#ifdef NONFLAT_ZSTD
#include <zstd.h>
#endif

#include "tools/modules/modules.h"

enum { DEEPEST = 3, LARGEST_ENTRY_COUNT = 4096 };
#ifdef NONFLAT_ZSTD
static const size_t largest_image = (size_t)1 << 30;
#endif
static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";

/* A range of bytes to search. */
struct range {
    const unsigned char *bytes;
    size_t begin, end;
    uint64_t offset; /* added to a position for its offset in the file; in a decompressed frame: the frame's */
    int packing, depth;
    struct nf_module_list *finds;
};

static uint64_t read_number(const unsigned char *bytes, int size, bool is_big)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (is_big ? size - 1 - i : i);
    return value;
}

/* ---- One module ---- */

static uint32_t word_at(const unsigned char *bytes, bool is_big)
{
    return (uint32_t)read_number(bytes, 4, is_big);
}

static bool begins_module(const unsigned char *bytes, size_t size, bool is_big)
{
    if (size < (NF_SPV_HEADER_WORDS + 2) * 4) return false;
    uint32_t version = word_at(bytes + 4, is_big), bound = word_at(bytes + 12, is_big);
    uint32_t schema = word_at(bytes + 16, is_big), first = word_at(bytes + 20, is_big);
    return (version & 0xff0000ff) == 0 && version >> 16 == 1 && bound > 0 && schema == 0 &&
           first == (2u << 16 | NF_SPV_CAPABILITY);
}

static bool may_follow_function(uint32_t opcode)
{
    return opcode == NF_SPV_FUNCTION || opcode == NF_SPV_LINE || opcode == NF_SPV_NO_LINE || opcode == NF_SPV_EXT_INST;
}

/* Returns the size in bytes of the module that begins at `bytes`. If the bytes end within a function, the module
 * includes the incomplete instruction at its end. */
static size_t module_size(const unsigned char *bytes, size_t size, bool is_big)
{
    size_t at = (size_t)NF_SPV_HEADER_WORDS * 4, behind_function = 0;
    int inside = 0;
    while (size - at >= 4) {
        uint32_t word = word_at(bytes + at, is_big), opcode = word & 0xffff;
        size_t length = (size_t)(word >> 16) * 4;
        if (word == NF_SPV_MAGIC || length == 0) break;
        if (behind_function && !inside && !may_follow_function(opcode)) break;
        if (length > size - at) return inside ? size : behind_function ? behind_function : at;
        at += length;
        if (opcode == NF_SPV_FUNCTION) inside = 1;
        if (opcode == NF_SPV_FUNCTION_END) {
            inside = 0;
            behind_function = at;
        }
    }
    return inside || !behind_function ? at : behind_function;
}

/* Returns a hash that is not collision-resistant: modules with equal hashes are compared byte by byte. */
static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = size * UINT64_C(0x9e3779b97f4a7c15);
    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t piece;
        memcpy(&piece, bytes, 8);
        hash = (hash ^ piece) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    for (; size; bytes++, size--)
        hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
    return hash;
}

static void add_module(const struct range *r, size_t at, size_t size)
{
    struct nf_module_list *finds = r->finds;
    if (finds->count == finds->capacity) {
        size_t capacity = finds->capacity ? finds->capacity * 2 : 16;
        struct nf_found *larger = realloc(finds->modules, capacity * sizeof *larger);
        if (!larger) {
            finds->short_of_memory = true;
            return;
        }
        finds->modules = larger;
        finds->capacity = capacity;
    }
    uint64_t offset = r->packing & NF_PACKED_ZSTD ? r->offset : r->offset + at;
    finds->modules[finds->count++] =
        (struct nf_found){r->bytes + at, size, offset, hash_of(r->bytes + at, size), r->packing};
}

/* ---- Compressed images and bundles ---- */

static void search_range(const struct range *r);

#ifdef NONFLAT_ZSTD
/* Decompresses a frame whose header lacks the size of the contents. Returns malloc'ed bytes; NULL if the frame is
 * damaged, holds more than 1 GiB, or memory is exhausted. */
static unsigned char *decompress_stream(const unsigned char *frame, size_t frame_size, size_t *size)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    size_t capacity = 1 << 20, left = 1;
    unsigned char *bytes = malloc(capacity);
    ZSTD_inBuffer in = {frame, frame_size, 0};
    ZSTD_outBuffer out = {bytes, capacity, 0};
    while (stream && bytes && left) {
        left = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(left) || (left && in.pos == in.size && out.pos < out.size)) break;
        if (out.pos < out.size) continue;
        unsigned char *larger = capacity < largest_image ? realloc(bytes, capacity * 2) : NULL;
        if (!larger) break;
        out.dst = bytes = larger;
        out.size = capacity = capacity * 2;
    }
    ZSTD_freeDStream(stream);
    *size = out.pos;
    if (left == 0) return bytes;
    free(bytes);
    return NULL;
}

static unsigned char *decompress(const unsigned char *frame, size_t frame_size, size_t *size)
{
    unsigned long long known = ZSTD_getFrameContentSize(frame, frame_size);
    if (known == ZSTD_CONTENTSIZE_ERROR) return NULL;
    if (known == ZSTD_CONTENTSIZE_UNKNOWN) return decompress_stream(frame, frame_size, size);
    if (known == 0 || known > largest_image) return NULL;
    unsigned char *bytes = malloc((size_t)known);
    *size = bytes ? ZSTD_decompress(bytes, (size_t)known, frame, frame_size) : 0;
    if (bytes && *size == known) return bytes;
    free(bytes);
    return NULL;
}

/* Searches the frame at `at`. Returns the size of the frame in bytes; 0 if there is no complete frame, or it is nested
 * too deep. */
static size_t search_frame(const struct range *r, size_t at)
{
    size_t frame_size = ZSTD_findFrameCompressedSize(r->bytes + at, r->end - at), size = 0;
    if (ZSTD_isError(frame_size) || r->depth >= DEEPEST) return 0;
    unsigned char *bytes = decompress(r->bytes + at, frame_size, &size);
    unsigned char **kept = bytes ? realloc(r->finds->unpacked, (r->finds->unpacked_count + 1) * sizeof *kept) : NULL;
    if (!kept) {
        r->finds->unread++;
        free(bytes);
        return frame_size;
    }
    r->finds->unpacked = kept;
    size_t before = r->finds->count;
    uint64_t offset = r->packing & NF_PACKED_ZSTD ? r->offset : r->offset + at;
    struct range inside = {bytes, 0, size, offset, r->packing | NF_PACKED_ZSTD, r->depth + 1, r->finds};
    search_range(&inside);
    if (r->finds->count > before)
        kept[r->finds->unpacked_count++] = bytes;
    else
        free(bytes);
    return frame_size;
}
#else
/* Counts a likely frame, without decompressing it: the header's reserved bit is 0. Returns the size of its magic
 * number, 0 if there is no frame. */
static size_t search_frame(const struct range *r, size_t at)
{
    if (r->end - at < 9 || r->bytes[at + 4] & 0x08) return 0;
    r->finds->unread++;
    return 4;
}
#endif

/* Sets `*entry` to the range of the next entry of the bundle at `at`, whose header begins `*header` bytes behind `at`,
 * and moves `*header` behind that header. Returns false if the entry is invalid. */
static bool next_entry(const struct range *r, size_t at, size_t *header, struct range *entry)
{
    size_t left = r->end - at;
    if (left - *header < 24) return false;
    const unsigned char *bytes = r->bytes + at + *header;
    uint64_t begin = read_number(bytes, 8, 0), size = read_number(bytes + 8, 8, 0),
             name = read_number(bytes + 16, 8, 0);
    if (name > left - *header - 24 || begin > left || size > left - begin) return false;
    *header += 24 + (size_t)name;
    *entry = *r;
    entry->begin = at + (size_t)begin;
    entry->end = entry->begin + (size_t)size;
    entry->packing |= NF_PACKED_BUNDLE;
    entry->depth++;
    return true;
}

/* Searches the bundle at `at`. Returns the size of the bundle in bytes; 0 if the bytes at `at` are no valid bundle, or
 * a bundle with too many entries or nested too deep; the caller then searches these bytes like any other bytes. So no
 * entry is searched before all are known to be valid. */
static size_t search_bundle(const struct range *r, size_t at)
{
    size_t magic = sizeof bundle_magic - 1, left = r->end - at, first = magic + 8, header = first, last = at;
    struct range entry;
    if (left < first || memcmp(r->bytes + at, bundle_magic, magic) != 0 || r->depth >= DEEPEST) return 0;
    uint64_t count = read_number(r->bytes + at + magic, 8, 0);
    if (count == 0 || count > LARGEST_ENTRY_COUNT) return 0;
    for (uint64_t i = 0; i < count; i++)
        if (!next_entry(r, at, &header, &entry)) return 0;
    header = first;
    for (uint64_t i = 0; i < count && next_entry(r, at, &header, &entry); i++) {
        search_range(&entry);
        last = entry.end > last ? entry.end : last;
    }
    return last - at > header ? last - at : header;
}

/* Adds the module, or searches the frame or bundle, that begins at `at`. Returns the size of what was found in bytes, 0
 * if nothing begins there. */
static size_t take(const struct range *r, size_t at)
{
    const unsigned char *bytes = r->bytes + at;
    static const unsigned char little[] = {3, 2, 0x23, 7}, big[] = {7, 0x23, 2, 3}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    bool is_big = memcmp(bytes, big, 4) == 0;
    if (is_big || memcmp(bytes, little, 4) == 0) {
        if (!begins_module(bytes, r->end - at, is_big)) return 0;
        size_t size = module_size(bytes, r->end - at, is_big);
        add_module(r, at, size);
        return size;
    }
    if (memcmp(bytes, zstd, 4) == 0) return search_frame(r, at);
    return bytes[0] == '_' ? search_bundle(r, at) : 0;
}

static void search_range(const struct range *r)
{
    for (size_t at = r->begin; at < r->end && r->end - at >= 4; at++) {
        unsigned char first = r->bytes[at];
        if (first != 3 && first != 7 && first != 0x28 && first != '_') continue;
        size_t taken = take(r, at);
        if (taken) at += taken - 1;
    }
}

/* ---- Files ---- */

/* Searches a section. In a section that is compressed with Zstandard a frame follows the header, and is found by its
 * magic number; contents that are compressed with zlib are not read. */
static void search_section(const struct range *whole, const unsigned char *header, bool is_wide, bool is_big)
{
    enum { NOBITS = 8 };
    uint64_t type = read_number(header + 4, 4, is_big);
    uint64_t offset = is_wide ? read_number(header + 24, 8, is_big) : read_number(header + 16, 4, is_big);
    uint64_t size = is_wide ? read_number(header + 32, 8, is_big) : read_number(header + 20, 4, is_big);
    if (type == 0 || type == NOBITS || offset > whole->end || size > whole->end - offset) return;
    struct range section = *whole;
    section.begin = (size_t)offset;
    section.end = (size_t)(offset + size);
    search_range(&section);
}

/* Searches the sections of an ELF file. Returns 0 if the file is not an ELF file with sections. */
static int search_elf(const struct range *whole)
{
    const unsigned char *bytes = whole->bytes;
    if (whole->end < 64 || memcmp(bytes, "\177ELF", 4) != 0) return 0;
    bool is_wide = bytes[4] == 2, is_big = bytes[5] == 2;
    uint64_t table = is_wide ? read_number(bytes + 40, 8, is_big) : read_number(bytes + 32, 4, is_big);
    uint64_t each = read_number(bytes + (is_wide ? 58 : 46), 2, is_big);
    uint64_t count = read_number(bytes + (is_wide ? 60 : 48), 2, is_big);
    uint64_t least = is_wide ? 64 : 40;
    if (table == 0 || table > whole->end || each < least || count * each > whole->end - table) return 0;
    /* If there are 65,280 sections or more, the first section header has their number. */
    if (count == 0 && whole->end - table >= each)
        count = is_wide ? read_number(bytes + table + 32, 8, is_big) : read_number(bytes + table + 20, 4, is_big);
    if (count == 0 || count > (whole->end - table) / each) return 0;
    for (uint64_t i = 0; i < count; i++)
        search_section(whole, bytes + table + i * each, is_wide, is_big);
    return 1;
}

void nf_find_modules(const unsigned char *bytes, size_t size, struct nf_module_list *finds)
{
    struct range whole = {bytes, 0, size, 0, NF_PACKED_PLAIN, 0, finds};
    if (!search_elf(&whole)) search_range(&whole);
}

void nf_module_list_free(struct nf_module_list *finds)
{
    for (size_t i = 0; i < finds->unpacked_count; i++)
        free(finds->unpacked[i]);
    free(finds->unpacked);
    free(finds->modules);
    memset(finds, 0, sizeof *finds);
}
