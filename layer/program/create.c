/* SPDX-License-Identifier: Apache-2.0 */
/*
 * create.c - clCreateProgramWithIL. Takes the module and the context; gives the application a handle of the layer,
 * whose driver program is created when the form of the module for the driver is determined. If no device needs the
 * layer for the module, or the module is malformed, the driver handles the call; if no driver takes IL, the call fails
 * with CL_INVALID_VALUE.
 */
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

static void abandon(struct nf_cl_program *program)
{
    nf_cl_program_pin(program);
    nf_cl_program_release(program);
    nf_cl_program_unpin(program);
}

/* Returns true if any of the devices needs the layer for this module. Sets `*error` if memory was exhausted before the
 * answer was known: the call must then fail, because a driver without generic pointers may accept the module and
 * compute wrong results. */
static bool any_device_needs_layer(const cl_device_id *devices, cl_uint count, const nf_summary *summary, cl_int *error)
{
    for (cl_uint i = 0; i < count; i++) {
        bool out_of_memory;
        const struct nf_cl_device *device = nf_cl_device_query(devices[i], &out_of_memory);
        if (out_of_memory) {
            *error = CL_OUT_OF_HOST_MEMORY;
            return false;
        }
        if (device && device->served) return true;
        if (device && device->config.mode != NF_MODE_OFF && device->wrong_memory_queries && summary->asks_memory)
            return true;
        if (device && device->config.mode != NF_MODE_OFF && device->il_version && summary->version > device->il_version)
            return true;
    }
    return false;
}

/* Performs the work that does not depend on the build, so that errors appear in the call where drivers report them.
 * @return the first NF_CL_MALFORMED or NF_CL_FAILED of a group, else NF_CL_READY. */
static enum nf_cl_delivered prepare(struct nf_cl_program *program, cl_int *error)
{
    for (cl_uint i = 0; i < program->group_count; i++) {
        struct nf_cl_group *group = &program->groups[i];
        /* If the module has imports or a fallback, if its binary may be cached, or if the driver takes no IL, the
         * module is only checked now, and the build delivers it. A module that is passed on unchanged is delivered at
         * once, so that the driver validates it. */
        bool later = program->summary.has_imports || !nf_cl_takes_il(group->delivery) ||
                     nf_cl_binary_wanted(program, group) || nf_cl_has_fallback(group);
        later = later && !nf_cl_is_passed_through(program, group);
        enum nf_cl_delivered done =
            later ? nf_cl_examine(program, group, error) : nf_cl_deliver(program, group, false, error);
        if (done == NF_CL_MALFORMED || done == NF_CL_FAILED) return done;
    }
    return NF_CL_READY;
}

/* Returns a program of the layer, or NULL; if `*error` is CL_SUCCESS then, the driver handles the call. */
static struct nf_cl_program *create(cl_context context, const void *il, size_t length, cl_int *error)
{
    nf_summary summary;
    cl_uint count = 0;
    *error = CL_SUCCESS;
    if (!context || !il || length == 0 || nf_summarize(il, length, &summary) != NF_OK) return NULL;
    cl_device_id *devices = nf_cl_context_devices(context, &count);
    if (!devices && count > 0) *error = CL_OUT_OF_HOST_MEMORY;
    struct nf_cl_bytes copy = {NULL, length};
    struct nf_cl_program *program = NULL;
    if (devices && any_device_needs_layer(devices, count, &summary, error)) {
        copy.data = malloc(length);
        if (copy.data) {
            memcpy(copy.data, il, length);
            program = nf_cl_program_new(context, devices, count, copy, NULL, NULL, error);
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

/* Returns true if the layer serves all devices of the context and none of their drivers takes IL. The layer then
 * reports the errors of clCreateProgramWithIL. */
static bool is_il_from_layer(cl_context context)
{
    cl_uint count = 0, without_il = 0;
    cl_device_id *devices = context ? nf_cl_context_devices(context, &count) : NULL;
    for (cl_uint i = 0; devices && i < count; i++) {
        const struct nf_cl_device *device = nf_cl_device_find(devices[i]);
        without_il += device && device->served && !nf_cl_takes_il(device->delivery);
    }
    free(devices);
    return count > 0 && without_il == count;
}

cl_program nf_cl_program_create(cl_context context, const void *il, size_t length, bool khr, cl_int *error)
{
    NF_CL_UNCANCELED;
    cl_int status = CL_SUCCESS;
    nf_cl_layers_list_restore_all();
    struct nf_cl_program *program = create(context, il, length, &status);
    if (!program && status == CL_SUCCESS && is_il_from_layer(context)) status = CL_INVALID_VALUE;
    if (!program && status == CL_SUCCESS) return nf_cl_deliver_il(context, khr, il, length, error);
    if (error) *error = status;
    return program ? program->handle : NULL;
}
