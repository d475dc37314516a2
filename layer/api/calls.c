/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.c - the intercepted calls about programs: each call finds the record of the program and acts on it, or is
 * passed through.
 */
#include "layer/api/api.h"

#include <stdlib.h>
#include <string.h>

cl_program CL_API_CALL nf_cl_create_program_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    return nf_cl_program_create(context, il, length, false, error);
}

/* Retains a program. If the handle is a source program of the driver, the driver's reference count changes as well. */
cl_int CL_API_CALL nf_cl_retain_program(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    cl_int error = CL_SUCCESS;
    if (!program || program->from_source) error = NF_CL_CALL(clRetainProgram, CL_INVALID_PROGRAM, handle);
    if (!program && error == CL_SUCCESS) nf_cl_registry_adjust(handle, 1);
    if (!program) return error;
    if (error == CL_SUCCESS) nf_cl_program_retain(program);
    nf_cl_program_unpin(program);
    return error;
}

cl_int CL_API_CALL nf_cl_release_program(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) {
        nf_cl_registry_adjust(handle, -1); /* before the release: afterwards another program may get the handle */
        nf_cl_reason_release(handle);
        return NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, handle);
    }
    cl_int error = nf_cl_program_release(program) ? CL_SUCCESS : CL_INVALID_PROGRAM;
    if (program->from_source && error == CL_SUCCESS) error = NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, handle);
    nf_cl_program_unpin(program);
    return error;
}

cl_int CL_API_CALL nf_cl_build_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
                                       const char *options, nf_cl_notify notify, void *user)
{
    const struct nf_cl_call call = {device_count, devices, options, false, 0, NULL, NULL, notify, user};
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return nf_cl_source_build(handle, NULL, &call);
    cl_int error = program->from_source ? nf_cl_source_build(handle, program, &call) : nf_cl_build(program, &call);
    nf_cl_program_unpin(program);
    return error;
}

cl_int CL_API_CALL nf_cl_compile_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
                                         const char *options, cl_uint header_count, const cl_program *headers,
                                         const char **names, nf_cl_notify notify, void *user)
{
    const struct nf_cl_call call = {device_count, devices, options, true, header_count, headers, names, notify, user};
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return nf_cl_source_build(handle, NULL, &call);
    bool listed = headers && names, empty = !headers && !names;
    cl_int error = CL_INVALID_VALUE;
    if (program->from_source)
        error = nf_cl_source_build(handle, program, &call);
    else if (header_count ? listed : empty)
        error = nf_cl_build(program, &call);
    nf_cl_program_unpin(program);
    return error;
}

cl_program CL_API_CALL nf_cl_link_program(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                          const char *options, cl_uint input_count, const cl_program *inputs,
                                          nf_cl_notify notify, void *user, cl_int *error)
{
    bool is_linked_here = false, nothing = false;
    for (cl_uint i = 0; inputs && i < input_count; i++)
        nothing = nothing || !inputs[i];
    /* Some drivers read the list before they return an error; it must not contain a program of the layer then. */
    if (input_count == 0 || !inputs || nothing) {
        if (error) *error = !context ? CL_INVALID_CONTEXT : nothing ? CL_INVALID_PROGRAM : CL_INVALID_VALUE;
        return NULL;
    }
    for (cl_uint i = 0; i < input_count && !is_linked_here; i++) {
        struct nf_cl_program *program = nf_cl_program_get(inputs[i]);
        is_linked_here = program != NULL;
        if (program) nf_cl_program_unpin(program);
    }
    is_linked_here = is_linked_here || nf_cl_link_device(options, input_count, inputs);
    if (is_linked_here)
        return nf_cl_link(context, device_count, devices, options, input_count, inputs, notify, user, error);
    return nf_cl_link_by_driver(context, device_count, devices, options, input_count, inputs, notify, user, error);
}

cl_int CL_API_CALL nf_cl_get_program_info(cl_program handle, cl_program_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const uint64_t here = NF_CL_PROBE_ANSWER;
    if (!handle && name == NF_CL_PROBE_PARAM) return nf_cl_answer(&here, sizeof here, size, value, size_ret);
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, handle, name, size, value, size_ret);
    cl_int error = nf_cl_program_info(program, name, size, value, size_ret);
    nf_cl_program_unpin(program);
    return error;
}

cl_int CL_API_CALL nf_cl_get_program_build_info(cl_program handle, cl_device_id device, cl_program_build_info name,
                                                size_t size, void *value, size_t *size_ret)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    cl_int error;
    if (!program && name == CL_PROGRAM_BUILD_LOG && nf_cl_reason_log(handle, device, size, value, size_ret, &error))
        return error;
    if (!program)
        return NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, handle, device, name, size, value, size_ret);
    error = nf_cl_build_info(program, device, name, size, value, size_ret);
    nf_cl_program_unpin(program);
    return error;
}

static cl_int add_release_callback(struct nf_cl_program *program, nf_cl_notify notify, void *user)
{
    struct nf_cl_callback *callback = notify ? calloc(1, sizeof *callback) : NULL;
    if (!callback) return notify ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
    callback->notify = notify;
    callback->user = user;
    nf_cl_lock_acquire(program->lock);
    callback->next = program->release_callbacks;
    program->release_callbacks = callback;
    nf_cl_lock_release(program->lock);
    return CL_SUCCESS;
}

cl_int CL_API_CALL nf_cl_set_program_release_callback(cl_program handle, nf_cl_notify notify, void *user)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clSetProgramReleaseCallback, CL_INVALID_OPERATION, handle, notify, user);
    cl_int error = program->from_source
                       ? NF_CL_CALL(clSetProgramReleaseCallback, CL_INVALID_OPERATION, handle, notify, user)
                       : add_release_callback(program, notify, user);
    nf_cl_program_unpin(program);
    return error;
}

cl_int CL_API_CALL nf_cl_set_program_spec(cl_program handle, cl_uint id, size_t size, const void *value)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, handle, id, size, value);
    cl_int error = program->from_source
                       ? NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, handle, id, size, value)
                       : nf_cl_program_set_spec(program, id, size, value);
    nf_cl_program_unpin(program);
    return error;
}
