/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - remembers the core library's answers. Takes a request; gives a shared answer, counted.
 *
 * In memory: a bounded list, newest first. Every part of a request is compared in full, so that no collision can give
 * one module's code to another; the hash only saves comparisons. Refused and malformed modules are remembered too.
 */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64 };
static const size_t BYTES_MAX = (size_t)64 << 20;

struct entry {
    struct nf_cl_special special; /* first: callers hold a pointer to it */
    uint64_t hash;
    void *module;
    size_t size;
    nf_mode mode;
    bool library;
    nf_profile profile; /* lists of the profile are static, so their addresses tell them apart */
    nf_spec_value *specs;
    size_t spec_count;
    unsigned users; /* callers, and one for the list while the entry is in it */
    struct entry *older;
};

static struct entry *newest;
static size_t bytes_held;
static unsigned entries_held;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void hold(void)
{
    pthread_mutex_lock(&lock);
}

static void give(void)
{
    pthread_mutex_unlock(&lock);
}

static void watch_fork(void)
{
    pthread_atfork(hold, give, give);
}

/* Eight bytes a step, whatever the alignment. */
static uint64_t hash_bytes(const void *data, size_t size)
{
    uint64_t hash = 0x9e3779b97f4a7c15ull ^ size, word;
    const unsigned char *at = data;
    for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = (hash ^ word) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, at, size);
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    return hash ^ hash >> 29;
}

static bool same_profile(const nf_profile *a, const nf_profile *b)
{
    return a->max_version == b->max_version && a->flags == b->flags && a->extensions == b->extensions &&
           a->extension_count == b->extension_count && a->capabilities == b->capabilities &&
           a->capability_count == b->capability_count;
}

static bool same_specs(const nf_spec_value *a, const nf_spec_value *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].id != b[i].id || a[i].size != b[i].size || a[i].value != b[i].value) return false;
    return true;
}

static bool matches(const struct entry *entry, const struct nf_cl_request *request, uint64_t hash)
{
    return entry->hash == hash && entry->size == request->size && entry->mode == request->mode &&
           entry->library == request->library && entry->spec_count == request->spec_count &&
           same_profile(&entry->profile, request->profile) &&
           same_specs(entry->specs, request->specs, entry->spec_count) &&
           memcmp(entry->module, request->module, entry->size) == 0;
}

static size_t weight(const struct entry *entry)
{
    return entry->size + entry->special.bytes.size;
}

static void free_entry(struct entry *entry)
{
    free(entry->special.bytes.data);
    free(entry->special.report);
    free(entry->module);
    free(entry->specs);
    free(entry);
}

/* ---- the list: these need the lock ---- */

static struct entry *find(const struct nf_cl_request *request, uint64_t hash)
{
    for (struct entry **at = &newest; *at; at = &(*at)->older) {
        struct entry *entry = *at;
        if (!matches(entry, request, hash)) continue;
        *at = entry->older;
        entry->older = newest;
        newest = entry;
        return entry;
    }
    return NULL;
}

static void drop(struct entry *entry)
{
    if (--entry->users == 0) free_entry(entry);
}

static void evict(void)
{
    while (newest && newest->older && (entries_held > ENTRIES || bytes_held > BYTES_MAX)) {
        struct entry **at = &newest;
        while ((*at)->older)
            at = &(*at)->older;
        struct entry *oldest = *at;
        *at = NULL;
        entries_held--;
        bytes_held -= weight(oldest);
        drop(oldest);
    }
}

static void insert(struct entry *entry)
{
    entry->users++;
    entry->older = newest;
    newest = entry;
    entries_held++;
    bytes_held += weight(entry);
    evict();
}

/* ---- in and out ---- */

/* Move `special` into a fresh entry that knows its question. */
static struct entry *make_entry(struct nf_cl_special *special, const struct nf_cl_request *request, uint64_t hash)
{
    struct entry *entry = calloc(1, sizeof(*entry));
    if (!entry) return NULL;
    entry->module = malloc(request->size ? request->size : 1);
    entry->specs = calloc(request->spec_count + 1, sizeof(*entry->specs));
    if (!entry->module || !entry->specs) {
        free_entry(entry);
        return NULL;
    }
    memcpy(entry->module, request->module, request->size);
    if (request->spec_count) memcpy(entry->specs, request->specs, request->spec_count * sizeof(*entry->specs));
    entry->special = *special;
    entry->hash = hash;
    entry->size = request->size;
    entry->mode = request->mode;
    entry->library = request->library;
    entry->profile = *request->profile;
    entry->spec_count = request->spec_count;
    entry->users = 1;
    free(special);
    return entry;
}

struct nf_cl_special *nf_cl_cache_get(const struct nf_cl_request *request)
{
    pthread_once(&fork_once, watch_fork);
    uint64_t hash = hash_bytes(request->module, request->size);
    hold();
    struct entry *entry = find(request, hash);
    if (entry) entry->users++;
    give();
    if (entry) return &entry->special;
    struct nf_cl_special *special = nf_cl_specialise(request);
    entry = special ? make_entry(special, request, hash) : NULL;
    if (!entry) {
        nf_cl_special_free(special);
        return NULL;
    }
    hold();
    insert(entry);
    give();
    return &entry->special;
}

void nf_cl_cache_put(struct nf_cl_special *special)
{
    if (!special) return;
    hold();
    drop((struct entry *)special);
    give();
}

void nf_cl_cache_forget(void)
{
    hold();
    while (newest) {
        struct entry *entry = newest;
        newest = entry->older;
        drop(entry);
    }
    entries_held = 0;
    bytes_held = 0;
    give();
}
