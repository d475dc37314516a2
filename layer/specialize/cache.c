/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - cache of the core library's results. Takes a request; gives a shared, reference-counted result.
 *
 * In memory: a list of limited size, most recently used first. The module and its values are compared in full, the
 * profile by its numbers, its faults and the addresses of its lists, so that no hash collision can give one module's
 * code to another; the hash only saves comparisons. The time limit is not compared. Results for refused and malformed
 * modules are cached, too.
 *
 * On disk (store.c): the same, for other processes and later runs.
 */
#define _GNU_SOURCE
#include "layer/specialize/specialize.h"
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 512 };
static const size_t BYTES_MAX = (size_t)64 << 20;

struct entry {
    struct nf_cl_result special; /* must be first: callers hold a pointer to it */
    uint64_t hash;
    void *module;
    size_t size;
    nf_mode mode;
    bool library, text;
    uint32_t c_version, c_features;
    nf_profile profile; /* its extensions and capabilities stay with the device's record: addresses are compared */
    uint32_t faults[NF_CL_FAULTS];
    nf_spec_value *specs;
    size_t spec_count;
    unsigned users; /* callers, plus one for the list while the entry is in it */
    struct entry *older;
};

static struct entry *newest;
static size_t bytes_held;
static unsigned entries_held;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

static bool same_profile(const nf_profile *a, const nf_profile *b)
{
    return a->max_version == b->max_version && a->flags == b->flags && a->extensions == b->extensions &&
           a->extension_count == b->extension_count && a->capabilities == b->capabilities &&
           a->capability_count == b->capability_count && a->max_work_group_size == b->max_work_group_size &&
           a->subgroup_sizes == b->subgroup_sizes && nf_cl_same_addresses(a, b) && nf_cl_same_faults(a, b);
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
           entry->library == request->library && entry->text == request->text &&
           entry->c_version == request->c_version && entry->c_features == request->c_features &&
           entry->spec_count == request->spec_count && same_profile(&entry->profile, request->profile) &&
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

/* ---- the list; these functions need the lock ---- */

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

/* ---- entries ---- */

/* Moves `special` to a new entry with a copy of its request. @return NULL if out of memory; then the caller still owns
 * `special`. */
static struct entry *make_entry(struct nf_cl_result *special, const struct nf_cl_request *request, uint64_t hash)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry) return NULL;
    entry->module = malloc(request->size ? request->size : 1);
    entry->specs = calloc(request->spec_count + 1, sizeof *entry->specs);
    if (!entry->module || !entry->specs) {
        free_entry(entry);
        return NULL;
    }
    memcpy(entry->module, request->module, request->size);
    if (request->spec_count) memcpy(entry->specs, request->specs, request->spec_count * sizeof *entry->specs);
    entry->special = *special;
    entry->hash = hash;
    entry->size = request->size;
    entry->mode = request->mode;
    entry->library = request->library;
    entry->text = request->text;
    entry->c_version = request->c_version;
    entry->c_features = request->c_features;
    entry->profile = *request->profile;
    nf_cl_unite_faults(&entry->profile, entry->faults, request->profile);
    entry->spec_count = request->spec_count;
    entry->users = 1;
    free(special);
    return entry;
}

/* ---- on disk ---- */

static const char kind[] = "module";

/* The key begins with the version and the build of the layer, which nf_cl_append_head() appends. */
bool nf_cl_cache_key(const struct nf_cl_request *request, struct nf_cl_bytes *key)
{
    const nf_profile *profile = request->profile;
    const uint64_t numbers[] = {(uint64_t)request->mode,  request->library,
                                profile->max_version,     profile->flags,
                                profile->extension_count, profile->capability_count,
                                request->spec_count,      request->size,
                                profile->address_form,    profile->window_bits,
                                profile->private_window,  profile->local_window,
                                profile->fault_count,     profile->max_work_group_size,
                                profile->subgroup_sizes};
    const uint32_t output[] = {request->text, request->c_version, request->c_features};
    static const char *const modes[] = {"auto", "static", "hint", "dynamic", "off"};
    char *label = nf_cl_format("module of %zu bytes, %s%s", request->size, modes[request->mode],
                               request->text                        ? ", as OpenCL C"
                               : profile->flags & NF_PROFILE_SPIR12 ? ", for bitcode"
                                                                    : "");
    bool good = label && nf_cl_append_head(key, label) && nf_cl_append(key, numbers, sizeof numbers) &&
                nf_cl_append(key, output, sizeof output);
    free(label);
    bool any = profile->extension_count == SIZE_MAX; /* any extension: the list is empty */
    for (size_t i = 0; good && !any && i < profile->extension_count; i++)
        good = nf_cl_append_text(key, profile->extensions[i]);
    good = good && nf_cl_append(key, profile->capabilities, profile->capability_count * sizeof(uint32_t));
    good = good && nf_cl_append(key, profile->faults, profile->fault_count * sizeof(uint32_t));
    for (size_t i = 0; good && i < request->spec_count; i++) {
        const uint64_t spec[] = {request->specs[i].id, request->specs[i].size, request->specs[i].value};
        good = nf_cl_append(key, spec, sizeof spec);
    }
    return good && nf_cl_append(key, request->module, request->size);
}

/* A cached value is this head, the report with its NUL, and the output. */
struct head {
    uint32_t status, changed, report_size;
    nf_counts counts;
    uint64_t expires; /* seconds of the real-time clock; 0: never */
};

static struct nf_cl_result *unpack(const struct nf_cl_bytes *value)
{
    struct head head;
    struct nf_cl_result *special = value->size >= sizeof head ? calloc(1, sizeof *special) : NULL;
    if (!special) return NULL;
    memcpy(&head, value->data, sizeof head);
    if (nf_cl_store_has_expired(head.expires)) {
        free(special);
        return NULL;
    }
    const char *report = (const char *)value->data + sizeof head;
    size_t rest = value->size - sizeof head;
    bool good = head.report_size > 0 && head.report_size <= rest && report[head.report_size - 1] == '\0';
    special->status = (nf_status)head.status;
    special->timed_out = head.expires;
    special->changed = head.changed;
    special->counts = head.counts;
    special->report = good ? strdup(report) : NULL;
    special->bytes.size = good ? rest - head.report_size : 0;
    special->bytes.data = malloc(special->bytes.size + 1);
    if (special->report && special->bytes.data) {
        memcpy(special->bytes.data, report + head.report_size, special->bytes.size);
        return special;
    }
    nf_cl_result_free(special);
    return NULL;
}

/* Stores a result in the background. Takes ownership of the key's data. */
static void store(struct nf_cl_bytes *key, const struct nf_cl_result *special)
{
    const struct head head = {(uint32_t)special->status, special->changed, (uint32_t)strlen(special->report) + 1,
                              special->counts, special->timed_out ? nf_cl_store_expiry() : 0};
    struct nf_cl_bytes value = {NULL, 0};
    if (nf_cl_append(&value, &head, sizeof head) && nf_cl_append_text(&value, special->report) &&
        nf_cl_append(&value, special->bytes.data, special->bytes.size))
        nf_cl_store_put_later(kind, key, &value);
    free(value.data);
}

/* Gets the result from disk, else from the core; NULL if out of memory. Sets `*hit` to whether it comes from disk. With
 * the setting `dump` the disk is not used. */
static struct nf_cl_result *find_or_specialize(const struct nf_cl_request *request, bool *hit)
{
    const struct nf_cl_config *config = nf_cl_config();
    struct nf_cl_bytes key = {NULL, 0}, value = {NULL, 0};
    struct nf_cl_result *special = NULL;
    struct nf_cl_claim claim = {.name = ""};
    bool disk = !config->dump && (config->cache || config->system_cache) && nf_cl_cache_key(request, &key);
    if (disk && nf_cl_store_get_or_claim(kind, &key, &value, &claim)) special = unpack(&value);
    *hit = special != NULL;
    free(value.data);
    if (!special) {
        special = nf_cl_specialize(request);
        if (disk && special) store(&key, special);
    }
    nf_cl_claim_release_later(&claim);
    free(key.data);
    return special;
}

struct nf_cl_result *nf_cl_cache_get(const struct nf_cl_request *request, bool *hit)
{
    uint64_t hash = nf_cl_hash(request->module, request->size);
    nf_cl_lock_acquire(&lock);
    struct entry *entry = find(request, hash);
    if (entry) entry->users++;
    nf_cl_lock_release(&lock);
    *hit = entry != NULL;
    if (entry) return &entry->special;
    struct nf_cl_result *special = find_or_specialize(request, hit);
    entry = special ? make_entry(special, request, hash) : NULL;
    if (!entry) {
        nf_cl_result_free(special);
        return NULL;
    }
    nf_cl_lock_acquire(&lock);
    insert(entry);
    nf_cl_lock_release(&lock);
    return &entry->special;
}

void nf_cl_cache_put(struct nf_cl_result *special)
{
    if (!special) return;
    nf_cl_lock_acquire(&lock);
    drop((struct entry *)special);
    nf_cl_lock_release(&lock);
}

void nf_cl_cache_forget(void)
{
    nf_cl_lock_acquire(&lock);
    while (newest) {
        struct entry *entry = newest;
        newest = entry->older;
        drop(entry);
    }
    entries_held = 0;
    bytes_held = 0;
    nf_cl_lock_release(&lock);
}
