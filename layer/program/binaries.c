/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binaries.c - cache of driver binaries on disk, for drivers that build slowly and load binaries quickly
 * (layer/device/device.c), and of the reasons for which builds of specialized modules failed. Takes a program and the
 * options of a build; gives a built driver program, the reason for a failure, or nothing.
 *
 * A binary is valid only for the exact driver, device, processor and layers below that produced it, so the key contains
 * them, and the environment variables that drivers read, by their known prefixes. The driver's log is stored with the
 * binary, so that queries have the same results with and without a hit. A binary that the driver refuses is removed.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char kind[] = "binary";

/* ---- the key ---- */

static bool append_device(struct nf_cl_bytes *key, cl_device_id device, cl_device_info name)
{
    char text[1024] = "";
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, sizeof text - 1, text, NULL);
    return nf_cl_append_text(key, text);
}

static bool append_platform(struct nf_cl_bytes *key, cl_platform_id platform, cl_platform_info name)
{
    char text[1024] = "";
    NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, platform, name, sizeof text - 1, text, NULL);
    return nf_cl_append_text(key, text);
}

/* Prefixes of the names of environment variables that drivers read. The key contains the names, and hashes of the
 * values. */
static const char *const variables[] = {"CL_CONFIG_", "GALLIUM_", "IGC_",      "LP_",      "MESA_",    "NEO_",
                                        "OCL_",       "POCL_",    "OCLGRIND_", "RUSTICL_", "SYCL_CPU_"};

static bool is_read_by_drivers(const char *variable)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (strncmp(variable, variables[i], strlen(variables[i])) == 0) return strncmp(variable, "OCL_ICD_", 8) != 0;
    return false;
}

/* Appends the names of the layers below this one, which may change the driver's input, and the drivers' environment
 * variables. The layers above, and the way in which this layer was loaded, have no effect on a build. @return false if
 * out of memory. */
static bool append_environment(struct nf_cl_bytes *key)
{
    char *below = nf_cl_layers_below();
    bool good = below && nf_cl_append_hash(key, below, strlen(below));
    free(below);
    const char *variable;
    for (size_t i = 0; good && (variable = nf_cl_variable(i)); i++) {
        size_t name = strcspn(variable, "=");
        if (is_read_by_drivers(variable))
            good =
                nf_cl_append(key, variable, name) && nf_cl_append_hash(key, variable + name, strlen(variable + name));
    }
    return good;
}

/* Returns true if the environment makes Intel's GPU driver read hundreds of further variables as settings. The key does
 * not contain these. */
static bool reads_any_variable(void)
{
    const char *value = nf_cl_variable_value("NEOReadDebugKeys");
    return value && *value && strcmp(value, "0") != 0;
}

/* Appends the identity of a loaded library: its build id and its file. The inode number of the file, which differs
 * between machines with the same installation, counts only without a build id. @return false if out of memory. */
static bool append_library(struct nf_cl_bytes *key, const struct nf_cl_object *object)
{
    struct stat info;
    int64_t file[4] = {0};
    if (*object->path && stat(object->path, &info) == 0) {
        const int64_t is[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                              object->build_size ? 0 : (int64_t)info.st_ino};
        memcpy(file, is, sizeof file);
    }
    return nf_cl_append(key, object->build, sizeof object->build) && nf_cl_append(key, file, sizeof file);
}

/* Appends the identity of the driver's library. @return false if out of memory. The library contains the functions of
 * the dispatch table to which the first member of each driver object points. */
static bool append_driver(struct nf_cl_bytes *key, cl_device_id device)
{
    struct nf_cl_object object;
    const cl_icd_dispatch *table;
    memcpy(&table, (const void *)device, sizeof table);
    nf_cl_object_find((const void *)(uintptr_t)table->clGetDeviceInfo, &object);
    return append_library(key, &object);
}

/* Appends the identities of the libraries that have a function in the dispatch table below this layer, at most MOST of
 * them. @return false if out of memory. */
static bool append_layers(struct nf_cl_bytes *key)
{
    enum { MOST = 16, ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void *) };
    uintptr_t bases[MOST];
    size_t count = 0;
    bool good = true;
    const void *entries[ENTRIES];
    struct nf_cl_object object;
    memcpy(entries, nf_cl_next(), sizeof entries);
    for (size_t i = 0; i < ENTRIES && good; i++) {
        size_t k = 0;
        if (i > 0 && entries[i] == entries[i - 1]) continue;
        if (!nf_cl_object_find(entries[i], &object)) continue;
        while (k < count && bases[k] != object.base)
            k++;
        if (k < count || count == MOST) continue;
        bases[count++] = object.base;
        good = append_library(key, &object);
    }
    return good;
}

bool nf_cl_append_build_key(struct nf_cl_bytes *key, const struct nf_cl_device *device, const char *options,
                            const nf_spec_value *specs, size_t spec_count)
{
    static const cl_device_info device_names[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                                  CL_DRIVER_VERSION};
    static const cl_platform_info platform_names[] = {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION};
    bool good = true;
    for (size_t i = 0; good && i < sizeof device_names / sizeof device_names[0]; i++)
        good = append_device(key, device->id, device_names[i]);
    for (size_t i = 0; good && i < sizeof platform_names / sizeof platform_names[0]; i++)
        good = append_platform(key, device->platform, platform_names[i]);
    for (size_t i = 0; good && i < spec_count; i++) {
        const uint64_t spec[] = {specs[i].id, specs[i].size, specs[i].value};
        good = nf_cl_append(key, spec, sizeof spec);
    }
    return good && append_driver(key, device->id) && append_layers(key) && nf_cl_append_text(key, nf_cl_processor()) &&
           append_environment(key) && nf_cl_append_text(key, options);
}

static bool make_key(const struct nf_cl_request *request, const struct nf_cl_device *device, const char *options,
                     const nf_spec_value *specs, size_t spec_count, struct nf_cl_bytes *key)
{
    char name[256] = "";
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    char *label = nf_cl_format("binary of %zu bytes for %s", request->size, name);
    bool good = label && nf_cl_append_head(key, label) &&
                nf_cl_append_build_key(key, device, options, specs, spec_count) && nf_cl_cache_key(request, key);
    free(label);
    return good;
}

/* ---- the query ---- */

struct nf_cl_binary {
    struct nf_cl_job job; /* must be first: job.run() casts its argument to the whole structure */
    struct nf_cl_bytes key;
    struct nf_cl_claim claim; /* the right to make the cache entry */
    bool kept;                /* true: the binary will be stored; false: only a failure will */
    bool tried;               /* the build is of a specialized module that has a fallback */
    bool attempted;           /* a crash mark is on disk (crash_journal.c), because the build may end the process */
    bool needs_trial;         /* an earlier process ended during this build, perhaps because of it */
    uint64_t start, spent;    /* start of the build, duration of the build: microseconds */
    uint64_t state;           /* the program's `spec_state` when the key was made */
    struct nf_cl_program *program; /* pinned from the beginning of the build */
    struct nf_cl_group *group;
    struct nf_cl_driver_program *driver_program; /* referenced while the job is queued */
    unsigned serial;                             /* group->serial when this build began: detects a later build */
};

bool nf_cl_binaries_can_be_kept(void)
{
    const struct nf_cl_config *config = nf_cl_config();
    return *nf_cl_processor() && !config->dump && !reads_any_variable() && (config->cache || config->system_cache);
}

bool nf_cl_binary_is_quick(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    return group->lead->cache_binaries && program->device_count == 1;
}

bool nf_cl_binary_wanted(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    return nf_cl_binary_is_quick(program, group) && nf_cl_binaries_can_be_kept();
}

void nf_cl_binary_mark(struct nf_cl_binary *binary, enum nf_cl_build_step step)
{
    if (!binary || !binary->tried || !nf_cl_binaries_can_be_kept()) return;
    if (binary->needs_trial && step == NF_CL_MAKES) return; /* the mark of the process that ended stays on disk */
    nf_cl_journal_begin(&binary->key, binary->needs_trial ? NF_CL_BUILDS_AGAIN : step);
    binary->attempted = true;
}

bool nf_cl_binary_needs_trial(const struct nf_cl_binary *binary)
{
    return binary && binary->needs_trial;
}

void nf_cl_binary_unmark(struct nf_cl_binary *binary)
{
    if (binary && binary->attempted) nf_cl_journal_end(&binary->key);
    if (binary) binary->attempted = false;
}

void nf_cl_binary_free(struct nf_cl_binary *binary)
{
    if (!binary) return;
    nf_cl_binary_unmark(binary);
    nf_cl_claim_release_later(&binary->claim);
    nf_cl_driver_program_release(binary->driver_program);
    if (binary->program) nf_cl_program_unpin(binary->program);
    free(binary->key.data);
    free(binary);
}

struct nf_cl_binary *nf_cl_binary_query(struct nf_cl_program *program, const struct nf_cl_group *group,
                                        const char *options)
{
    bool kept = nf_cl_binary_wanted(program, group);
    bool tried = nf_cl_has_fallback(group) && !nf_cl_is_passed_through(program, group);
    struct nf_cl_binary *binary = kept || tried ? calloc(1, sizeof *binary) : NULL;
    if (!binary) return NULL;
    binary->kept = kept;
    binary->tried = tried;
    binary->start = nf_cl_microseconds();
    struct nf_cl_request request = nf_cl_request_for(program, group, false);
    nf_spec_value *specs = NULL;
    size_t spec_count = 0;
    bool good = nf_cl_program_copy_specs(program, &specs, &spec_count, &binary->state) &&
                make_key(&request, group->lead, options ? options : "", specs, spec_count, &binary->key);
    free(specs);
    if (good) return binary;
    nf_cl_binary_free(binary);
    return NULL;
}

/* ---- load ---- */

/* A cached value is this head, the layer's report and the driver's log, each with its NUL, and the binary. An empty
 * binary means that the build fails; the log then gives the reason. */
struct head {
    uint64_t spent;   /* duration of the build in microseconds */
    uint64_t expires; /* seconds of the real-time clock; 0: never */
};

struct parts {
    struct head head;
    const char *report, *log;
    const unsigned char *binary;
    size_t size;
};

static bool split(const struct nf_cl_bytes *value, struct parts *parts)
{
    if (value->size < sizeof parts->head) return false;
    memcpy(&parts->head, value->data, sizeof parts->head);
    const char *end = (const char *)value->data + value->size;
    parts->report = (const char *)value->data + sizeof parts->head;
    const char *stop = memchr(parts->report, 0, (size_t)(end - parts->report));
    if (!stop) return false;
    parts->log = stop + 1;
    stop = memchr(parts->log, 0, (size_t)(end - parts->log));
    if (!stop) return false;
    parts->binary = (const unsigned char *)stop + 1;
    parts->size = (size_t)(end - stop - 1);
    return true;
}

static cl_program load(cl_context context, cl_device_id device, const struct parts *parts, const char *options)
{
    cl_int error = CL_SUCCESS, status = CL_SUCCESS;
    const unsigned char *binary = parts->binary;
    cl_program driver_program =
        nf_cl_next()->clCreateProgramWithBinary(context, 1, &device, &parts->size, &binary, &status, &error);
    if (!driver_program) return NULL;
    if (status == CL_SUCCESS &&
        nf_cl_next()->clBuildProgram(driver_program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return driver_program;
    NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, driver_program);
    return NULL;
}

/* Loads a binary from the cache, and counts the time that this has saved. @return NULL if the driver refuses it, or
 * memory is exhausted. */
static cl_program load_stored(cl_context context, cl_device_id device, const struct parts *parts, const char *options)
{
    uint64_t start = nf_cl_microseconds();
    cl_program driver_program = load(context, device, parts, options);
    uint64_t spent = nf_cl_microseconds() - start;
    if (driver_program) nf_cl_stats_load(parts->head.spent > spent ? parts->head.spent - spent : 0);
    return driver_program;
}

/* Makes `loaded`, which may be NULL, the driver program of the device group; takes over the reference. @return false if
 * it is NULL, or if out of memory. */
static bool deliver(cl_program loaded, uint64_t state, struct nf_cl_program *program, struct nf_cl_group *group,
                    const struct parts *parts)
{
    struct nf_cl_driver_program *driver_program = loaded ? nf_cl_driver_program_new(loaded) : NULL;
    char *log = driver_program ? strdup(parts->log) : NULL;
    if (!log) {
        nf_cl_driver_program_release(driver_program);
        return false;
    }
    nf_cl_deliver_binary(program, group, driver_program, state, parts->report, log);
    return true;
}

/* Loads the cached binary into the driver. @return false if the driver refuses it, or if out of memory. */
static bool take_binary(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group,
                        const struct parts *parts, const char *options)
{
    cl_program loaded = load_stored(program->context, program->targets[0].device, parts, options);
    return deliver(loaded, binary->state, program, group, parts);
}

bool nf_cl_binary_load(const struct nf_cl_bytes *key, cl_context context, cl_device_id device, const char *options,
                       struct nf_cl_loaded *loaded, struct nf_cl_claim *claim)
{
    struct nf_cl_bytes value = {NULL, 0};
    struct parts parts;
    *loaded = (struct nf_cl_loaded){NULL, NULL, NULL};
    bool found = claim ? nf_cl_store_get_or_claim(kind, key, &value, claim) : nf_cl_store_get(kind, key, &value);
    if (!found) return false;
    if (split(&value, &parts) && parts.size) loaded->program = load_stored(context, device, &parts, options);
    if (loaded->program) {
        loaded->stored_text = strdup(parts.report);
        loaded->log = strdup(parts.log);
    } else {
        nf_cl_store_drop(kind, key);
    }
    free(value.data);
    if (loaded->stored_text && loaded->log) return true;
    if (loaded->program) NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, loaded->program);
    free(loaded->stored_text);
    free(loaded->log);
    return false;
}

/* Notes that the build fails, and the reason, in this process and, if binaries can be kept, in the cache, unless the
 * failure is transient. */
static void remember_failure(struct nf_cl_binary *binary, const struct nf_cl_failure *failure)
{
    const struct head head = {0, failure->expires ? nf_cl_store_expiry() : 0};
    const char *why = failure->why ? failure->why : "out of memory";
    struct nf_cl_bytes key = {NULL, 0}, value = {NULL, 0};
    if (failure->transient) return;
    if (nf_cl_binaries_can_be_kept() && nf_cl_append(&value, &head, sizeof head) && nf_cl_append_text(&value, "") &&
        nf_cl_append_text(&value, why) && nf_cl_append(&key, binary->key.data, binary->key.size))
        nf_cl_store_put_later(kind, &key, &value);
    nf_cl_failure_note(&binary->key, why);
    free(key.data);
    free(value.data);
}

/* Checks whether an earlier process ended during this build. If so, and the build cannot be tried in another process,
 * or the last step of that process was not NF_CL_BUILDS, the device group falls back, and the failure is stored for a
 * week. @return true if the original module must be built. */
static bool has_crashed_before(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group)
{
    struct nf_cl_failure failure = {NULL, true, false};
    if (!binary->tried || !nf_cl_binaries_can_be_kept()) return false;
    enum nf_cl_build_step last = nf_cl_journal_last(&binary->key);
    binary->needs_trial = last == NF_CL_BUILDS && nf_cl_device_can_try(group->lead);
    if (last == NF_CL_NO_STEP || binary->needs_trial) return false;
    nf_cl_journal_end(&binary->key);
    failure.why = strdup(nf_cl_journal_message);
    remember_failure(binary, &failure);
    nf_cl_fall_back(program, group, NF_CL_WARNING, &failure);
    return true;
}

/* Looks the key up in the cache; claims the entry, or waits for it, only if this build will store its binary. */
static bool look_up(struct nf_cl_binary *binary, struct nf_cl_bytes *value)
{
    return binary->kept ? nf_cl_store_get_or_claim(kind, &binary->key, value, &binary->claim)
                        : nf_cl_store_get(kind, &binary->key, value);
}

enum nf_cl_taken nf_cl_binary_take(struct nf_cl_binary *binary, struct nf_cl_program *program,
                                   struct nf_cl_group *group, const char *options)
{
    struct nf_cl_bytes value = {NULL, 0};
    struct parts parts;
    char *why = nf_cl_failure_find(&binary->key);
    if (!why && has_crashed_before(binary, program, group)) return NF_CL_KNOWN_TO_FAIL;
    enum nf_cl_taken taken = why ? NF_CL_KNOWN_TO_FAIL : NF_CL_NOT_KNOWN;
    if (!why && nf_cl_binaries_can_be_kept() && look_up(binary, &value)) {
        bool good = split(&value, &parts);
        if (good && parts.size == 0 && !nf_cl_store_has_expired(parts.head.expires) && nf_cl_has_fallback(group))
            why = strdup(parts.log);
        if (why)
            taken = NF_CL_KNOWN_TO_FAIL;
        else if (good && parts.size && binary->kept && take_binary(binary, program, group, &parts, options))
            taken = NF_CL_TAKEN;
        else
            nf_cl_store_drop(kind, &binary->key);
    }
    struct nf_cl_failure failure = {why, false, false};
    if (why) nf_cl_fall_back(program, group, NF_CL_INFO, &failure);
    free(value.data);
    return taken;
}

bool nf_cl_binary_take_tried(const struct nf_cl_binary *binary, struct nf_cl_program *program,
                             struct nf_cl_group *group, const char *options, const struct nf_cl_bytes *built)
{
    const struct head head = {binary ? nf_cl_microseconds() - binary->start : 0, 0};
    struct nf_cl_bytes value = {NULL, 0}, key = {NULL, 0};
    struct parts parts;
    bool good = built->size > 0 && nf_cl_append(&value, &head, sizeof head) &&
                nf_cl_append_text(&value, group->report ? group->report : "") &&
                nf_cl_append(&value, built->data, built->size) && split(&value, &parts) && parts.size > 0;
    bool taken = good && deliver(load(program->context, program->targets[0].device, &parts, options),
                                 binary ? binary->state : group->driver_specs, program, group, &parts);
    if (taken) nf_cl_stats_build();
    if (taken && binary && binary->kept && nf_cl_append(&key, binary->key.data, binary->key.size))
        nf_cl_store_put_later(kind, &key, &value);
    free(key.data);
    free(value.data);
    return taken;
}

/* ---- store ---- */

/* Appends log and binary of a built driver program to `value`. @return false if the build failed, the binary is empty,
 * a query fails, or memory is exhausted. */
static bool fetch(cl_program driver_program, cl_device_id device, struct nf_cl_bytes *value)
{
    size_t size = 0, log_size = 0;
    cl_build_status status = CL_BUILD_ERROR;
    if (NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program, device, CL_PROGRAM_BUILD_STATUS,
                   sizeof status, &status, NULL) != CL_SUCCESS ||
        status != CL_BUILD_SUCCESS ||
        NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size,
                   NULL) != CL_SUCCESS ||
        size == 0 ||
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                   &log_size) != CL_SUCCESS)
        return false;
    unsigned char *binary = malloc(size);
    char *log = calloc(1, log_size + 1);
    bool good = binary && log &&
                NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program, device, CL_PROGRAM_BUILD_LOG,
                           log_size, log, NULL) == CL_SUCCESS &&
                NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_BINARIES, sizeof binary,
                           &binary, NULL) == CL_SUCCESS &&
                nf_cl_append_text(value, log) && nf_cl_append(value, binary, size);
    free(binary);
    free(log);
    return good;
}

void nf_cl_binary_store(const struct nf_cl_bytes *key, cl_program built, cl_device_id device, uint64_t spent,
                        const char *stored_text)
{
    const struct head head = {spent, 0};
    struct nf_cl_bytes copy = {NULL, 0}, value = {NULL, 0};
    if (nf_cl_append(&value, &head, sizeof head) && nf_cl_append_text(&value, stored_text) &&
        fetch(built, device, &value) && nf_cl_append(&copy, key->data, key->size))
        nf_cl_store_put_later(kind, &copy, &value);
    free(copy.data);
    free(value.data);
}

/* Returns true if the query belongs to the current driver program of the device group. Copies the layer's report to
 * `*report` unless that is NULL. */
static bool is_current(const struct nf_cl_binary *binary, char **report)
{
    struct nf_cl_program *program = binary->program;
    nf_cl_lock_acquire(program->lock);
    bool same = binary->group->serial == binary->serial && program->spec_state == binary->state;
    if (same && report) *report = nf_cl_format("%s", binary->group->report ? binary->group->report : "");
    nf_cl_lock_release(program->lock);
    return same;
}

/* Stores the binary. The application may build the program again at any time, so the binary is stored only if nothing
 * has changed before and after it was read. */
static void run_binary_job(struct nf_cl_job *job)
{
    struct nf_cl_binary *binary = (struct nf_cl_binary *)job;
    const struct head head = {binary->spent, 0};
    struct nf_cl_bytes value = {NULL, 0};
    char *report = NULL;
    if (is_current(binary, &report) && report && nf_cl_append(&value, &head, sizeof head) &&
        nf_cl_append_text(&value, report) &&
        fetch(binary->driver_program->program, binary->program->targets[0].device, &value) && is_current(binary, NULL))
        nf_cl_store_put(kind, &binary->key, &value);
    nf_cl_claim_release(&binary->claim);
    free(value.data);
    free(report);
    nf_cl_binary_free(binary);
}

void nf_cl_binary_begin(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group)
{
    nf_cl_program_pin(program);
    binary->program = program;
    binary->group = group;
    nf_cl_lock_acquire(program->lock);
    binary->serial = ++group->serial;
    nf_cl_lock_release(program->lock);
    binary->start = nf_cl_microseconds();
}

void nf_cl_binary_store_failure(struct nf_cl_binary *binary, const struct nf_cl_failure *failure)
{
    if (!binary) return;
    nf_cl_binary_unmark(binary);
    if (binary->needs_trial && !failure->transient)
        nf_cl_journal_end(&binary->key); /* superseded by the stored reason */
    remember_failure(binary, failure);
    nf_cl_binary_free(binary);
}

void nf_cl_binary_store_later(struct nf_cl_binary *binary)
{
    binary->spent = nf_cl_microseconds() - binary->start;
    if (!binary->kept) {
        nf_cl_binary_free(binary);
        return;
    }
    nf_cl_lock_acquire(binary->program->lock);
    binary->driver_program = nf_cl_driver_program_retain(binary->group->driver_program);
    nf_cl_lock_release(binary->program->lock);
    binary->job.run = run_binary_job;
    binary->job.weight = binary->key.size;
    nf_cl_defer(&binary->job);
}
