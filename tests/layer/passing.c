/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passing.c - a layer like those of other authors, to be placed above and below Nonflat: it intercepts calls for
 * programs and kernels, reads every handle as a loader would, and passes all calls on. A handle without a dispatch
 * pointer would end the process in this layer.
 */
#include "test_layer.h"

#include <stdlib.h>
#include <string.h>

typedef void(CL_CALLBACK *notify_fn)(cl_program program, void *user);

/* Reads the dispatch pointer with which every handle begins. */
static void look_at(const void *handle)
{
    void *dispatch;
    if (!handle) return;
    memcpy(&dispatch, handle, sizeof dispatch);
    if (!dispatch) abort();
}

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    cl_program program = next.clCreateProgramWithIL(context, il, length, error);
    look_at(program);
    return program;
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                notify_fn notify, void *user)
{
    look_at(program);
    return next.clBuildProgram(program, count, devices, options, notify, user);
}

static cl_int CL_API_CALL retain(cl_program program)
{
    look_at(program);
    return next.clRetainProgram(program);
}

static cl_int CL_API_CALL release(cl_program program)
{
    look_at(program);
    return next.clReleaseProgram(program);
}

static cl_int CL_API_CALL program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                       size_t *size_ret)
{
    look_at(program);
    return next.clGetProgramInfo(program, name, size, value, size_ret);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    look_at(program);
    cl_kernel kernel = next.clCreateKernel(program, name, error);
    look_at(kernel);
    return kernel;
}

static cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_kernel_info name, size_t size, void *value, size_t *size_ret)
{
    look_at(kernel);
    cl_int error = next.clGetKernelInfo(kernel, name, size, value, size_ret);
    if (error == CL_SUCCESS && name == CL_KERNEL_PROGRAM && value) look_at(*(cl_program *)value);
    return error;
}

static void *CL_API_CALL extension(cl_platform_id platform, const char *name)
{
    return next.clGetExtensionFunctionAddressForPlatform(platform, name);
}

const char test_layer_name[] = "passing";

const cl_icd_dispatch test_layer_calls = {
    .clCreateProgramWithIL = create_with_il,
    .clBuildProgram = build,
    .clRetainProgram = retain,
    .clReleaseProgram = release,
    .clGetProgramInfo = program_info,
    .clCreateKernel = create_kernel,
    .clGetKernelInfo = kernel_info,
    .clGetExtensionFunctionAddressForPlatform = extension,
};
