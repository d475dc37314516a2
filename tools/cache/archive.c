/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive.c - `nonflat cache export` and `import`: the entries of a cache, except the marks of unfinished builds
 * ("attempt"), in one file, for a container image or for another machine. Takes a cache folder and gives an archive, or
 * the reverse. The keys of a driver's binary and of a trial name the processor and the driver, so only a machine with
 * both uses these entries.
 *
 *     magic | kind, length, entry | kind, length, entry | ... | empty kind, number of entries
 *
 * The name of an entry in the folder follows from its kind and its key, which are both checked, so that an archive
 * cannot choose the path of a file. A valid entry that already exists is kept. The import ends at the first fault of
 * the archive or the cache, and before the cache would exceed `cache-size`; the entries before that are complete.
 * Entries of other kinds are left out, and counted.
 *
 * Hazard: an entry becomes executable code. A checksum detects damage but no manipulation, so an archive is as
 * trustworthy as a program of the same origin.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/cache/cache.h"
#include "layer/store/store.h"

static const char magic[] = "NONFLAT-CACHE 1\n";
enum { MAGIC_SIZE = sizeof magic - 1 };

enum { KIND_SIZE = 16 };

/* Precedes each entry. The last record of the file has no kind, and its size is the number of entries. */
struct prefix {
    char kind[KIND_SIZE]; /* padded with zeros */
    uint64_t size;
};

/* Returns true for a kind of entry that an archive may have: all but "attempt", which concerns a process of one
 * machine. */
static bool is_portable(const char kind[KIND_SIZE])
{
    static const char *const kinds[] = {"module", "bitcode", "refusal", "source", "binary", "trial", "language"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(kinds[i], kind, KIND_SIZE) == 0) return true;
    return false;
}

/* ---- export ---- */

/* Appends an entry of the folder to `archive`. Returns 1; 0 if the entry is damaged, not trusted, not portable, or
 * cannot be read; or -1 with errno set if the archive cannot be written. */
static int export_entry(const struct nf_cache_folder *f, const struct nf_cl_found *found, FILE *archive)
{
    struct prefix prefix = {.size = 0};
    struct nf_cl_bytes entry = {NULL, 0}, key, value;
    size_t kind = strcspn(found->name, "-");
    if (kind >= KIND_SIZE) return 0;
    memcpy(prefix.kind, found->name, kind);
    if (!is_portable(prefix.kind)) return 0;
    bool good = nf_cache_read_entry(f, found, &entry) && nf_cl_entry_split(&entry, &key, &value);
    prefix.size = entry.size;
    errno = 0;
    bool written = good && fwrite(&prefix, sizeof prefix, 1, archive) == 1 &&
                   fwrite(entry.data, 1, entry.size, archive) == entry.size;
    free(entry.data);
    return written ? 1 : good ? -1 : 0;
}

/* Writes the entries that are whole and portable to `archive`. Returns the number of entries, or -1 with errno set. */
static int64_t write_archive(const struct nf_cache_folder *f, FILE *archive)
{
    struct prefix last = {.size = 0};
    if (fwrite(magic, MAGIC_SIZE, 1, archive) != 1) return -1;
    for (size_t i = 0; i < f->count; i++) {
        int done = export_entry(f, &f->entries[i], archive);
        if (done < 0) return -1;
        last.size += (uint64_t)done;
    }
    if (fwrite(&last, sizeof last, 1, archive) != 1 || fflush(archive) != 0) return -1;
    return (int64_t)last.size;
}

/* Writes the archive under a temporary name, then renames it. Returns the number of entries, or -1 with errno set. */
static int64_t write_file(const struct nf_cache_folder *f, const char *path)
{
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) < 0) return -1;
    int handle = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *archive = handle >= 0 ? fdopen(handle, "w") : NULL;
    int64_t count = archive ? write_archive(f, archive) : -1;
    if (archive && fclose(archive) != 0) count = -1;
    if (count >= 0 && rename(temporary, path) != 0) count = -1;
    int reason = errno;
    if (handle >= 0 && count < 0) unlink(temporary);
    free(temporary);
    errno = reason;
    return count;
}

int nf_cache_export(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    const char *path = arguments->rest[1];
    bool standard = strcmp(path, "-") == 0;
    int64_t count = standard ? write_archive(f, stdout) : write_file(f, path);
    if (count < 0) return nf_print_error("cache export: %s: %s", standard ? "standard output" : path, strerror(errno));
    fprintf(standard ? stderr : stdout, "%" PRId64 " of %zu entries exported\n", count, f->count);
    return standard ? NF_EXIT_DONE : nf_finish_output();
}

/* ---- import ---- */

/* The progress of an import. */
struct import {
    struct nf_cache_folder *folder;
    uint64_t seen, added, there, left_out;
};

/* Stores one entry whose kind is known, unless the cache has the entry already. Returns NULL, or the error. */
static const char *import_entry(struct import *import, const char *kind, const struct nf_cl_bytes *entry)
{
    struct nf_cl_bytes key, value, old = {NULL, 0};
    char name[NF_CL_NAME_MAX];
    struct nf_cache_folder *f = import->folder;
    if (!nf_cl_entry_split(entry, &key, &value)) return "an entry is damaged, or of another version";
    nf_cl_name_entry(name, kind, &key);
    if (nf_cl_store_get_from(f->handle, name, false, &key, &old)) { /* the existing entry is at least as good */
        free(old.data);
        import->there++;
        return NULL;
    }
    if (f->total + entry->size > nf_cl_config()->cache_limit) /* no existing entry may be evicted */
        return "the cache would be larger than the setting cache-size allows";
    if (!nf_cl_store_put(kind, &key, &value)) return "the cache cannot be written";
    f->total += entry->size;
    import->added++;
    return NULL;
}

/* Reads the entry that follows `prefix` in the archive, and stores it if its kind is known. Returns NULL, or the
 * error. */
static const char *take_entry(struct import *import, const struct prefix *prefix, FILE *archive)
{
    char kind[KIND_SIZE + 1] = "";
    struct nf_cl_bytes entry = {NULL, prefix->size};
    memcpy(kind, prefix->kind, KIND_SIZE);
    if (prefix->size > nf_cl_config()->cache_limit) return "an entry is longer than the setting cache-size allows";
    entry.data = malloc(entry.size + 1);
    if (!entry.data) return "out of memory";
    const char *wrong = NULL;
    if (fread(entry.data, 1, entry.size, archive) != entry.size)
        wrong = "the archive ends inside an entry";
    else if (is_portable(prefix->kind))
        wrong = import_entry(import, kind, &entry);
    else
        import->left_out++;
    import->seen++;
    free(entry.data);
    return wrong;
}

/* Imports the entries of the archive, up to the first fault. Returns NULL, or the error. */
static const char *read_archive(struct import *import, FILE *archive)
{
    char start[MAGIC_SIZE];
    struct prefix prefix;
    if (fread(start, sizeof start, 1, archive) != 1 || memcmp(start, magic, MAGIC_SIZE) != 0)
        return "the file is not an archive of a cache, or another version of Nonflat wrote it";
    for (;;) {
        if (fread(&prefix, sizeof prefix, 1, archive) != 1) return "the archive ends before its last entry";
        if (!*prefix.kind)
            return prefix.size == import->seen ? NULL : "the archive has another number of entries than it states";
        const char *wrong = take_entry(import, &prefix, archive);
        if (wrong) return wrong;
    }
}

int nf_cache_import(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    const char *path = arguments->rest[1];
    bool standard = strcmp(path, "-") == 0;
    const char *shown = standard ? "standard input" : path;
    FILE *archive = standard ? stdin : fopen(path, "re");
    struct import import = {.folder = f};
    if (!archive) return nf_print_error("cache import: %s: %s", shown, strerror(errno));
    f->handle = f->handle >= 0 ? f->handle : nf_cl_make_folder(f->path);
    const char *wrong = f->handle >= 0 ? read_archive(&import, archive) : "the cache cannot be written";
    if (!standard) fclose(archive);
    printf("%" PRIu64 " entries added, %" PRIu64 " were there already, %" PRIu64 " of an unknown kind omitted\n",
           import.added, import.there, import.left_out);
    int status = nf_finish_output();
    return wrong ? nf_print_error("cache import: %s: %s", shown, wrong) : status;
}
