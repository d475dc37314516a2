/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.c - one build by the driver of one device, which is found by its name. Takes a module or a text and the options
 * of its build; gives nothing: the only result is that it returns. The loader is opened by name, because the application may
 * have its own.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "layer/build_test/build_test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef cl_program(CL_API_CALL *create_fn)(cl_context, const void *, size_t, cl_int *);

static void *library;
static cl_platform_id platform;
static cl_device_id device;

/* Declares a pointer to an OpenCL function. ISO C has no cast between object and function pointers; POSIX guarantees
 * equal sizes. */
#define FUNCTION(name)                                                                                                 \
    __typeof__(name) *call_##name;                                                                                     \
    void *address_of_##name = dlsym(library, #name);                                                                   \
    memcpy(&call_##name, &address_of_##name, sizeof call_##name)

/* ---- the device ---- */

static bool is_platform(cl_platform_id candidate, const char *name)
{
    FUNCTION(clGetPlatformInfo);
    char text[1024] = "";
    return call_clGetPlatformInfo(candidate, CL_PLATFORM_NAME, sizeof text - 1, text, NULL) == CL_SUCCESS &&
           strcmp(text, name) == 0;
}

static bool says(cl_device_id candidate, cl_device_info name, const char *expected)
{
    FUNCTION(clGetDeviceInfo);
    char text[1024] = "";
    return call_clGetDeviceInfo(candidate, name, sizeof text - 1, text, NULL) == CL_SUCCESS &&
           strcmp(text, expected) == 0;
}

static bool find_on(cl_platform_id candidate, const struct nf_try_request *request)
{
    enum { MOST = 64 };
    FUNCTION(clGetDeviceIDs);
    cl_device_id devices[MOST];
    cl_uint count = 0;
    if (call_clGetDeviceIDs(candidate, CL_DEVICE_TYPE_ALL, MOST, devices, &count) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        if (!says(devices[i], CL_DEVICE_NAME, request->device) || !says(devices[i], CL_DRIVER_VERSION, request->driver))
            continue;
        platform = candidate;
        device = devices[i];
        return true;
    }
    return false;
}

bool nf_try_find(const struct nf_try_request *request)
{
    enum { MOST = 64 };
    cl_platform_id platforms[MOST];
    cl_uint count = 0;
    library = dlopen(request->loader, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        nf_helper_error("%s", dlerror());
        return false;
    }
    FUNCTION(clGetPlatformIDs);
    call_clGetPlatformIDs(MOST, platforms, &count);
    for (cl_uint i = 0; i < count && i < MOST; i++)
        if (is_platform(platforms[i], request->platform) && find_on(platforms[i], request)) return true;
    nf_helper_error("there is no device '%s' of '%s' here", request->device, request->platform);
    return false;
}

/* ---- the build ---- */

static cl_program create(cl_context context, const struct nf_bytes *module)
{
    FUNCTION(clCreateProgramWithIL);
    FUNCTION(clGetExtensionFunctionAddressForPlatform);
    cl_int error = CL_SUCCESS;
    cl_program program =
        call_clCreateProgramWithIL ? call_clCreateProgramWithIL(context, module->data, module->size, &error) : NULL;
    if (program || !call_clGetExtensionFunctionAddressForPlatform) return program;
    create_fn other;
    void *address = call_clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
    memcpy(&other, &address, sizeof other);
    return other ? other(context, module->data, module->size, &error) : NULL;
}

static cl_program create_from_source(cl_context context, const struct nf_bytes *text)
{
    FUNCTION(clCreateProgramWithSource);
    const char *begin = (const char *)text->data;
    cl_int error = CL_SUCCESS;
    return call_clCreateProgramWithSource(context, 1, &begin, NULL, &error);
}

static void set_specs(cl_program program, const struct nf_try_request *request)
{
    FUNCTION(clSetProgramSpecializationConstant);
    for (size_t i = 0; i < request->spec_count && call_clSetProgramSpecializationConstant; i++) {
        const struct nf_try_spec *spec = &request->specs[i];
        call_clSetProgramSpecializationConstant(program, spec->id, spec->size, &spec->value);
    }
}

/* Creates all kernels, because some drivers compile only then. */
static void make_kernels(cl_program program)
{
    FUNCTION(clCreateKernelsInProgram);
    cl_uint count = 0;
    if (call_clCreateKernelsInProgram(program, 0, NULL, &count) != CL_SUCCESS || count == 0) return;
    cl_kernel *kernels = calloc(count, sizeof(cl_kernel));
    if (kernels) call_clCreateKernelsInProgram(program, count, kernels, NULL);
    free(kernels); /* not released: the process ends soon */
}

void nf_try_build(const struct nf_try_request *request)
{
    FUNCTION(clCreateContext);
    FUNCTION(clCompileProgram);
    FUNCTION(clBuildProgram);
    cl_int error = CL_SUCCESS;
    cl_context context = call_clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (!context) return;
    cl_program program =
        request->source ? create_from_source(context, &request->module) : create(context, &request->module);
    if (!program) return;
    set_specs(program, request);
    if (request->compile)
        call_clCompileProgram(program, 1, &device, request->options, 0, NULL, NULL, NULL, NULL);
    else if (call_clBuildProgram(program, 1, &device, request->options, NULL, NULL) == CL_SUCCESS)
        make_kernels(program);
}
