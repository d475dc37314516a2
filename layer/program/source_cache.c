/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_cache.c - cache of driver builds of source that the driver accepts unchanged. Takes a source program of the
 * driver and the call that builds it; gives a record of the same handle whose driver program was loaded from the cache,
 * or builds the program with the driver and stores its binary.
 *
 * Only self-contained source is cached: it includes no file and does not use the date or time. The driver alone handles
 * programs for several devices, and compilations for a later link.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>

/* Returns a copy of the source with its line continuations removed, so that no token spans two lines; NULL if out of
 * memory. */
static char *joined(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *into = copy;
    while (copy && *text) {
        size_t skip = strncmp(text, "\\\n", 2) == 0 ? 2 : strncmp(text, "\\\r\n", 3) == 0 ? 3 : 0;
        if (skip)
            text += skip;
        else
            *into++ = *text++;
    }
    if (copy) *into = '\0';
    return copy;
}

/* Returns true if the program depends only on the text: not on files, and not on the date or time. The test is
 * conservative: it also rejects the words in comments, and the trigraph `??/`, which some compilers treat as a
 * backslash. */
static bool is_self_contained(const char *text)
{
    static const char *const words[] = {"include",  "import",   "embed",         "incbin",
                                        "__DATE__", "__TIME__", "__TIMESTAMP__", "\?\?/"};
    char *copy = joined(text);
    bool good = copy != NULL;
    for (size_t i = 0; good && i < sizeof words / sizeof *words; i++)
        good = !strstr(copy, words[i]);
    free(copy);
    return good;
}

/* Returns true if the options may name a file, on which a cached binary would then depend: they contain a slash, `@`,
 * -I, -imacros, or the word "include". */
static bool names_file(const char *options)
{
    return nf_cl_last_slash(options) || strstr(options, "-I") || strstr(options, "include") ||
           strstr(options, "-imacros") || strchr(options, '@');
}

/* Returns true if the driver has built or is building the program, or does not answer: there may be kernels, or a build
 * in progress. */
static bool was_built(const struct nf_cl_source_program *origin)
{
    cl_build_status status = CL_BUILD_ERROR;
    cl_int error = NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, origin->handle, origin->devices[0],
                              CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    return error != CL_SUCCESS || status != CL_BUILD_NONE;
}

/* Returns the device of the call if there is exactly one, which has generic pointers, and its driver's builds are
 * cached; else NULL. */
static const struct nf_cl_device *device_of(const struct nf_cl_source_program *origin, const struct nf_cl_call *call)
{
    if (origin->device_count != 1 || call->device_count > 1) return NULL;
    if (call->device_count == 1 && call->devices[0] != origin->devices[0]) return NULL;
    const struct nf_cl_device *device = nf_cl_device_find(origin->devices[0]);
    bool keeps = device && device->id == origin->devices[0] && device->served && device->native;
    return keeps && device->cache_binaries && nf_cl_binaries_can_be_kept() ? device : NULL;
}

static bool make_key(const struct nf_cl_source_program *origin, const struct nf_cl_device *device,
                     struct nf_cl_bytes *key)
{
    char *label = nf_cl_format("binary of %zu bytes of source", strlen(origin->source.text));
    bool good = label && nf_cl_append_head(key, label) &&
                nf_cl_append_build_key(key, device, origin->source.options, NULL, 0) &&
                nf_cl_append_text(key, origin->source.text);
    free(label);
    return good;
}

/* ---- load and store ---- */

/* Creates a record of the driver's handle over a built program. Takes ownership of the contents of `loaded`. @return
 * NULL if out of memory. */
static struct nf_cl_program *make_record(const struct nf_cl_source_program *origin, const struct nf_cl_loaded *loaded,
                                         cl_int *error)
{
    struct nf_cl_compiled stored_text = {.notes = {loaded->stored_text, strlen(loaded->stored_text)}};
    struct nf_cl_driver_program *driver_program = nf_cl_driver_program_new(loaded->program);
    struct nf_cl_program *program = driver_program ? nf_cl_program_from_source(origin, &stored_text, error) : NULL;
    if (!program) {
        free(loaded->stored_text);
        free(loaded->log);
        nf_cl_driver_program_release(driver_program);
        return NULL;
    }
    program->counted = true;
    program->kept = true;
    nf_cl_deliver_binary(program, &program->groups[0], driver_program, 0, "", loaded->log);
    nf_cl_note_built(program, origin->source.options);
    return program;
}

static bool take(const struct nf_cl_source_program *origin, const struct nf_cl_call *call,
                 const struct nf_cl_bytes *key, struct nf_cl_claim *claim)
{
    struct nf_cl_loaded loaded;
    cl_int error = CL_SUCCESS;
    /* A build with a callback may end after its call, so its binary is not stored, and no claim is needed. */
    if (!nf_cl_binary_load(key, origin->context, origin->devices[0], call->options, &loaded,
                           call->notify ? NULL : claim))
        return false;
    if (!make_record(origin, &loaded, &error)) return false;
    if (call->notify) call->notify(origin->handle, call->user);
    return true;
}

static cl_int build_and_keep(const struct nf_cl_source_program *origin, const struct nf_cl_call *call,
                             const struct nf_cl_bytes *key)
{
    uint64_t start = nf_cl_microseconds();
    cl_int error = NF_CL_CALL(clBuildProgram, CL_INVALID_PROGRAM, origin->handle, call->device_count, call->devices,
                              call->options, NULL, NULL);
    uint64_t spent = nf_cl_microseconds() - start;
    nf_cl_stats_build();
    char *stored_text = error == CL_SUCCESS ? nf_cl_reflect_driver_kernels(origin->handle) : NULL;
    if (stored_text) nf_cl_binary_store(key, origin->handle, origin->devices[0], spent, stored_text);
    free(stored_text);
    return error;
}

bool nf_cl_cached_source_build(cl_program handle, const struct nf_cl_call *call,
                               const struct nf_cl_dropped_references *held, cl_int *error)
{
    struct nf_cl_source_program origin;
    struct nf_cl_bytes key = {NULL, 0};
    const char *options = call->options ? call->options : "";
    struct nf_cl_claim claim = {.name = ""};
    bool done = false;
    const struct nf_cl_device *device =
        nf_cl_source_program_begin(handle, options, &origin) ? device_of(&origin, call) : NULL;
    if (device && !was_built(&origin) && !names_file(options) && nf_cl_source_program_read(&origin) &&
        is_self_contained(origin.source.text) && make_key(&origin, device, &key)) {
        if (held)
            origin.references =
                nf_cl_registry_references(held, origin.watch); /* the driver's count includes the previous record */
        done = take(&origin, call, &key, &claim);
        *error = CL_SUCCESS;
        if (!done && !call->notify) {
            *error = build_and_keep(&origin, call, &key);
            done = true;
        }
        nf_cl_claim_release_later(&claim);
    }
    free(key.data);
    nf_cl_source_program_free(&origin);
    return done;
}
