/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - programs made from IL. Takes the module and the context; gives the application a handle of ours, behind
 * which a driver program appears once it is known what to give the driver. A module that needs nothing of us, and one
 * that is not well formed, go to the driver as they are: its answer is the application's.
 */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups of devices ---- */

/* Narrow the group's profile to what `device` takes, too. */
static void meet(struct nf_cl_group *group, const struct nf_cl_device *device)
{
    uint32_t version = group->delivery == NF_CL_DELIVER_SPIR ? 0 : device->il_version;
    if (version && (!group->profile.max_version || version < group->profile.max_version))
        group->profile.max_version = version;
    if (device->no_writable_globals) group->profile.flags |= NF_PROFILE_NO_WRITABLE_GLOBALS;
    if (device->private_escapes) group->profile.flags |= NF_PROFILE_PRIVATE_ESCAPES;
    group->generic = group->generic && device->generic;
    group->native_specs = group->native_specs && device->native_specs;
}

/* May `device` be one of the group? `alone`: not if it needs memory for variables. */
static bool belongs(const struct nf_cl_group *group, const struct nf_cl_device *device, bool alone)
{
    bool apart = alone && device->delivery == NF_CL_DELIVER_SPIR && device->no_writable_globals;
    return !apart && group->delivery == device->delivery && group->config.mode == device->config.mode &&
           group->config.mode_given == device->config.mode_given;
}

/* @return the group for `device` among those that there are, or their number. */
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
    if (i == NF_CL_GROUPS) i = find_group(program, device, false); /* no more room: the build says what it lacks */
    if (i == NF_CL_GROUPS) return -1;
    struct nf_cl_group *group = &program->groups[i];
    if (i == program->group_count) {
        program->group_count++;
        group->delivery = device->delivery;
        group->lead = device;
        group->config = device->config;
        group->generic = true;
        group->native_specs = true;
        group->profile.flags = device->delivery == NF_CL_DELIVER_SPIR ? NF_PROFILE_SPIR12 : 0;
    }
    meet(group, device);
    return (int)i;
}

/* ---- life ---- */

static void free_program(struct nf_cl_program *program)
{
    for (cl_uint i = 0; program->slots && i < program->device_count; i++)
        free(program->slots[i].options);
    for (cl_uint i = 0; i < program->group_count; i++) {
        free(program->groups[i].report);
        free(program->groups[i].binary_log);
    }
    while (program->release_callbacks) {
        struct nf_cl_callback *callback = program->release_callbacks;
        program->release_callbacks = callback->next;
        free(callback);
    }
    free(program->slots);
    free(program->specs);
    free(program->module.data);
    free(program);
}

struct nf_cl_program *nf_cl_program_new(cl_context context, const cl_device_id *devices, cl_uint device_count,
                                        struct nf_cl_bytes module, cl_int *error)
{
    struct nf_cl_program *program = calloc(1, sizeof(*program));
    if (!program) {
        free(module.data);
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    program->lock = nf_cl_program_lock(program);
    memcpy(&program->dispatch, (const void *)context, sizeof(program->dispatch));
    program->context = context;
    program->module = module;
    program->slots = calloc(device_count ? device_count : 1, sizeof(*program->slots));
    *error = program->slots ? NF_CL_CALL(clRetainContext, CL_INVALID_CONTEXT, context) : CL_OUT_OF_HOST_MEMORY;
    if (*error != CL_SUCCESS) {
        free_program(program);
        return NULL;
    }
    nf_summarize(module.data, module.size, &program->summary);
    program->device_count = device_count;
    bool alone = device_count > 1 && nf_cl_globals_among(&program->module);
    for (cl_uint i = 0; i < device_count; i++) {
        program->slots[i].device = devices[i];
        program->slots[i].group = group_for(program, nf_cl_device_find(devices[i]), alone);
    }
    nf_cl_registry_add(program);
    return program;
}

void nf_cl_program_destroy(struct nf_cl_program *program)
{
    for (struct nf_cl_callback *at = program->release_callbacks; at; at = at->next)
        at->notify((cl_program)program, at->user);
    for (cl_uint i = 0; i < program->group_count; i++) {
        nf_cl_globals_forget(program, &program->groups[i]);
        if (program->groups[i].inner) NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, program->groups[i].inner);
    }
    NF_CL_CALL(clReleaseContext, CL_INVALID_CONTEXT, program->context);
    free_program(program);
}

static void abandon(struct nf_cl_program *program)
{
    nf_cl_program_pin(program);
    nf_cl_program_release(program);
    nf_cl_program_put(program);
}

/* ---- making one ---- */

/* @return the devices of the context, or NULL. */
static cl_device_id *context_devices(cl_context context, cl_uint *count)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, 0, NULL, &size) != CL_SUCCESS ||
        size < sizeof(cl_device_id))
        return NULL;
    cl_device_id *devices = malloc(size);
    if (devices && NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, size, devices, NULL) !=
                       CL_SUCCESS) {
        free(devices);
        return NULL;
    }
    *count = (cl_uint)(size / sizeof(cl_device_id));
    return devices;
}

/* @return whether any of the devices wants this module from us. */
static bool wanted(const cl_device_id *devices, cl_uint count, const nf_summary *summary)
{
    for (cl_uint i = 0; i < count; i++) {
        const struct nf_cl_device *device = nf_cl_device_find(devices[i]);
        if (device && device->served) return true;
        if (device && device->config.mode != NF_MODE_OFF && device->il_version && summary->version > device->il_version)
            return true;
    }
    return false;
}

/* Do at once what does not wait for the build, so that errors come where a driver gives them. */
static enum nf_cl_delivered prepare(struct nf_cl_program *program, cl_int *error)
{
    for (cl_uint i = 0; i < program->group_count; i++) {
        struct nf_cl_group *group = &program->groups[i];
        /* What imports something is to be compiled and linked; what comes from the cache is not made before. */
        bool later = program->summary.has_imports || group->delivery == NF_CL_DELIVER_SPIR ||
                     nf_cl_binary_wanted(program, group);
        enum nf_cl_delivered done =
            later ? nf_cl_examine(program, group, error) : nf_cl_deliver(program, group, false, error);
        if (done == NF_CL_MALFORMED || done == NF_CL_FAILED) return done;
    }
    return NF_CL_READY;
}

/* @return a program of ours, or NULL: with *error CL_SUCCESS when the driver shall answer. */
static struct nf_cl_program *create(cl_context context, const void *il, size_t length, cl_int *error)
{
    nf_summary summary;
    cl_uint count = 0;
    *error = CL_SUCCESS;
    if (!context || !il || length == 0 || nf_summarize(il, length, &summary) != NF_OK) return NULL;
    cl_device_id *devices = context_devices(context, &count);
    struct nf_cl_bytes copy = {NULL, length};
    struct nf_cl_program *program = NULL;
    if (devices && wanted(devices, count, &summary)) {
        copy.data = malloc(length);
        if (copy.data) {
            memcpy(copy.data, il, length);
            program = nf_cl_program_new(context, devices, count, copy, error);
        } else {
            *error = CL_OUT_OF_HOST_MEMORY;
        }
    }
    free(devices);
    if (!program) return NULL;
    enum nf_cl_delivered done = program->group_count ? prepare(program, error) : NF_CL_MALFORMED;
    if (done == NF_CL_READY) return program;
    if (done == NF_CL_MALFORMED) *error = CL_SUCCESS;
    abandon(program);
    return NULL;
}

/* Where drivers take no IL and we offer it, it is for us to judge it. */
static bool is_our_offer(cl_context context)
{
    cl_uint count = 0, bitcode = 0;
    cl_device_id *devices = context ? context_devices(context, &count) : NULL;
    for (cl_uint i = 0; devices && i < count; i++) {
        const struct nf_cl_device *device = nf_cl_device_find(devices[i]);
        bitcode += device && device->served && device->delivery == NF_CL_DELIVER_SPIR;
    }
    free(devices);
    return count > 0 && bitcode == count;
}

cl_program nf_cl_program_create(cl_context context, const void *il, size_t length, bool khr, cl_int *error)
{
    cl_int ours = CL_SUCCESS;
    nf_cl_environ_mend_late();
    struct nf_cl_program *program = create(context, il, length, &ours);
    if (!program && ours == CL_SUCCESS && is_our_offer(context)) ours = CL_INVALID_VALUE;
    if (!program && ours == CL_SUCCESS) return nf_cl_deliver_il(context, khr, il, length, error);
    if (error) *error = ours;
    return (cl_program)program;
}

/* ---- looking behind a handle ---- */

/* Drivers with bitcode only: what others are asked with a handle that is none, they answer themselves. */
static cl_device_id parent_of(const struct nf_cl_program *program, cl_device_id device)
{
    for (cl_uint i = 0; i < program->group_count; i++)
        if (program->groups[i].delivery != NF_CL_DELIVER_SPIR) return NULL;
    return nf_cl_device_parent(device);
}

/* PoCL says that a context of sub-devices has their parents. */
struct nf_cl_slot *nf_cl_program_slot(const struct nf_cl_program *program, cl_device_id device)
{
    for (; device; device = parent_of(program, device))
        for (cl_uint i = 0; i < program->device_count; i++)
            if (program->slots[i].device == device) return &program->slots[i];
    return NULL;
}

cl_program nf_cl_program_inner_for(struct nf_cl_program *program, cl_device_id device)
{
    const struct nf_cl_slot *slot = nf_cl_program_slot(program, device);
    pthread_mutex_lock(program->lock);
    cl_program inner = slot && slot->group >= 0 ? program->groups[slot->group].inner : NULL;
    pthread_mutex_unlock(program->lock);
    return inner;
}

/* Note the group of a slot, unless it is there already. */
static cl_uint note_group(const struct nf_cl_program *program, int group, struct nf_cl_executable *list, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        if (list[i].group == group) return count;
    list[count] = (struct nf_cl_executable){program->groups[group].inner, group};
    return count + 1;
}

cl_uint nf_cl_program_executables(struct nf_cl_program *program, struct nf_cl_executable list[NF_CL_GROUPS])
{
    cl_uint count = 0;
    pthread_mutex_lock(program->lock);
    for (int any = 0; any < 2 && count == 0; any++)
        for (cl_uint i = 0; i < program->device_count && (!any || count == 0); i++) {
            const struct nf_cl_slot *slot = &program->slots[i];
            bool good = any || (slot->attempted && !slot->failed);
            if (good && slot->group >= 0 && program->groups[slot->group].inner)
                count = note_group(program, slot->group, list, count);
        }
    pthread_mutex_unlock(program->lock);
    return count;
}

/* Did the driver build it for a device of the group? */
static bool built_well(const struct nf_cl_program *program, const struct nf_cl_executable *executable)
{
    bool good = false;
    for (cl_uint i = 0; i < program->device_count && !good; i++) {
        cl_build_status status = CL_BUILD_NONE;
        if (program->slots[i].group == executable->group)
            NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, executable->inner, program->slots[i].device,
                       CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL);
        good = status == CL_BUILD_SUCCESS;
    }
    return good;
}

struct nf_cl_executable nf_cl_program_executable(struct nf_cl_program *program)
{
    struct nf_cl_executable list[NF_CL_GROUPS] = {{NULL, -1}};
    cl_uint count = nf_cl_program_executables(program, list);
    for (cl_uint i = 0; count > 1 && i < count; i++)
        if (built_well(program, &list[i])) return list[i];
    return list[0];
}

cl_program nf_cl_program_inner(struct nf_cl_program *program)
{
    return nf_cl_program_executable(program).inner;
}

cl_program nf_cl_program_translate(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return handle;
    cl_program inner = nf_cl_program_inner(program);
    nf_cl_program_put(program);
    return inner;
}
