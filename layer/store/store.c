/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.c - one entry of the cache on disk. Takes a key and a value; returns the value for an equal key. An entry that
 * is truncated, damaged, larger than the limit of the cache, or has another format is a miss.
 *
 * Files that trust.c does not trust are ignored, and symbolic links are not followed. folder.c handles the folder.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct header {
    char magic[8];
    uint64_t key_size, value_size, sum[2];
};

static const char magic[8] = {'N', 'O', 'N', 'F', 'L', 'A', 'T', 2};

enum { USED_SECONDS = 3600, LABEL_MAX = 400, EXPIRY_SECONDS = 7 * 24 * 3600 };

/* ---- checksums and keys ---- */

uint64_t nf_cl_hash(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

bool nf_cl_append_hash(struct nf_cl_bytes *key, const void *data, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(data, size);
    return nf_cl_append(key, &hash, sizeof hash);
}

static void sum_of(const void *key, size_t key_size, const void *value, size_t value_size, uint64_t sum[2])
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(value, value_size, XXH3_64bits(key, key_size));
    sum[0] = hash.low64;
    sum[1] = hash.high64;
}

bool nf_cl_append_head(struct nf_cl_bytes *key, const char *label)
{
    const struct nf_cl_object *layer = nf_cl_object_self();
    return nf_cl_append_text(key, nf_version()) && nf_cl_append_text(key, label) &&
           nf_cl_append(key, layer->build, sizeof layer->build);
}

/* ---- expiry ---- */

uint64_t nf_cl_store_expiry(void)
{
    return (uint64_t)time(NULL) + EXPIRY_SECONDS;
}

/* A time too far in the future counts as past: the clock was wrong when it was written. */
bool nf_cl_store_has_expired(uint64_t expires)
{
    uint64_t now = (uint64_t)time(NULL);
    return expires && (expires < now || expires > now + EXPIRY_SECONDS);
}

/* ---- reading ---- */

/* Returns key and value, in one malloc'ed block, or NULL. With `key`, compares the key first, so that the value of
 * another key is not read. */
static char *read_data(int file, const struct header *header, const struct nf_cl_bytes *key)
{
    size_t total = header->key_size + header->value_size;
    if (key) {
        char *own = malloc(key->size + 1);
        bool same = own && nf_cl_read_fully(file, own, key->size) && memcmp(own, key->data, key->size) == 0;
        free(own);
        if (!same || lseek(file, sizeof *header, SEEK_SET) < 0) return NULL;
    }
    char *data = malloc(total + 1);
    if (data && nf_cl_read_fully(file, data, total)) return data;
    free(data);
    return NULL;
}

/* Returns true if the header is of this version, and its key and value together have `size` bytes, the length of the
 * file's rest. */
static bool fits(const struct header *header, uint64_t size)
{
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->key_size <= size &&
           header->value_size == size - header->key_size;
}

/* Returns key and value of an intact entry in one malloc'ed block, else NULL. With `key`, the entry must have that key.
 * A file larger than the limit of the cache is not read. */
static char *read_entry(int file, const struct stat *info, struct header *header, const struct nf_cl_bytes *key)
{
    uint64_t size = (uint64_t)info->st_size, sum[2];
    if (size < sizeof *header || size > nf_cl_config()->cache_limit) return NULL;
    if (!nf_cl_read_fully(file, header, sizeof *header)) return NULL;
    if (!fits(header, size - sizeof *header) || (key && header->key_size != key->size)) return NULL;
    char *data = read_data(file, header, key);
    if (!data) return NULL;
    sum_of(data, header->key_size, data + header->key_size, header->value_size, sum);
    if (sum[0] == header->sum[0] && sum[1] == header->sum[1]) return data;
    free(data);
    return NULL;
}

bool nf_cl_entry_check(int file, const struct stat *info, char *text, size_t size)
{
    struct header header;
    char *data = read_entry(file, info, &header, NULL);
    if (!data) return false;
    size_t version = strnlen(data, header.key_size);
    size_t label = version < header.key_size ? strnlen(data + version + 1, header.key_size - version - 1) : 0;
    if (version < header.key_size && version < LABEL_MAX && label < LABEL_MAX)
        snprintf(text, size, "%.*s %.*s", (int)version, data, (int)label, data + version + 1);
    else
        snprintf(text, size, "?");
    free(data);
    return true;
}

bool nf_cl_entry_split(const struct nf_cl_bytes *entry, struct nf_cl_bytes *key, struct nf_cl_bytes *value)
{
    struct header header;
    uint64_t sum[2];
    if (entry->size < sizeof header) return false;
    memcpy(&header, entry->data, sizeof header);
    if (!fits(&header, entry->size - sizeof header)) return false;
    *key = (struct nf_cl_bytes){(char *)entry->data + sizeof header, header.key_size};
    *value = (struct nf_cl_bytes){(char *)key->data + key->size, header.value_size};
    sum_of(key->data, key->size, value->data, value->size, sum);
    return sum[0] == header.sum[0] && sum[1] == header.sum[1];
}

/* Updates the time of the last use if that was more than an hour ago, so that many processes that start write little,
 * or if it lies in the future, because the clock was set back. */
static void note_use(int file, const struct stat *info)
{
    time_t age = time(NULL) - info->st_mtim.tv_sec;
    if (age < 0 || age > USED_SECONDS) futimens(file, NULL);
}

bool nf_cl_store_get_from(int folder, const char *name, bool others, const struct nf_cl_bytes *key,
                          struct nf_cl_bytes *value)
{
    struct stat info;
    struct header header;
    char *data = NULL;
    if (folder < 0) return false;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    errno = 0;
    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && nf_cl_is_trusted_entry(&info, others))
        data = read_entry(file, &info, &header, key);
    bool failed = errno != 0; /* memory is exhausted, or the file system does not answer: the entry is not at fault */
    if (data) {
        memmove(data, data + header.key_size, header.value_size);
        *value = (struct nf_cl_bytes){data, header.value_size};
        if (!others) note_use(file, &info);
    }
    if (file >= 0) close(file);
    if (file >= 0 && !data && !others && !failed) unlinkat(folder, name, 0);
    return data != NULL;
}

/* Searches the read-only folders in their order. */
static bool get_from_others(const char *name, const struct nf_cl_bytes *key, struct nf_cl_bytes *value)
{
    char *list = strdup(nf_cl_config()->system_cache), *rest = list;
    bool good = false;
    for (char *path = list ? strtok_r(list, nf_cl_list_separator, &rest) : NULL; path && !good;
         path = strtok_r(NULL, nf_cl_list_separator, &rest)) {
        int folder = nf_cl_open_folder(path, true);
        good = nf_cl_store_get_from(folder, name, true, key, value);
        if (folder >= 0) close(folder);
    }
    free(list);
    return good;
}

bool nf_cl_store_get(const char *kind, const struct nf_cl_bytes *key, struct nf_cl_bytes *value)
{
    char name[NF_CL_NAME_MAX];
    const struct nf_cl_config *config = nf_cl_config();
    if (!config->cache && !config->system_cache) return false;
    nf_cl_name_entry(name, kind, key);
    if (config->system_cache && get_from_others(name, key, value)) return true;
    int folder = nf_cl_open_folder(config->cache, false);
    bool good = nf_cl_store_get_from(folder, name, false, key, value);
    if (folder >= 0) close(folder);
    return good;
}

/* ---- writing ---- */

static bool write_entry(int folder, const char *name, const struct nf_cl_bytes *key, const struct nf_cl_bytes *value)
{
    struct header header = {.key_size = key->size, .value_size = value->size};
    memcpy(header.magic, magic, sizeof magic);
    sum_of(key->data, key->size, value->data, value->size, header.sum);
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = file >= 0 && nf_cl_write_fully(file, &header, sizeof header) &&
                nf_cl_write_fully(file, key->data, key->size) && nf_cl_write_fully(file, value->data, value->size);
    if (file >= 0 && close(file) != 0) good = false;
    if (file >= 0 && !good) unlinkat(folder, name, 0);
    return good;
}

bool nf_cl_store_put(const char *kind, const struct nf_cl_bytes *key, const struct nf_cl_bytes *value)
{
    static atomic_uint number;
    char name[NF_CL_NAME_MAX], temporary[NF_CL_NAME_MAX];
    const struct nf_cl_config *config = nf_cl_config();
    size_t total = sizeof(struct header) + key->size + value->size;
    if (!config->cache || total > config->cache_limit) return false;
    int folder = nf_cl_make_folder(config->cache);
    if (folder < 0) return false;
    unsigned turn = atomic_fetch_add(&number, 1);
    nf_cl_name_entry(name, kind, key);
    nf_cl_name_temporary(temporary, turn);
    bool written = write_entry(folder, temporary, key, value),
         good = written && renameat(folder, temporary, folder, name) == 0;
    if (written && !good) unlinkat(folder, temporary, 0);
    nf_cl_tidy_folder(folder, turn);
    close(folder);
    return good;
}

char *nf_cl_store_name(const char *kind, const struct nf_cl_bytes *key)
{
    char name[NF_CL_NAME_MAX];
    nf_cl_name_entry(name, kind, key);
    return strdup(name);
}

void nf_cl_store_drop_name(const char *name)
{
    int folder = nf_cl_open_folder(nf_cl_config()->cache, false);
    if (folder < 0) return;
    unlinkat(folder, name, 0);
    close(folder);
}

void nf_cl_store_drop(const char *kind, const struct nf_cl_bytes *key)
{
    char name[NF_CL_NAME_MAX];
    nf_cl_name_entry(name, kind, key);
    nf_cl_store_drop_name(name);
}
