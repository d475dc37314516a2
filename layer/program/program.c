/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - creation and destruction of a program of the layer. Takes a module, a context and its devices; gives a
 * record whose devices are divided into groups with equal requirements. The driver programs are created later.
 */
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups of devices ---- */

/* Reduces the group's profile to the features that `device` supports as well, and unites the faults; of the largest
 * work-group sizes the larger one counts, as code must be correct for either device. */
static void intersect_profile(struct nf_cl_group *group, const struct nf_cl_device *device)
{
    uint32_t version = device->profile.max_version;
    if (version && (!group->profile.max_version || version < group->profile.max_version))
        group->profile.max_version = version;
    nf_cl_unite_faults(&group->profile, group->faults, &device->profile);
    /* Each other flag states a restriction, which holds for the group if it holds for one device. */
    const uint32_t of_all = NF_PROFILE_TAKES_GLOBAL | NF_PROFILE_TAGGED_MERGES;
    uint32_t both = group->profile.flags & device->profile.flags & of_all;
    group->profile.flags = ((group->profile.flags | device->profile.flags) & ~of_all) | both;
    if (group->profile.max_work_group_size < device->profile.max_work_group_size)
        group->profile.max_work_group_size = device->profile.max_work_group_size;
    group->generic = group->generic && device->generic;
    group->native = group->native && device->native;
    group->wrong_memory_queries = group->wrong_memory_queries || device->wrong_memory_queries;
    group->waits_on_generic_only = group->waits_on_generic_only || device->waits_on_generic_only;
    group->native_specs = group->native_specs && device->native_specs;
}

/* Returns true if the group's specialized module also suits `device`. If `alone` is true, a device that needs a buffer
 * for variables suits no existing group. */
static bool belongs(const struct nf_cl_group *group, const struct nf_cl_device *device, bool alone)
{
    bool same_default = !group->native || !device->native || group->by_default == device->by_default;
    bool apart = alone && device->profile.flags & NF_PROFILE_NO_WRITABLE_GLOBALS;
    bool same_profile = nf_cl_profile_same_lists(&group->profile, &device->profile) &&
                        nf_cl_same_addresses(&group->profile, &device->profile) &&
                        group->profile.subgroup_sizes == device->profile.subgroup_sizes;
    return !group->by_driver && !apart && same_profile && group->delivery == device->delivery && same_default &&
           group->c_version == device->c_version && group->c_features == device->c_features &&
           group->lead->address_bits == device->address_bits && group->config.mode == device->config.mode &&
           group->config.mode_given == device->config.mode_given;
}

/* Returns the index of the first group that `device` may join, or the number of groups. */
static cl_uint find_group(const struct nf_cl_program *program, const struct nf_cl_device *device, bool alone)
{
    cl_uint i = 0;
    while (i < program->group_count && !belongs(&program->groups[i], device, alone))
        i++;
    return i;
}

static int group_for(struct nf_cl_program *program, const struct nf_cl_device *device, bool alone)
{
    if (!device || device->delivery == NF_CL_DELIVER_NOTHING) return -1;
    cl_uint i = find_group(program, device, alone);
    if (i == NF_CL_GROUPS) i = find_group(program, device, false); /* no group left; the build reports why */
    if (i == NF_CL_GROUPS) return -1;
    struct nf_cl_group *group = &program->groups[i];
    if (i == program->group_count) {
        program->group_count++;
        group->delivery = device->delivery;
        group->lead = device;
        group->config = device->config;
        group->generic = true;
        group->native = true;
        group->by_default = device->by_default;
        group->native_specs = true;
        group->profile = device->profile;
        if (program->summary.asks_memory) nf_cl_reserve_for_queries(&group->profile);
        group->c_version = device->c_version;
        group->c_features = device->c_features;
        if (device->delivery == NF_CL_DELIVER_SPIR) group->profile.flags |= NF_PROFILE_SPIR12;
    }
    intersect_profile(group, device);
    return (int)i;
}

/* Returns the index of the group for devices that are left to the driver's compiler, or -1 if no group is free. */
static int driver_group_for(struct nf_cl_program *program, const struct nf_cl_device *device)
{
    cl_uint i = 0;
    while (i < program->group_count && !program->groups[i].by_driver)
        i++;
    if (i == NF_CL_GROUPS) return -1;
    if (i == program->group_count) {
        program->group_count++;
        program->groups[i].by_driver = true;
        program->groups[i].delivery = device ? device->delivery : NF_CL_DELIVER_NOTHING;
        program->groups[i].lead = device;
    }
    return (int)i;
}

/* ---- creation and destruction ---- */

static void free_program(struct nf_cl_program *program)
{
    for (cl_uint i = 0; program->targets && i < program->device_count; i++)
        free(program->targets[i].options);
    for (cl_uint i = 0; i < program->group_count; i++) {
        free(program->groups[i].report);
        free(program->groups[i].binary_log);
        free(program->groups[i].fallback.why);
    }
    while (program->release_callbacks) {
        struct nf_cl_callback *callback = program->release_callbacks;
        program->release_callbacks = callback->next;
        free(callback);
    }
    free(program->targets);
    free(program->specs);
    free(program->module.data);
    free(program->notes.data);
    free(program->compiler_log);
    free(program->link_options);
    free(program);
}

static void destroy(struct nf_cl_program *program)
{
    for (struct nf_cl_callback *at = program->release_callbacks; at; at = at->next)
        at->notify(program->handle, at->user);
    for (cl_uint i = 0; i < program->group_count; i++)
        nf_cl_driver_program_release(program->groups[i].driver_program);
    if (program->from_source) NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, program->handle);
    NF_CL_CALL(clReleaseContext, CL_INVALID_CONTEXT, program->context);
    free_program(program);
}

/* Creates a record that is not in the registry yet. */
static struct nf_cl_program *make_program(cl_context context, const cl_device_id *devices, cl_uint device_count,
                                          struct nf_cl_bytes module, const bool *by_driver, cl_int *error)
{
    struct nf_cl_program *program = calloc(1, sizeof *program);
    if (!program) {
        free(module.data);
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    program->lock = nf_cl_program_lock(program);
    memcpy(&program->dispatch, (const void *)context, sizeof program->dispatch);
    program->handle = (cl_program)program;
    program->context = context;
    program->module = module;
    program->targets = calloc(device_count ? device_count : 1, sizeof *program->targets);
    *error = program->targets ? NF_CL_CALL(clRetainContext, CL_INVALID_CONTEXT, context) : CL_OUT_OF_HOST_MEMORY;
    if (*error != CL_SUCCESS) {
        free_program(program);
        return NULL;
    }
    nf_summarize(module.data, module.size, &program->summary);
    program->device_count = device_count;
    bool alone = device_count > 1 && nf_cl_has_variables(&program->module);
    for (cl_uint i = 0; i < device_count; i++) {
        program->targets[i].device = devices[i];
        const struct nf_cl_device *device = nf_cl_device_find(devices[i]);
        program->targets[i].group =
            by_driver && by_driver[i] ? driver_group_for(program, device) : group_for(program, device, alone);
    }
    for (cl_uint i = 0; i < program->group_count; i++)
        if (program->groups[i].profile.flags & NF_PROFILE_NO_WRITABLE_GLOBALS &&
            nf_cl_globals_single_device(program, &program->groups[i]))
            program->groups[i].profile.flags |= NF_PROFILE_GLOBALS_IN_MEMORY;
    return program;
}

/* Stores `driver_program` in the device group that is left to the driver, if there is one. Takes over the reference. */
static void set_source_program(struct nf_cl_program *program, struct nf_cl_driver_program *driver_program)
{
    for (cl_uint i = 0; i < program->group_count; i++)
        if (program->groups[i].by_driver)
            program->groups[i].driver_program = nf_cl_driver_program_retain(driver_program);
    nf_cl_driver_program_release(driver_program);
}

struct nf_cl_program *nf_cl_program_new(cl_context context, const cl_device_id *devices, cl_uint device_count,
                                        struct nf_cl_bytes module, const bool *by_driver,
                                        struct nf_cl_driver_program *driver_program, cl_int *error)
{
    struct nf_cl_program *program = make_program(context, devices, device_count, module, by_driver, error);
    if (program) {
        set_source_program(program, driver_program);
        nf_cl_registry_add(program, 1, NULL, destroy);
    } else {
        nf_cl_driver_program_release(driver_program);
    }
    return program;
}

bool nf_cl_program_shows_arguments(struct nf_cl_program *program)
{
    bool shows = program->kept; /* notes of a cached build always include arguments */
    nf_cl_lock_acquire(program->lock);
    for (cl_uint i = 0; i < program->device_count; i++) {
        const char *options = program->targets[i].options;
        shows = shows || (options && strstr(options, "-cl-kernel-arg-info"));
    }
    nf_cl_lock_release(program->lock);
    return shows;
}

/* Records the state of earlier builds by the driver for devices that are left to it. */
static void note_by_driver(struct nf_cl_program *program)
{
    for (cl_uint i = 0; i < program->device_count; i++) {
        struct nf_cl_target *target = &program->targets[i];
        cl_build_status status = CL_BUILD_NONE;
        if (!nf_cl_target_is_left_to_driver(program, target)) continue;
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program->handle, target->device, CL_PROGRAM_BUILD_STATUS,
                   sizeof status, &status, NULL);
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program->handle, target->device, CL_PROGRAM_BINARY_TYPE,
                   sizeof target->kind, &target->kind, NULL);
        target->attempted = status == CL_BUILD_SUCCESS;
    }
}

struct nf_cl_program *nf_cl_program_from_source(const struct nf_cl_source_program *origin,
                                                struct nf_cl_compiled *compiled, cl_int *error)
{
    NF_CL_CALL(clRetainProgram, CL_INVALID_PROGRAM, origin->handle);
    struct nf_cl_driver_program *driver_program = nf_cl_driver_program_new(origin->handle);
    struct nf_cl_program *program = NULL;
    *error = CL_OUT_OF_HOST_MEMORY;
    if (driver_program)
        program = make_program(origin->context, origin->devices, origin->device_count, compiled->module,
                               origin->by_driver, error);
    else
        free(compiled->module.data);
    compiled->module = (struct nf_cl_bytes){NULL, 0};
    if (!program) {
        nf_cl_driver_program_release(driver_program);
        return NULL;
    }
    program->notes = compiled->notes;
    program->compiler_log = compiled->log;
    *compiled = (struct nf_cl_compiled){.log = NULL};
    program->handle = origin->handle;
    program->from_source = true;
    set_source_program(program, driver_program);
    note_by_driver(program);
    /* The layer's kernels keep the record alive, and thus the handle, with which the driver is queried. */
    NF_CL_CALL(clRetainProgram, CL_INVALID_PROGRAM, program->handle);
    nf_cl_registry_add(program, origin->references, origin->watch, destroy);
    return program;
}
