/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.c - source programs of the driver: the text given to clCreateProgramWithSource, the headers of a compilation,
 * and the facts about its devices. Only headers are stored, because drivers do not report them. A source program that
 * is linked with a program of the layer is compiled by nonflat-cl at that time, from the text that the driver still
 * has.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- queries of the driver ---- */

/* Returns the source text of a program, malloc'ed, or NULL. Drivers may report an empty text for programs without
 * source. */
static char *find_any_text(cl_program program)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS ||
        size == 0)
        return NULL;
    char *text = calloc(1, size + 1);
    if (text &&
        NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program, CL_PROGRAM_SOURCE, size, text, NULL) == CL_SUCCESS)
        return text;
    free(text);
    return NULL;
}

/* As find_any_text(), but returns NULL for an empty text. */
static char *find_text(cl_program program)
{
    char *text = find_any_text(program);
    if (text && *text) return text;
    free(text);
    return NULL;
}

static bool find_devices(struct nf_cl_source_program *origin)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, origin->handle, CL_PROGRAM_DEVICES, 0, NULL, &size) !=
            CL_SUCCESS ||
        size == 0)
        return false;
    origin->devices = calloc(1, size);
    origin->device_count = (cl_uint)(size / sizeof *origin->devices);
    return origin->devices && NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, origin->handle, CL_PROGRAM_DEVICES, size,
                                         origin->devices, NULL) == CL_SUCCESS;
}

bool nf_cl_facts_same(const struct nf_cl_facts *a, const struct nf_cl_facts *b)
{
    return a->version == b->version && a->address_bits == b->address_bits && a->embedded == b->embedded &&
           a->no_images == b->no_images && strcmp(a->extensions, b->extensions) == 0 &&
           strcmp(a->features, b->features) == 0 && strcmp(a->supplied, b->supplied) == 0;
}

/* ---- division of the devices between layer and driver ---- */

static bool is_among(cl_device_id device, cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (devices[i] == device) return true;
    return false;
}

/* Returns true if the call's device list includes device `i`. A listed device that the program does not have may be a
 * sub-device of any device of the program. */
static bool is_in_call(const struct nf_cl_source_program *origin, cl_uint i, cl_uint count, const cl_device_id *devices)
{
    for (cl_uint j = 0; j < count; j++)
        if (!is_among(devices[j], origin->device_count, origin->devices)) return true;
    return count == 0 || is_among(origin->devices[i], count, devices);
}

/* Returns the index of the first device for which the layer compiles, or the number of devices. */
static cl_uint first_layer_device(const struct nf_cl_source_program *origin)
{
    cl_uint i = 0;
    while (i < origin->device_count && origin->by_driver[i])
        i++;
    return i;
}

/* Determines the devices for which the layer compiles, and the facts that they report. @return false if there are none,
 * or if out of memory. */
static bool take_lists(struct nf_cl_source_program *origin, cl_uint count, const cl_device_id *devices)
{
    static char none[] = "";
    bool features = nf_cl_language_has_features(origin->source.options);
    origin->by_driver = calloc(origin->device_count, sizeof *origin->by_driver);
    origin->reported = calloc(origin->device_count, sizeof *origin->reported);
    if (!origin->by_driver || !origin->reported) return false;
    for (cl_uint i = 0; i < origin->device_count; i++) {
        const struct nf_cl_device *device = nf_cl_device_find(origin->devices[i]);
        origin->by_driver[i] = !device || !device->source || !is_in_call(origin, i, count, devices);
        if (origin->by_driver[i]) continue;
        origin->reported[i] = device->facts;
        if (!features) origin->reported[i].features = none;
    }
    cl_uint first = first_layer_device(origin);
    if (first == origin->device_count) return false;
    origin->source.facts = &origin->reported[first];
    return true;
}

const struct nf_cl_facts *nf_cl_source_program_facts(const struct nf_cl_source_program *origin, cl_uint i)
{
    const struct nf_cl_device *device = nf_cl_device_find(origin->devices[i]);
    const struct nf_cl_language *language = nf_cl_language_find(NULL, device, origin->source.options);
    return language ? &language->facts : &origin->reported[i];
}

bool nf_cl_source_program_is_probed(const struct nf_cl_source_program *origin)
{
    bool known = true;
    for (cl_uint i = 0; i < origin->device_count && known; i++)
        known = origin->by_driver[i] ||
                nf_cl_language_is_known(nf_cl_device_find(origin->devices[i]), origin->source.options);
    return known;
}

bool nf_cl_source_program_probe(struct nf_cl_source_program *origin, bool *other)
{
    origin->named_only = true;
    *other = false;
    for (cl_uint i = 0; i < origin->device_count; i++) {
        if (origin->by_driver[i]) continue;
        const struct nf_cl_device *device = nf_cl_device_find(origin->devices[i]);
        const struct nf_cl_language *language = nf_cl_language_find(origin->context, device, origin->source.options);
        if (!language) return false;
        *other = *other || !nf_cl_facts_same(&origin->reported[i], &language->facts);
        origin->named_only = origin->named_only && language->named_only;
    }
    origin->source.facts = nf_cl_source_program_facts(origin, first_layer_device(origin));
    return true;
}

bool nf_cl_source_program_is_unknown_cxx(const struct nf_cl_source_program *origin)
{
    bool foreign = nf_cl_language_is_cxx(origin->source.options);
    for (cl_uint i = 0; i < origin->device_count && foreign; i++) {
        const struct nf_cl_device *device = origin->by_driver[i] ? NULL : nf_cl_device_find(origin->devices[i]);
        const struct nf_cl_language *language =
            device ? nf_cl_language_find(NULL, device, origin->source.options) : NULL;
        foreign = !device || (language && language->absent);
    }
    return foreign;
}

bool nf_cl_source_program_next_facts(struct nf_cl_source_program *origin)
{
    const struct nf_cl_facts *facts = origin->source.facts;
    for (cl_uint i = 0; i < origin->device_count; i++)
        if (!origin->by_driver[i])
            origin->by_driver[i] = nf_cl_facts_same(nf_cl_source_program_facts(origin, i), facts);
    cl_uint first = first_layer_device(origin);
    if (first == origin->device_count) return false;
    origin->source.facts = nf_cl_source_program_facts(origin, first);
    return true;
}

/* ---- facts about a program ---- */

bool nf_cl_source_program_begin(cl_program handle, const char *options, struct nf_cl_source_program *origin)
{
    *origin = (struct nf_cl_source_program){.handle = handle};
    origin->source.options = options;
    return handle && find_devices(origin);
}

bool nf_cl_source_program_read(struct nf_cl_source_program *origin)
{
    cl_program handle = origin->handle;
    origin->source.text = find_text(handle);
    origin->watch = nf_cl_registry_watch(handle);
    return origin->source.text &&
           NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, handle, CL_PROGRAM_CONTEXT, sizeof origin->context,
                      &origin->context, NULL) == CL_SUCCESS &&
           NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, handle, CL_PROGRAM_REFERENCE_COUNT,
                      sizeof origin->references, &origin->references, NULL) == CL_SUCCESS;
}

bool nf_cl_source_program_find(cl_program handle, const char *options, cl_uint count, const cl_device_id *devices,
                               struct nf_cl_source_program *origin)
{
    return nf_cl_source_program_begin(handle, options, origin) && take_lists(origin, count, devices) &&
           nf_cl_source_program_read(origin);
}

static void free_headers(struct nf_cl_header *headers, size_t count)
{
    for (size_t i = 0; headers && i < count; i++) {
        free(headers[i].name);
        free(headers[i].text);
    }
    free(headers);
}

void nf_cl_source_program_free(struct nf_cl_source_program *origin)
{
    nf_cl_registry_unwatch(origin->watch);
    free_headers(origin->headers, origin->source.header_count);
    free((char *)origin->source.text);
    free(origin->devices);
    free(origin->by_driver);
    free(origin->reported);
    *origin = (struct nf_cl_source_program){.handle = NULL};
}

static bool names_feature(const char *text)
{
    return strstr(text, NF_CL_GENERIC_FEATURE) || strstr(text, NF_CL_VARIABLES_FEATURE);
}

bool nf_cl_source_program_tests_features(const struct nf_cl_source_program *origin)
{
    bool names_any = names_feature(origin->source.text) || names_feature(origin->source.options);
    for (size_t i = 0; i < origin->source.header_count; i++)
        names_any = names_any || names_feature(origin->headers[i].text);
    return names_any;
}

bool nf_cl_source_program_lacks_variables(const struct nf_cl_source_program *origin)
{
    bool lacks = false;
    for (cl_uint i = 0; i < origin->device_count; i++)
        lacks = lacks || (!origin->by_driver[i] &&
                          nf_cl_device_find(origin->devices[i])->profile.flags & NF_PROFILE_NO_WRITABLE_GLOBALS);
    return lacks;
}

/* ---- headers ---- */

/* Returns the text of a header, which may be empty; NULL if the program has none. A program created from IL has no
 * text, and its handle is not one of the driver's. */
static char *find_header(cl_program handle)
{
    struct nf_cl_program *record = nf_cl_program_get(handle);
    char *text = record && !record->from_source ? NULL : find_any_text(handle);
    if (record) nf_cl_program_unpin(record);
    return text;
}

bool nf_cl_source_program_add_headers(struct nf_cl_source_program *origin, cl_uint count, const cl_program *headers,
                                      const char *const *names)
{
    if (count == 0) return true;
    if (!headers || !names) return false;
    origin->source.headers = origin->headers = calloc(count, sizeof *origin->headers);
    if (!origin->headers) return false;
    for (cl_uint i = 0; i < count; i++) {
        struct nf_cl_header *header = &origin->headers[i];
        header->text = headers[i] ? find_header(headers[i]) : NULL;
        header->name = names[i] ? strdup(names[i]) : NULL;
        origin->source.header_count++;
        if (!header->text || !header->name) return false;
    }
    return true;
}

/* The headers of compiled programs. An entry is replaced when its handle is compiled again. A handle that the driver
 * reuses for a new program may have an old entry until then; only compiled programs can be linked, so it is not
 * used. */
struct kept {
    cl_program handle;
    struct nf_cl_header *headers;
    size_t count;
    struct kept *next;
};

static struct kept *all_kept;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

/* Replaces the entry of a handle; `entry` may be NULL. */
static void replace(cl_program handle, struct kept *entry)
{
    struct kept *old = NULL;
    nf_cl_lock_acquire(&lock);
    for (struct kept **at = &all_kept; *at && !old; at = &(*at)->next)
        if ((*at)->handle == handle) {
            old = *at;
            *at = old->next;
            break;
        }
    if (entry) {
        entry->next = all_kept;
        all_kept = entry;
    }
    nf_cl_lock_release(&lock);
    if (old) free_headers(old->headers, old->count);
    free(old);
}

void nf_cl_headers_store(struct nf_cl_source_program *origin)
{
    struct kept *entry = origin->source.header_count ? calloc(1, sizeof *entry) : NULL;
    if (entry) {
        *entry = (struct kept){origin->handle, origin->headers, origin->source.header_count, NULL};
        origin->source.headers = origin->headers = NULL;
        origin->source.header_count = 0;
    }
    replace(origin->handle, entry);
}

/* Copies the stored headers. @return false if out of memory. */
static bool copy_kept(struct nf_cl_source_program *origin)
{
    bool good = true;
    nf_cl_lock_acquire(&lock);
    const struct kept *entry = all_kept;
    while (entry && entry->handle != origin->handle)
        entry = entry->next;
    if (entry) origin->source.headers = origin->headers = calloc(entry->count, sizeof *origin->headers);
    good = !entry || origin->headers;
    for (size_t i = 0; entry && good && i < entry->count; i++) {
        origin->headers[i] = (struct nf_cl_header){strdup(entry->headers[i].name), strdup(entry->headers[i].text)};
        origin->source.header_count++;
        good = origin->headers[i].name && origin->headers[i].text;
    }
    nf_cl_lock_release(&lock);
    return good;
}

/* ---- inputs of a link ---- */

/* Returns the options that the driver compiled the program with, malloc'ed, or NULL. */
static char *find_options(cl_program program, cl_device_id device)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program, device, CL_PROGRAM_BUILD_OPTIONS, 0, NULL,
                   &size) != CL_SUCCESS)
        return NULL;
    char *options = calloc(1, size + 1);
    if (options)
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program, device, CL_PROGRAM_BUILD_OPTIONS, size, options,
                   NULL);
    return options;
}

bool nf_cl_source_module(cl_program handle, cl_device_id device, struct nf_cl_bytes *module)
{
    struct nf_cl_source_program origin;
    struct nf_cl_compiled compiled = {.log = NULL};
    char *options = NULL;
    bool other, good = nf_cl_source_program_find(handle, "", 1, &device, &origin);
    if (good) origin.source.options = options = find_options(handle, device);
    good = good && options && nf_cl_source_program_probe(&origin, &other) && copy_kept(&origin) &&
           nf_cl_compile(&origin.source, &compiled);
    if (good) {
        *module = compiled.module;
        compiled.module = (struct nf_cl_bytes){NULL, 0};
    }
    nf_cl_compiled_free(&compiled);
    nf_cl_source_program_free(&origin);
    free(options);
    return good;
}

/* Returns true if the layer's module of the program has generic pointers. Compiles nothing if the options of the
 * driver's compilation rule them out. */
static bool has_generic(cl_program handle, cl_device_id device)
{
    nf_summary summary;
    struct nf_cl_bytes module = {NULL, 0};
    char *options = find_options(handle, device);
    bool has = options && nf_cl_options_may_be_generic(options) && nf_cl_source_module(handle, device, &module) &&
               nf_summarize(module.data, module.size, &summary) == NF_OK && summary.uses_generic;
    free(module.data);
    free(options);
    return has;
}

cl_device_id nf_cl_source_device(cl_program handle)
{
    struct nf_cl_source_program origin;
    cl_device_id device = NULL;
    struct nf_cl_program *record = nf_cl_program_get(handle); /* the handle may not be one of the driver's */
    if (record) {
        nf_cl_program_unpin(record);
        return NULL;
    }
    bool begun = nf_cl_source_program_begin(handle, "", &origin);
    for (cl_uint i = 0; begun && i < origin.device_count && !device; i++)
        if (has_generic(handle, origin.devices[i])) device = origin.devices[i];
    nf_cl_source_program_free(&origin);
    return device;
}
