/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intercept.c - one short wrapper per call that we take part in: find the record, act, else forward. The table at the
 * end has an empty slot for every other call, which the loader fills with the next layer's, so those cost nothing.
 */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- programs ---- */

static cl_program CL_API_CALL create_program_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    return nf_cl_program_create(context, il, length, false, error);
}

static cl_int CL_API_CALL retain_program(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clRetainProgram, CL_INVALID_PROGRAM, handle);
    nf_cl_program_retain(program);
    nf_cl_program_put(program);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_program(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, handle);
    bool held = nf_cl_program_release(program);
    nf_cl_program_put(program);
    return held ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

static cl_int CL_API_CALL build_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
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
    cl_program *copy = header_count && headers ? calloc(header_count, sizeof(*copy)) : NULL;
    bool good = true;
    for (cl_uint i = 0; copy && i < header_count; i++) {
        copy[i] = nf_cl_program_translate(headers[i]);
        good = good && (copy[i] || !headers[i]);
    }
    cl_int error = CL_INVALID_PROGRAM;
    if (good)
        error = NF_CL_CALL(clCompileProgram, CL_INVALID_PROGRAM, handle, device_count, devices, options, header_count,
                           copy ? copy : headers, names, notify, user);
    free(copy);
    return error;
}

static cl_int CL_API_CALL compile_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
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

static cl_program CL_API_CALL link_program(cl_context context, cl_uint device_count, const cl_device_id *devices,
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

static cl_int CL_API_CALL get_program_info(cl_program handle, cl_program_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    const uint64_t here = NF_CL_PROBE_ANSWER;
    if (!handle && name == NF_CL_PROBE_PARAM) return nf_cl_answer(&here, sizeof(here), size, value, size_ret);
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, handle, name, size, value, size_ret);
    cl_int error = nf_cl_program_info(program, name, size, value, size_ret);
    nf_cl_program_put(program);
    return error;
}

static cl_int CL_API_CALL get_program_build_info(cl_program handle, cl_device_id device, cl_program_build_info name,
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
    struct nf_cl_callback *callback = notify ? calloc(1, sizeof(*callback)) : NULL;
    if (!callback) return notify ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
    callback->notify = notify;
    callback->user = user;
    pthread_mutex_lock(program->lock);
    callback->next = program->release_callbacks;
    program->release_callbacks = callback;
    pthread_mutex_unlock(program->lock);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL set_program_release_callback(cl_program handle, nf_cl_notify notify, void *user)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clSetProgramReleaseCallback, CL_INVALID_OPERATION, handle, notify, user);
    cl_int error = add_release_callback(program, notify, user);
    nf_cl_program_put(program);
    return error;
}

static cl_int CL_API_CALL set_program_spec(cl_program handle, cl_uint id, size_t size, const void *value)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, handle, id, size, value);
    cl_int error = nf_cl_program_set_spec(program, id, size, value);
    nf_cl_program_put(program);
    return error;
}

/* ---- kernels: the driver's own handles, of which we remember the program ---- */

static cl_kernel remember(cl_kernel kernel, struct nf_cl_program *program, cl_int *error)
{
    if (!kernel || nf_cl_kernel_add(kernel, program)) return kernel;
    NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    if (error) *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

static cl_kernel create_ours(struct nf_cl_program *program, const char *name, cl_int *error)
{
    cl_program inner = nf_cl_program_inner(program);
    cl_kernel kernel = NULL;
    *error = CL_INVALID_PROGRAM_EXECUTABLE;
    if (!inner) return NULL;
    *error = nf_cl_globals_prepare(program, inner);
    if (*error != CL_SUCCESS) return NULL;
    if (name && nf_cl_globals_is_ours(name) && nf_cl_globals_hidden(program, inner))
        *error = CL_INVALID_KERNEL_NAME;
    else
        kernel = nf_cl_create_named(program, inner, name, error);
    if (kernel) *error = nf_cl_globals_bind(program, inner, kernel);
    if (!kernel || *error == CL_SUCCESS) return remember(kernel, program, error);
    NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    return NULL;
}

static cl_kernel CL_API_CALL create_kernel(cl_program handle, const char *name, cl_int *error)
{
    cl_int ours = CL_SUCCESS;
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return nf_cl_next()->clCreateKernel(handle, name, error);
    cl_kernel kernel = create_ours(program, name, &ours);
    nf_cl_program_put(program);
    if (error) *error = ours;
    return kernel;
}

static cl_int remember_all(cl_kernel *kernels, cl_uint count, struct nf_cl_program *program)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++)
        kernels[i] = remember(kernels[i], program, &error);
    return error;
}

static cl_int CL_API_CALL create_kernels_in_program(cl_program handle, cl_uint count, cl_kernel *kernels,
                                                    cl_uint *count_ret)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, handle, count, kernels, count_ret);
    cl_program inner = nf_cl_program_inner(program);
    cl_uint made = 0;
    cl_int error = CL_INVALID_PROGRAM_EXECUTABLE;
    if (inner) error = nf_cl_globals_create_all(program, inner, count, kernels, &made);
    if (error == CL_SUCCESS && kernels) error = remember_all(kernels, made < count ? made : count, program);
    if (error == CL_SUCCESS && count_ret) *count_ret = made;
    nf_cl_program_put(program);
    return error;
}

static cl_int CL_API_CALL retain_kernel(cl_kernel kernel)
{
    cl_int error = NF_CL_CALL(clRetainKernel, CL_INVALID_KERNEL, kernel);
    if (error == CL_SUCCESS) nf_cl_kernel_retain(kernel);
    return error;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    nf_cl_kernel_release(kernel);
    return NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *error)
{
    if (!nf_cl_next()->clCloneKernel) {
        if (error) *error = CL_INVALID_OPERATION;
        return NULL;
    }
    struct nf_cl_program *program = nf_cl_kernel_program(source);
    cl_kernel kernel = nf_cl_next()->clCloneKernel(source, error);
    if (program) {
        kernel = remember(kernel, program, error);
        nf_cl_program_put(program);
    }
    return kernel;
}

static cl_int answer_kernel_name(cl_kernel kernel, const struct nf_cl_program *program, size_t size, void *value,
                                 size_t *size_ret)
{
    size_t length = 0;
    cl_int error = NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &length);
    if (error != CL_SUCCESS) return error;
    char *name = calloc(1, length + 1);
    if (name)
        error = NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_FUNCTION_NAME, length, name, NULL);
    char *own = name && error == CL_SUCCESS ? nf_cl_own_names(program, name) : NULL;
    if (error == CL_SUCCESS)
        error = own ? nf_cl_answer(own, strlen(own) + 1, size, value, size_ret) : CL_OUT_OF_HOST_MEMORY;
    free(own);
    free(name);
    return error;
}

static cl_int answer_argument_count(cl_kernel kernel, struct nf_cl_program *program, size_t size, void *value,
                                    size_t *size_ret)
{
    cl_uint count = 0;
    cl_int error = nf_cl_globals_visible(program, kernel, &count);
    return error == CL_SUCCESS ? nf_cl_answer(&count, sizeof(count), size, value, size_ret) : error;
}

static cl_int CL_API_CALL get_kernel_info(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    bool ours = name == CL_KERNEL_PROGRAM || name == CL_KERNEL_FUNCTION_NAME || name == CL_KERNEL_NUM_ARGS;
    struct nf_cl_program *program = ours ? nf_cl_kernel_program(kernel) : NULL;
    if (!program) return NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, name, size, value, size_ret);
    cl_int error;
    if (name == CL_KERNEL_PROGRAM)
        error = nf_cl_answer(&program, sizeof(program), size, value, size_ret);
    else if (name == CL_KERNEL_FUNCTION_NAME)
        error = answer_kernel_name(kernel, program, size, value, size_ret);
    else
        error = answer_argument_count(kernel, program, size, value, size_ret);
    nf_cl_program_put(program);
    return error;
}

static cl_int CL_API_CALL get_kernel_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                                              void *value, size_t *size_ret)
{
    struct nf_cl_program *program = nf_cl_kernel_program(kernel);
    cl_uint count = index + 1;
    if (program) {
        if (nf_cl_globals_visible(program, kernel, &count) != CL_SUCCESS) count = index + 1;
        nf_cl_program_put(program);
    }
    if (index == count) return CL_INVALID_ARG_INDEX; /* the one behind the last is ours, or none */
    return NF_CL_CALL(clGetKernelArgInfo, CL_INVALID_KERNEL, kernel, index, name, size, value, size_ret);
}

/* ---- the table ---- */

const cl_icd_dispatch nf_cl_dispatch = {
    .clGetDeviceInfo = nf_cl_get_device_info,
    .clRetainProgram = retain_program,
    .clReleaseProgram = release_program,
    .clBuildProgram = build_program,
    .clGetProgramInfo = get_program_info,
    .clGetProgramBuildInfo = get_program_build_info,
    .clCreateKernel = create_kernel,
    .clCreateKernelsInProgram = create_kernels_in_program,
    .clRetainKernel = retain_kernel,
    .clReleaseKernel = release_kernel,
    .clGetKernelInfo = get_kernel_info,
    .clGetExtensionFunctionAddress = nf_cl_get_extension,
    .clCompileProgram = compile_program,
    .clGetKernelArgInfo = get_kernel_arg_info,
    .clLinkProgram = link_program,
    .clGetExtensionFunctionAddressForPlatform = nf_cl_get_platform_extension,
    .clCloneKernel = clone_kernel,
    .clCreateProgramWithIL = create_program_with_il,
    .clSetProgramReleaseCallback = set_program_release_callback,
    .clSetProgramSpecializationConstant = set_program_spec,
};

#define SLOT(function)                                                                                                 \
    {                                                                                                                  \
#function, offsetof(cl_icd_dispatch, function)                                                                 \
    }

/* For applications that ask for core functions by name. */
nf_cl_function nf_cl_intercepted(const char *name)
{
    static const struct {
        const char *name;
        size_t offset;
    } slots[] = {
        SLOT(clGetDeviceInfo),
        SLOT(clRetainProgram),
        SLOT(clReleaseProgram),
        SLOT(clBuildProgram),
        SLOT(clGetProgramInfo),
        SLOT(clGetProgramBuildInfo),
        SLOT(clCreateKernel),
        SLOT(clCreateKernelsInProgram),
        SLOT(clRetainKernel),
        SLOT(clReleaseKernel),
        SLOT(clGetKernelInfo),
        SLOT(clGetExtensionFunctionAddress),
        SLOT(clCompileProgram),
        SLOT(clGetKernelArgInfo),
        SLOT(clLinkProgram),
        SLOT(clGetExtensionFunctionAddressForPlatform),
        SLOT(clCloneKernel),
        SLOT(clCreateProgramWithIL),
        SLOT(clSetProgramReleaseCallback),
        SLOT(clSetProgramSpecializationConstant),
    };
    nf_cl_function function = NULL;
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]) && !function; i++)
        if (strcmp(slots[i].name, name) == 0)
            memcpy(&function, (const char *)&nf_cl_dispatch + slots[i].offset, sizeof(function));
    return function;
}
