/* SPDX-License-Identifier: Apache-2.0 */
/*
 * create_driver_program.c - creation of driver programs. Takes a program of the layer and one group of its devices;
 * gives the group a driver program created from the specialized or the original module, in the form that the devices
 * accept, or the reason for a refusal.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/translate/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef cl_program(CL_API_CALL *create_khr_fn)(cl_context context, const void *il, size_t length, cl_int *error);

enum { MOST_DEVICES = 64 }; /* upper bound for a context of an OpenCL 1.x driver */

/* Returns the first device of the context, which is needed to look up a function of the driver; NULL if the query
 * fails. Allocates no memory, because an allocation may fail. */
static cl_device_id first_device(cl_context context)
{
    cl_device_id devices[MOST_DEVICES] = {NULL};
    NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL);
    return devices[0];
}

/* Returns true if the device reports OpenCL 2.1 or newer. */
static bool is_newer(cl_device_id device)
{
    char text[256] = "";
    unsigned major = 0, minor = 0;
    cl_int error =
        NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_VERSION, sizeof text - 1, text, NULL);
    return error == CL_SUCCESS && sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 && major * 100 + minor >= 201;
}

/* Returns true if the driver's clCreateProgramWithIL may be called. Drivers of OpenCL 1.x do not implement the
 * function, and the entry in their dispatch table may never return: in one driver it calls itself. The result is true
 * if one device reports OpenCL 2.1 or newer, if the context has more than MOST_DEVICES devices, which no driver of
 * OpenCL 1.x has, and for an invalid context, which the loader handles. Allocates no memory, because an allocation may
 * fail. */
static bool has_core_call(cl_context context)
{
    cl_device_id devices[MOST_DEVICES];
    size_t size = 0;
    if (!context ||
        NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, 0, NULL, &size) != CL_SUCCESS)
        return true;
    if (size > sizeof devices) return true; /* no OpenCL 1.x driver has that many devices */
    if (NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, size, devices, NULL) !=
        CL_SUCCESS)
        return false;
    for (size_t i = 0; i < size / sizeof *devices; i++)
        if (is_newer(devices[i])) return true;
    return false;
}

cl_program nf_cl_deliver_il(cl_context context, bool khr, const void *il, size_t length, cl_int *error)
{
    if (khr) {
        create_khr_fn create = (create_khr_fn)nf_cl_driver_extension(first_device(context), "clCreateProgramWithILKHR");
        if (create) return create(context, il, length, error);
    } else if (nf_cl_next()->clCreateProgramWithIL && has_core_call(context)) {
        return nf_cl_next()->clCreateProgramWithIL(context, il, length, error);
    }
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

static void set_report(struct nf_cl_group *group, char *report)
{
    free(group->report);
    group->report = report;
}

/* ---- the module for the group ---- */

/* Returns true if the module must stay unchanged because the driver would end the process (see
 * nf_cl_waits_by_generic_pointer()). */
static bool must_stay_unchanged(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    enum { GROUP_WAIT_EVENTS = 260 };
    return group->native && group->waits_on_generic_only &&
           nf_has_instruction(program->module.data, program->module.size, GROUP_WAIT_EVENTS);
}

static nf_mode mode_for(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    nf_mode mode = group->config.mode;
    if (group->fallback.why || must_stay_unchanged(program, group)) return NF_MODE_OFF;
    if (group->config.mode_given) return mode == NF_MODE_HINT && !group->generic ? NF_MODE_AUTO : mode;
    if (!group->generic || !nf_cl_takes_il(group->delivery)) return NF_MODE_AUTO;
    if (group->wrong_memory_queries && program->summary.asks_memory) return NF_MODE_AUTO;
    bool newer = group->profile.max_version && program->summary.version > group->profile.max_version;
    if (newer) return NF_MODE_HINT;
    return program->summary.uses_generic ? group->by_default : NF_MODE_OFF;
}

bool nf_cl_is_passed_through(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    return mode_for(program, group) == NF_MODE_OFF && group->delivery != NF_CL_DELIVER_SOURCE;
}

struct nf_cl_request nf_cl_request_for(const struct nf_cl_program *program, const struct nf_cl_group *group,
                                       bool for_compile)
{
    struct nf_cl_request request = {
        .module = program->module.data,
        .size = program->module.size,
        .mode = mode_for(program, group),
        .library = for_compile,
        .profile = &group->profile,
        .text = group->delivery == NF_CL_DELIVER_SOURCE,
        .c_version = group->c_version,
        .c_features = group->c_features,
        .seconds = nf_cl_has_fallback(group) ? nf_cl_config()->build_timeout : 0,
    };
    return request;
}

/* Returns true at the first call for a program: the run statistics count each program once, not each build. */
static bool count_once(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(program->lock);
    bool first = !program->counted;
    program->counted = true;
    nf_cl_lock_release(program->lock);
    return first;
}

static struct nf_cl_result *specialize_for_group(struct nf_cl_program *program, const struct nf_cl_group *group,
                                                 bool for_compile, const struct nf_cl_bytes *module,
                                                 const nf_spec_value *specs, size_t spec_count)
{
    struct nf_cl_request request = nf_cl_request_for(program, group, for_compile);
    request.module = module->data;
    request.size = module->size;
    request.specs = specs;
    request.spec_count = spec_count;
    bool hit = false;
    uint64_t start = nf_cl_stats_clock();
    struct nf_cl_result *special = nf_cl_cache_get(&request, &hit);
    nf_cl_stats_time(start);
    if (special && !for_compile && count_once(program)) nf_cl_stats_count(special, hit);
    return special;
}

/* ---- the driver's program ---- */

/* The result of the creation of a driver program, besides the program. */
struct created {
    char *message; /* why no creation was attempted, or NULL */
    char *entry;   /* name of the cache entry of its bitcode, or NULL */
};

static cl_program create_from_bitcode(struct nf_cl_program *program, const struct nf_cl_group *group,
                                      const void *module, size_t size, struct created *created, cl_int *error)
{
    struct nf_cl_bytes bitcode;
    *error = CL_SUCCESS;
    uint64_t start = nf_cl_stats_clock();
    bool good = nf_cl_bitcode_get(group->lead->family, module, size, &bitcode, &created->message, &created->entry);
    nf_cl_stats_time(start);
    if (!good) return NULL;
    cl_device_id *devices = calloc(program->device_count, sizeof *devices);
    size_t *sizes = calloc(program->device_count, sizeof *sizes);
    const unsigned char **binaries = calloc(program->device_count, sizeof *binaries);
    cl_uint count = 0;
    cl_program driver_program = NULL;
    *error = CL_OUT_OF_HOST_MEMORY;
    if (devices && sizes && binaries) {
        for (cl_uint i = 0; i < program->device_count; i++) {
            if (&program->groups[program->targets[i].group] != group) continue;
            devices[count] = program->targets[i].device;
            sizes[count] = bitcode.size;
            binaries[count++] = bitcode.data;
        }
        driver_program =
            nf_cl_next()->clCreateProgramWithBinary(program->context, count, devices, sizes, binaries, NULL, error);
    }
    free(devices);
    free(sizes);
    free(binaries);
    if (!driver_program && *error != CL_OUT_OF_HOST_MEMORY) nf_cl_bitcode_drop(created->entry);
    free(bitcode.data);
    return driver_program;
}

/* Returns true if the module's addressing model has another pointer width than the device, and sets the message. A
 * driver of SPIR-V refuses such a module; PoCL 3.1 crashes on its bitcode, and OpenCL C text does not show the
 * width. */
static bool has_other_width(const struct nf_cl_program *program, const struct nf_cl_group *group,
                            struct created *created, cl_int *error)
{
    uint32_t bits = program->summary.address_bits;
    *error = CL_SUCCESS;
    if (!bits || bits == group->lead->address_bits) return false;
    created->message = nf_cl_format("the module has addresses of %u bits, and the device has addresses of %u bits",
                                    bits, (unsigned)group->lead->address_bits);
    if (!created->message) *error = CL_OUT_OF_HOST_MEMORY;
    return true;
}

static cl_program create_from_module(struct nf_cl_program *program, const struct nf_cl_group *group, const void *module,
                                     size_t size, struct created *created, cl_int *error)
{
    if (group->delivery != NF_CL_DELIVER_SPIR && group->delivery != NF_CL_DELIVER_SOURCE)
        return nf_cl_deliver_il(program->context, group->delivery == NF_CL_DELIVER_IL_KHR, module, size, error);
    if (has_other_width(program, group, created, error)) return NULL;
    if (group->delivery == NF_CL_DELIVER_SPIR) return create_from_bitcode(program, group, module, size, created, error);
    const char *text = module;
    return nf_cl_next()->clCreateProgramWithSource(program->context, 1, &text, &size, error);
}

static void replay_specs(cl_program driver_program, const nf_spec_value *specs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, driver_program, specs[i].id, specs[i].size,
                   &specs[i].value);
}

/* Records a refusal, and takes ownership of `report`. The compilation of a program may succeed nevertheless, because
 * the linked module may be accepted. */
static enum nf_cl_delivered refuse(struct nf_cl_program *program, struct nf_cl_group *group, enum nf_cl_level level,
                                   char *report)
{
    nf_cl_log(level, "%s", report ? report : "out of memory");
    nf_cl_lock_acquire(program->lock);
    set_report(group, report);
    nf_cl_lock_release(program->lock);
    return NF_CL_REFUSED;
}

/* Marks the devices for which the group's driver program was compiled as deferred, before the driver program is
 * replaced. The new driver program may be built for some of the devices only; the other devices stay compiled, because
 * the layer links modules, not driver objects. */
static void carry_compiled(struct nf_cl_program *program, const struct nf_cl_group *group)
{
    for (cl_uint i = 0; group->driver_program && i < program->device_count; i++) {
        struct nf_cl_target *target = &program->targets[i];
        cl_build_status status = CL_BUILD_NONE;
        if (target->group != (int)(group - program->groups) || !target->attempted || target->failed ||
            target->kind != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT)
            continue;
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, group->driver_program->program, target->device,
                   CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
        nf_cl_lock_acquire(program->lock);
        target->deferred = target->deferred || status == CL_BUILD_SUCCESS;
        nf_cl_lock_release(program->lock);
    }
}

/* Replaces the driver program of the device group. Takes over the reference to `driver_program`, which may be NULL, and
 * ownership of `log`; copies `report`. Other threads may still use the previous driver program. */
static void replace_driver_program(struct nf_cl_program *program, struct nf_cl_group *group,
                                   struct nf_cl_driver_program *driver_program, bool for_compile, bool changed,
                                   uint64_t state, const char *report, char *log)
{
    char *copy = nf_cl_format("%s", report);
    carry_compiled(program, group);
    nf_cl_lock_acquire(program->lock);
    struct nf_cl_driver_program *old = group->driver_program;
    group->driver_program = driver_program;
    group->serial++;
    group->for_compile = for_compile;
    group->changed = changed;
    group->driver_specs = state;
    group->queried = false;
    group->builds = 0;
    free(group->binary_log);
    group->binary_log = log;
    set_report(group, copy);
    nf_cl_lock_release(program->lock);
    nf_cl_driver_program_release(old);
}

void nf_cl_deliver_binary(struct nf_cl_program *program, struct nf_cl_group *group,
                          struct nf_cl_driver_program *driver_program, uint64_t state, const char *report, char *log)
{
    replace_driver_program(program, group, driver_program, false, false, state, report, log);
}

void nf_cl_deliver_none(struct nf_cl_program *program, struct nf_cl_group *group)
{
    replace_driver_program(program, group, NULL, false, false, 0, "", NULL);
}

void nf_cl_deliver_refusal(struct nf_cl_program *program, struct nf_cl_group *group, char *report)
{
    nf_cl_deliver_none(program, group);
    refuse(program, group, NF_CL_ERROR, report);
}

/* Returns true for a program created from bitcode, of any driver, that was built twice or whose binary was queried:
 * PoCL ends the process if such a program is built again, for any of its devices. */
static bool must_not_be_rebuilt(const struct nf_cl_group *group)
{
    return group->delivery == NF_CL_DELIVER_SPIR && (group->queried || group->builds > 1);
}

/* Returns true if the group has a driver program that can be built as it is. It cannot if must_not_be_rebuilt(); if the
 * group has fallen back, but the program has the specialized module; if the spec values have changed, and the driver
 * does not take them or the program was loaded as a binary; if the program was created for the other kind of call,
 * clBuildProgram or clCompileProgram, and its module is not passed through unchanged; or if it was loaded as a binary
 * and the call is clCompileProgram. */
static bool can_be_built(struct nf_cl_program *program, const struct nf_cl_group *group, bool for_compile)
{
    nf_cl_lock_acquire(program->lock);
    bool must_be_replaced = must_not_be_rebuilt(group) || (group->fallback.why && group->changed) ||
                            (for_compile && nf_cl_group_state(group) == NF_CL_LOADED);
    bool good = group->driver_program &&
                (group->for_compile == for_compile || nf_cl_is_passed_through(program, group)) && !must_be_replaced &&
                ((group->native_specs && nf_cl_group_state(group) != NF_CL_LOADED) ||
                 group->driver_specs == program->spec_state);
    nf_cl_lock_release(program->lock);
    return good;
}

/* Returns true if the core's report is empty, or only a line of counts with 0 generic accesses. */
static bool is_report_empty(const struct nf_cl_result *special)
{
    const char *end = strchr(special->report, '\n');
    bool counts = strncmp(special->report, "nonflat: ", strlen("nonflat: ")) == 0;
    return !*special->report || (special->counts.generic == 0 && counts && end && !end[1]);
}

static enum nf_cl_delivered deliver_result(struct nf_cl_program *program, struct nf_cl_group *group, bool for_compile,
                                           const struct nf_cl_bytes *requested, const struct nf_cl_result *special,
                                           uint64_t state, cl_int *error)
{
    struct created created = {NULL, NULL};
    const void *module = special->changed ? special->bytes.data : requested->data;
    size_t size = special->changed ? special->bytes.size : requested->size;
    cl_program made = create_from_module(program, group, module, size, &created, error);
    struct nf_cl_driver_program *driver_program = made ? nf_cl_driver_program_new(made) : NULL;
    if (driver_program)
        driver_program->entry = created.entry;
    else
        free(created.entry);
    if (created.message) {
        char *report = nf_cl_format("nonflat: %s\n%s", created.message, special->report);
        free(created.message);
        return refuse(program, group, for_compile ? NF_CL_INFO : NF_CL_ERROR, report);
    }
    if (made && !driver_program) *error = CL_OUT_OF_HOST_MEMORY;
    if (!driver_program) return NF_CL_FAILED;
    /* If no setting selects a mode, the log contains the driver's messages only. */
    bool quiet = group->native && group->by_default != NF_MODE_OFF && !group->config.mode_given;
    quiet = quiet || (program->from_source && is_report_empty(special));
    replace_driver_program(program, group, driver_program, for_compile, special->changed, state,
                           quiet ? "" : special->report, NULL);
    return NF_CL_READY;
}

enum nf_cl_delivered nf_cl_examine(struct nf_cl_program *program, struct nf_cl_group *group, cl_int *error)
{
    struct nf_cl_result *special = specialize_for_group(program, group, false, &program->module, NULL, 0);
    if (!special && nf_cl_has_fallback(group)) return NF_CL_READY;
    *error = special ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (!special) return NF_CL_FAILED;
    bool malformed = special->status == NF_MALFORMED;
    if (malformed) nf_cl_log(NF_CL_WARNING, "%s", special->report);
    nf_cl_cache_put(special);
    return malformed ? NF_CL_MALFORMED : NF_CL_READY;
}

/* The module of one build and its spec values. */
struct delivery {
    struct nf_cl_program *program;
    struct nf_cl_group *group;
    bool for_compile;
    struct nf_cl_bytes valued; /* the module with its spec values set; empty if there are none to set */
    nf_spec_value *specs;
    size_t spec_count;
    uint64_t state; /* the program's `spec_state` when the spec values were copied */
};

static bool take_order(struct delivery *order)
{
    if (!nf_cl_program_copy_specs(order->program, &order->specs, &order->spec_count, &order->state)) return false;
    if (order->group->native_specs || !order->spec_count) return true;
    return nf_cl_spec_apply(&order->program->module, order->specs, order->spec_count, &order->valued);
}

static const struct nf_cl_bytes *module_of(const struct delivery *order)
{
    return order->valued.data ? &order->valued : &order->program->module;
}

/* Creates the driver program from the original module. If the driver does not support specialization constants, their
 * values are in the module. */
static enum nf_cl_delivered deliver_original(struct delivery *order, cl_int *error)
{
    static const struct nf_cl_result own = {.status = NF_OK, .report = ""};
    if (!order->for_compile && count_once(order->program)) nf_cl_stats_pass();
    return deliver_result(order->program, order->group, order->for_compile, module_of(order), &own, order->state,
                          error);
}

/* Creates the driver program from the result of specialization. If the core has refused a module without generic
 * pointers, a driver that takes IL gets the original module. */
static enum nf_cl_delivered deliver_specialized(struct delivery *order, const struct nf_cl_result *special,
                                                cl_int *error)
{
    struct nf_cl_group *group = order->group;
    bool il = nf_cl_takes_il(group->delivery), malformed = special->status == NF_MALFORMED;
    enum nf_cl_level level = malformed ? NF_CL_WARNING : order->for_compile ? NF_CL_INFO : NF_CL_ERROR;
    bool refused = malformed || (special->status != NF_OK && !(il && !order->program->summary.uses_generic));
    if (!refused)
        return deliver_result(order->program, group, order->for_compile, module_of(order), special, order->state,
                              error);
    refuse(order->program, group, level, nf_cl_format("%s", special->report));
    return malformed ? NF_CL_MALFORMED : NF_CL_REFUSED;
}

static struct nf_cl_failure failure_of(const struct nf_cl_result *special)
{
    if (!special) return (struct nf_cl_failure){.transient = true};
    bool made = special->status == NF_OK;
    const char *why = made ? "the driver does not accept the specialized module" : special->report;
    return (struct nf_cl_failure){strdup(why), special->timed_out, false};
}

static enum nf_cl_delivered deliver_specialized_or_original(struct delivery *order, cl_int *error)
{
    size_t folded = order->group->native_specs ? 0 : order->spec_count;
    bool can = nf_cl_has_fallback(order->group);
    struct nf_cl_result *special =
        specialize_for_group(order->program, order->group, order->for_compile, module_of(order), order->specs, folded);
    enum nf_cl_delivered done = NF_CL_FAILED;
    if (special && (special->status == NF_OK || !can)) done = deliver_specialized(order, special, error);
    if (done != NF_CL_READY && can) {
        struct nf_cl_failure failure = failure_of(special);
        nf_cl_fall_back(order->program, order->group, NF_CL_WARNING, &failure);
        done = deliver_original(order, error);
    }
    nf_cl_cache_put(special);
    return done;
}

enum nf_cl_delivered nf_cl_deliver(struct nf_cl_program *program, struct nf_cl_group *group, bool for_compile,
                                   cl_int *error)
{
    struct delivery order = {.program = program, .group = group, .for_compile = for_compile};
    /* After clCompileProgram, the driver may link the module with any other module. */
    bool passes = nf_cl_is_passed_through(program, group) || (for_compile && nf_cl_has_fallback(group));
    *error = CL_SUCCESS;
    if (can_be_built(program, group, for_compile)) return NF_CL_READY;
    if (group->driver_program && nf_cl_program_kernels(program) > 0) {
        *error = CL_INVALID_OPERATION;
        return NF_CL_FAILED;
    }
    *error = CL_OUT_OF_HOST_MEMORY;
    enum nf_cl_delivered done = NF_CL_FAILED;
    if (take_order(&order))
        done = passes ? deliver_original(&order, error) : deliver_specialized_or_original(&order, error);
    if (done == NF_CL_READY && group->native_specs)
        replay_specs(group->driver_program->program, order.specs, order.spec_count);
    free(order.valued.data);
    free(order.specs);
    return done;
}
