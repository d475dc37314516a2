/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.c - queries the properties of each device once, and again if a later loader has another device with the same
 * handle. Takes a handle; gives a record that lives until nf_cl_device_forget(). Devices of OpenCL 1.x have no generic
 * pointers, devices of 2.x have them; newer devices are queried, and have none if the query fails.
 */
#define _GNU_SOURCE
#include "layer/device/device.h"
#include "layer/translate/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICE_SPIR_VERSIONS 0x40E0 /* CL_DEVICE_SPIR_VERSIONS of cl_khr_spir */

enum { BUCKETS = 64 };

static struct nf_cl_device *buckets[BUCKETS];
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

static cl_int query(cl_device_id device, cl_device_info name, size_t size, void *value)
{
    return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, size, value, NULL);
}

/* Returns the driver's answer as a string that the caller frees, or NULL. */
static char *query_string(struct nf_cl_device *device, cl_device_info name)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, name, 0, NULL, &size) != CL_SUCCESS) return NULL;
    char *text = calloc(1, size + 1);
    device->out_of_memory |= !text;
    if (text && size > 0 && query(device->id, name, size, text) != CL_SUCCESS) {
        free(text);
        return NULL;
    }
    return text;
}

/* Returns the newest version in a list such as "SPIR-V_1.0 SPIR-V_1.3 ...", as in the SPIR-V header; 0 if there is
 * none. */
static uint32_t newest_il(const char *text)
{
    uint32_t newest = 0;
    for (const char *at = text; at && (at = strstr(at, "SPIR-V_")) != NULL; at++) {
        unsigned major = 0, minor = 0;
        if (sscanf(at, "SPIR-V_%u.%u", &major, &minor) == 2 && major < 256 && minor < 256) {
            uint32_t word = (uint32_t)(major << 16 | minor << 8);
            newest = word > newest ? word : newest;
        }
    }
    return newest;
}

static bool query_generic(cl_device_id device, cl_uint version)
{
    cl_bool answer = CL_FALSE;
    if (version < 200) return false;
    if (version < 300) return true;
    cl_int error = query(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof answer, &answer);
    return error == CL_SUCCESS && answer;
}

static const char *family_of(const struct nf_cl_device *device)
{
    const struct nf_cl_driver_names names = {device->builder, "", 0, ""};
    if (nf_cl_is_pocl(&names)) return "pocl";
    return nf_cl_is_oclgrind(&names) ? "oclgrind" : "generic";
}

static enum nf_cl_delivery query_il(const struct nf_cl_device *device, const char *extensions)
{
    if (device->il_version) {
        if (device->version >= 201 && nf_cl_next()->clCreateProgramWithIL) return NF_CL_DELIVER_IL;
        if (nf_cl_has_word(extensions, "cl_khr_il_program")) return NF_CL_DELIVER_IL_KHR;
    }
    return NF_CL_DELIVER_NOTHING;
}

/* Returns NF_CL_DELIVER_SPIR if the device accepts SPIR 1.2 and the layer has a translator. On 32-bit processors PoCL
 * accepts bitcode as well, but its library for them lacks the names that functions have in SPIR. */
static enum nf_cl_delivery query_bitcode(struct nf_cl_device *device, const char *extensions)
{
    if (device->address_bits == 32 && strcmp(device->family, "pocl") == 0) return NF_CL_DELIVER_NOTHING;
    if (!nf_cl_has_word(extensions, "cl_khr_spir") || !nf_cl_translator()) return NF_CL_DELIVER_NOTHING;
    char *versions = query_string(device, DEVICE_SPIR_VERSIONS);
    /* PoCL and Oclgrind do not report versions */
    bool good = !versions || !*versions || nf_cl_has_word(versions, "1.2");
    free(versions);
    return good ? NF_CL_DELIVER_SPIR : NF_CL_DELIVER_NOTHING;
}

static enum nf_cl_delivery query_form(struct nf_cl_device *device, const char *extensions, enum nf_cl_form form)
{
    switch (form) {
    case NF_CL_FORM_SPIRV: return query_il(device, extensions);
    case NF_CL_FORM_BITCODE: return query_bitcode(device, extensions);
    case NF_CL_FORM_SOURCE: return nf_cl_has_compiler(device) ? NF_CL_DELIVER_SOURCE : NF_CL_DELIVER_NOTHING;
    default: return NF_CL_DELIVER_NOTHING;
    }
}

/* Returns the form in which the device gets programs from the layer: the form that the setting prefers, or else the
 * first form that it accepts; NF_CL_DELIVER_NOTHING if it accepts none. */
static enum nf_cl_delivery choose_delivery(struct nf_cl_device *device, const char *extensions)
{
    enum nf_cl_delivery found = query_form(device, extensions, device->config.delivery);
    for (int form = NF_CL_FORM_SPIRV; !found && form <= (int)NF_CL_FORM_SOURCE; form++)
        found = query_form(device, extensions, (enum nf_cl_form)form);
    return found;
}

/* Sets the flag for devices without program-scope variables. Their query is about newer versions of OpenCL C: OpenCL C
 * 1.2 and SPIR 1.2 bitcode have no such variables, although PoCL 5.0, which accepts bitcode, reports them. */
static void query_globals(struct nf_cl_device *device)
{
    size_t size = 0;
    cl_int error = query(device->id, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof size, &size);
    if (!nf_cl_takes_il(device->delivery) || (error == CL_SUCCESS && size == 0))
        device->profile.flags |= NF_PROFILE_NO_WRITABLE_GLOBALS;
}

/* Returns true if binaries of the device should be cached, and returned by trials. A driver that has generic pointers
 * or gets source is assumed to load faster than it builds, unless it has its own cache. */
static bool should_cache_binaries(const struct nf_cl_device *device, const struct nf_cl_driver_names *names)
{
    if (device->native || device->delivery == NF_CL_DELIVER_SOURCE) return !nf_cl_has_compiler_cache(names);
    return nf_cl_loads_quickly(names);
}

static nf_mode default_mode(const struct nf_cl_device *device)
{
    cl_device_type type = 0;
    query(device->id, CL_DEVICE_TYPE, sizeof type, &type);
    return device->native ? nf_cl_native_mode(type) : NF_MODE_AUTO;
}

/* Returns true if the layer serves the device. A native device is served only if a setting, its default mode or cached
 * binaries give it an advantage. */
static bool is_served(const struct nf_cl_device *device)
{
    const struct nf_cl_config *config = nf_cl_config();
    bool keeps = device->cache_binaries && !config->dump && (config->cache || config->system_cache);
    if (device->delivery == NF_CL_DELIVER_NOTHING || device->config.mode == NF_MODE_OFF) return false;
    return !device->native || device->config.mode_given || device->by_default != NF_MODE_OFF || keeps;
}

/* Returns true if explicit casts of generic pointers succeed for any address space. Measured with PoCL 5, 6 and 7. */
static bool casts_always_succeed(const struct nf_cl_device *device)
{
    return device->generic && device->delivery == NF_CL_DELIVER_IL && strcmp(device->family, "pocl") == 0;
}

bool nf_cl_device_can_try(const struct nf_cl_device *device)
{
    bool can = nf_cl_takes_il(device->delivery) || device->delivery == NF_CL_DELIVER_SOURCE;
    return can && !nf_cl_config()->secure && nf_cl_build_tester();
}

static bool is_guarded(const struct nf_cl_device *device, const struct nf_cl_driver_names *names)
{
    enum nf_cl_choice choice = device->config.guard;
    /* A driver that runs in another process can end only that process. */
    bool wanted = choice == NF_CL_AUTO ? nf_cl_may_abort(names) && !device->elsewhere : choice == NF_CL_ON;
    return wanted && nf_cl_device_can_try(device);
}

/* Returns true if the trial of a build includes a launch. The launch costs a second build, so with `auto` it is done
 * only if the driver is known to compile at the launch. */
static bool tries_launch(const struct nf_cl_device *device, const struct nf_cl_driver_names *names)
{
    bool wanted = device->config.guard == NF_CL_ON || nf_cl_compiles_at_launch(names);
    return wanted && device->guarded && nf_cl_takes_il(device->delivery);
}

/* Sets device->config to the settings that apply to a device of its name and vendor. */
static void find_settings(struct nf_cl_device *device)
{
    char *name = query_string(device, CL_DEVICE_NAME), *vendor = query_string(device, CL_DEVICE_VENDOR);
    device->config = nf_cl_config_for(name, vendor);
    free(name);
    free(vendor);
}

/* Determines the properties that depend on the driver and on settings. */
static void set_driver_properties(struct nf_cl_device *device)
{
    char *name = query_string(device, CL_DEVICE_NAME), *vendor = query_string(device, CL_DEVICE_VENDOR);
    char *driver = query_string(device, CL_DRIVER_VERSION);
    struct nf_cl_driver_names names = {device->builder, vendor ? vendor : "", 0, driver ? driver : ""};
    query(device->id, CL_DEVICE_TYPE, sizeof names.type, &names.type);
    bool quick = device->config.binaries == NF_CL_AUTO ? should_cache_binaries(device, &names)
                                                       : device->config.binaries == NF_CL_ON;
    bool kept = device->delivery == NF_CL_DELIVER_IL || device->delivery == NF_CL_DELIVER_SOURCE;
    /* The key of a binary describes this machine's processor and the file of the driver in this process. */
    device->cache_binaries = quick && kept && !device->elsewhere;
    device->guarded = is_guarded(device, &names);
    device->launch_tried = tries_launch(device, &names);
    if (device->delivery != NF_CL_DELIVER_SPIR || nf_cl_is_oclgrind(&names))
        nf_cl_set_faults(&device->profile, device->faults, &names, name ? name : "");
    device->profile.flags |= nf_cl_preferred_pointers(&names);
    device->waits_on_generic_only = device->native && nf_cl_waits_by_generic_pointer(&names);
    nf_cl_query_addresses(device, &names, name ? name : "");
    free(driver);
    free(name);
    free(vendor);
}

/* Queries the properties that identify a device and the version of its driver, because a later loader may give the same
 * handle to another device. Returns false if host memory is exhausted. */
static bool identify(struct nf_cl_device *device)
{
    static const cl_device_info names[] = {CL_DEVICE_NAME,    CL_DEVICE_VENDOR,     CL_DRIVER_VERSION,
                                           CL_DEVICE_VERSION, CL_DEVICE_EXTENSIONS, CL_DEVICE_IL_VERSION};
    enum { NAMES = sizeof names / sizeof *names };
    const cl_icd_dispatch *next = nf_cl_next();
    char *texts[NAMES];
    device->epoch = nf_cl_epoch();
    query(device->id, CL_DEVICE_PLATFORM, sizeof device->platform, &device->platform);
    for (int i = 0; i < NAMES; i++)
        texts[i] = query_string(device, names[i]);
#define TEXT_OF(i) texts[i] ? texts[i] : ""
    device->identity =
        nf_cl_format("%p\n%d%d\n%s\n%s\n%s\n%s\n%s\n%s", (void *)device->platform, next->clCreateProgramWithIL != NULL,
                     next->clSetProgramSpecializationConstant != NULL, TEXT_OF(0), TEXT_OF(1), TEXT_OF(2), TEXT_OF(3),
                     TEXT_OF(4), TEXT_OF(5));
#undef TEXT_OF
    for (int i = 0; i < NAMES; i++)
        free(texts[i]);
    return device->identity && !device->out_of_memory;
}

static bool query_properties(struct nf_cl_device *device)
{
    unsigned major = 0, minor = 0;
    char *version = query_string(device, CL_DEVICE_VERSION);
    bool known = version && sscanf(version, "OpenCL %u.%u", &major, &minor) == 2;
    free(version);
    if (!known) return false;
    device->version = major * 100 + minor;
    device->elsewhere = nf_cl_query_builder(device->id, device->builder);
    device->family = family_of(device);
    query(device->id, CL_DEVICE_ADDRESS_BITS, sizeof device->address_bits, &device->address_bits);
    char *il = query_string(device, CL_DEVICE_IL_VERSION);
    device->il_version = newest_il(il);
    free(il);
    find_settings(device);
    char *extensions = query_string(device, CL_DEVICE_EXTENSIONS);
    device->delivery = choose_delivery(device, extensions);
    if (device->delivery == NF_CL_DELIVER_SOURCE) nf_cl_query_compiler(device, extensions);
    bool profiled = nf_cl_query_profile(device, extensions);
    free(extensions);
    if (!profiled) return false;
    device->generic = query_generic(device->id, device->version);
    device->native_specs = device->delivery == NF_CL_DELIVER_IL && device->version >= 202 &&
                           nf_cl_next()->clSetProgramSpecializationConstant;
    device->native = device->generic && nf_cl_takes_il(device->delivery);
    device->by_default = default_mode(device);
    device->wrong_memory_queries = casts_always_succeed(device);
    query_globals(device);
    set_driver_properties(device);
    device->served = is_served(device);
    device->source = device->served && !device->generic && !device->config.no_source && nf_cl_compiler() &&
                     nf_cl_facts_query(device);
    return !device->out_of_memory; /* an incomplete record must not stay */
}

static void free_record(struct nf_cl_device *device)
{
    nf_cl_profile_free(&device->profile);
    nf_cl_facts_free(&device->facts);
    free(device->identity);
    free(device);
}

static struct nf_cl_device **bucket(cl_device_id device)
{
    return &buckets[((uintptr_t)device >> 4) % BUCKETS];
}

/* Needs the lock. Returns the record of `device` in this epoch or, if `identity` is given, of any epoch with that
 * identity, and moves it to this epoch; else NULL. */
static struct nf_cl_device *find_record(cl_device_id device, const char *identity)
{
    struct nf_cl_device *at = *bucket(device);
    while (at && (at->id != device || (at->epoch != nf_cl_epoch() && !(identity && !strcmp(at->identity, identity)))))
        at = at->chain;
    if (at && identity) at->epoch = nf_cl_epoch();
    return at;
}

static struct nf_cl_device *lookup(cl_device_id device, const char *identity)
{
    nf_cl_lock_acquire(&lock);
    struct nf_cl_device *at = find_record(device, identity);
    nf_cl_lock_release(&lock);
    return at;
}

/* Inserts a record unless another thread has inserted one. Returns the inserted record. */
static struct nf_cl_device *insert(struct nf_cl_device *device)
{
    nf_cl_lock_acquire(&lock);
    struct nf_cl_device *at = find_record(device->id, NULL);
    if (!at) {
        device->chain = *bucket(device->id);
        *bucket(device->id) = device;
    }
    nf_cl_lock_release(&lock);
    if (at) free_record(device);
    return at ? at : device;
}

static const char *delivery_name(enum nf_cl_delivery delivery)
{
    static const char *const names[] = {"nothing", "SPIR-V", "SPIR-V by the KHR call", "SPIR 1.2 bitcode", "OpenCL C"};
    return names[delivery];
}

cl_device_id nf_cl_device_parent(cl_device_id device)
{
    cl_device_id parent = NULL;
    bool known = query(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent) == CL_SUCCESS;
    return known && parent != device ? parent : NULL;
}

const struct nf_cl_device *nf_cl_device_find(cl_device_id device)
{
    bool ignored;
    return nf_cl_device_query(device, &ignored);
}

static void say(const struct nf_cl_device *device)
{
    char newest[32] = ""; /* empty for bitcode, which has only one version, and for OpenCL C */
    if (nf_cl_takes_il(device->delivery))
        snprintf(newest, sizeof newest, " up to %u.%u", device->il_version >> 16, device->il_version >> 8 & 255);
    nf_cl_log(NF_CL_INFO, "device %p: OpenCL %u.%u, %s generic pointers, takes %s%s; %s", (void *)device->id,
              device->version / 100, device->version % 100, device->generic ? "has" : "has no",
              delivery_name(device->delivery), newest, device->served ? "served" : "left alone");
}

const struct nf_cl_device *nf_cl_device_query(cl_device_id device, bool *out_of_memory)
{
    *out_of_memory = false;
    if (!device) return NULL;
    struct nf_cl_device *known = lookup(device, NULL);
    if (known) return known;
    /* Handles of sub-devices are freed and reused, so they have no records. */
    cl_device_id parent = nf_cl_device_parent(device);
    if (parent) return nf_cl_device_query(parent, out_of_memory);
    struct nf_cl_device *record = calloc(1, sizeof *record);
    *out_of_memory = !record;
    if (!record) return NULL;
    record->id = device;
    record->profile = (nf_profile)NF_PROFILE_INIT;
    bool identified = identify(record);
    known = identified ? lookup(device, record->identity) : NULL;
    if (known || !identified || !query_properties(record)) {
        *out_of_memory = !known && (!identified || record->out_of_memory);
        free_record(record);
        return known;
    }
    say(record);
    return insert(record);
}

void nf_cl_device_forget(void)
{
    nf_cl_lock_acquire(&lock);
    for (int i = 0; i < BUCKETS; i++) {
        while (buckets[i]) {
            struct nf_cl_device *device = buckets[i];
            buckets[i] = device->chain;
            free_record(device);
        }
    }
    nf_cl_lock_release(&lock);
}
