/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - one short wrapper per call of programs that we take part in: find the record, act, else forward.
 */
#include "layer/api/api.h"

#include <stdlib.h>
#include <string.h>

cl_program CL_API_CALL nf_cl_create_program_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    return nf_cl_program_create(context, il, length, false, error);
}

cl_int CL_API_CALL nf_cl_retain_program(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clRetainProgram, CL_INVALID_PROGRAM, handle);
    nf_cl_program_retain(program);
    nf_cl_program_put(program);
    return CL_SUCCESS;
}

cl_int CL_API_CALL nf_cl_release_program(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, handle);
    bool held = nf_cl_program_release(program);
    nf_cl_program_put(program);
    return held ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

cl_int CL_API_CALL nf_cl_build_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
                                       const char *options, nf_cl_notify notify, void *user)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program)
        return NF_CL_CALL(clBuildProgram, CL_INVALID_PROGRAM, handle, device_count, devices, options, notify, user);
    cl_int error = nf_cl_build(program, device_count, devices, options, false, notify, user);
    nf_cl_program_put(program);
    return error;
}

/* A program of source may name programs of ours as headers; they have no source, so the driver gets what it has. */
static cl_int compile_theirs(cl_program handle, cl_uint device_count, const cl_device_id *devices, const char *options,
                             cl_uint header_count, const cl_program *headers, const char **names, nf_cl_notify notify,
                             void *user)
{
    const cl_uint count = headers ? header_count : 0;
    cl_program *copy = calloc((size_t)count + 1, sizeof *copy);
    struct nf_cl_inner **held = calloc((size_t)count + 1, sizeof *held);
    cl_int error = copy && held ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; copy && held && i < count; i++) {
        copy[i] = nf_cl_program_translate(headers[i], &held[i]);
        if (!copy[i] && headers[i]) error = CL_INVALID_PROGRAM;
    }
    if (error == CL_SUCCESS)
        error = NF_CL_CALL(clCompileProgram, CL_INVALID_PROGRAM, handle, device_count, devices, options, header_count,
                           headers ? copy : NULL, names, notify, user);
    for (cl_uint i = 0; held && i < count; i++)
        nf_cl_inner_drop(held[i]);
    free(held);
    free(copy);
    return error;
}

cl_int CL_API_CALL nf_cl_compile_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
                                         const char *options, cl_uint header_count, const cl_program *headers,
                                         const char **names, nf_cl_notify notify, void *user)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program)
        return compile_theirs(handle, device_count, devices, options, header_count, headers, names, notify, user);
    bool listed = headers && names, empty = !headers && !names;
    cl_int error = CL_INVALID_VALUE;
    if (header_count ? listed : empty) error = nf_cl_build(program, device_count, devices, options, true, notify, user);
    nf_cl_program_put(program);
    return error;
}

cl_program CL_API_CALL nf_cl_link_program(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                          const char *options, cl_uint input_count, const cl_program *inputs,
                                          nf_cl_notify notify, void *user, cl_int *error)
{
    bool ours = false, nothing = false;
    for (cl_uint i = 0; inputs && i < input_count; i++)
        nothing = nothing || !inputs[i];
    if (input_count == 0 || !inputs || nothing) { /* drivers look all the same, and must not see a program of ours */
        if (error) *error = !context ? CL_INVALID_CONTEXT : nothing ? CL_INVALID_PROGRAM : CL_INVALID_VALUE;
        return NULL;
    }
    for (cl_uint i = 0; i < input_count && !ours; i++) {
        struct nf_cl_program *program = nf_cl_program_get(inputs[i]);
        ours = program != NULL;
        if (program) nf_cl_program_put(program);
    }
    if (ours) return nf_cl_link(context, device_count, devices, options, input_count, inputs, notify, user, error);
    if (nf_cl_next()->clLinkProgram)
        return nf_cl_next()->clLinkProgram(context, device_count, devices, options, input_count, inputs, notify, user,
                                           error);
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

cl_int CL_API_CALL nf_cl_get_program_info(cl_program handle, cl_program_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const uint64_t here = NF_CL_PROBE_ANSWER;
    if (!handle && name == NF_CL_PROBE_PARAM) return nf_cl_answer(&here, sizeof here, size, value, size_ret);
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, handle, name, size, value, size_ret);
    cl_int error = nf_cl_program_info(program, name, size, value, size_ret);
    nf_cl_program_put(program);
    return error;
}

cl_int CL_API_CALL nf_cl_get_program_build_info(cl_program handle, cl_device_id device, cl_program_build_info name,
                                                size_t size, void *value, size_t *size_ret)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program)
        return NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, handle, device, name, size, value, size_ret);
    cl_int error = nf_cl_build_info(program, device, name, size, value, size_ret);
    nf_cl_program_put(program);
    return error;
}

static cl_int add_release_callback(struct nf_cl_program *program, nf_cl_notify notify, void *user)
{
    struct nf_cl_callback *callback = notify ? calloc(1, sizeof *callback) : NULL;
    if (!callback) return notify ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
    callback->notify = notify;
    callback->user = user;
    nf_cl_hold(program->lock);
    callback->next = program->release_callbacks;
    program->release_callbacks = callback;
    nf_cl_give(program->lock);
    return CL_SUCCESS;
}

cl_int CL_API_CALL nf_cl_set_program_release_callback(cl_program handle, nf_cl_notify notify, void *user)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clSetProgramReleaseCallback, CL_INVALID_OPERATION, handle, notify, user);
    cl_int error = add_release_callback(program, notify, user);
    nf_cl_program_put(program);
    return error;
}

cl_int CL_API_CALL nf_cl_set_program_spec(cl_program handle, cl_uint id, size_t size, const void *value)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, handle, id, size, value);
    cl_int error = nf_cl_program_set_spec(program, id, size, value);
    nf_cl_program_put(program);
    return error;
}
