/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.c - the dispatch table of the intercepted calls, and the same functions by name. All other entries are NULL.
 * The loader fills them with the entries of the next layer, so other calls have no overhead. The calls that look up a
 * function by name are intercepted as well; they are in this file because they return entries of the table.
 */
#include "layer/api/api.h"

#include <string.h>

static void *CL_API_CALL get_extension(const char *name);
static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name);

const cl_icd_dispatch nf_cl_dispatch = {
    .clGetDeviceInfo = nf_cl_get_device_info,
    .clRetainProgram = nf_cl_retain_program,
    .clReleaseProgram = nf_cl_release_program,
    .clBuildProgram = nf_cl_build_program,
    .clGetProgramInfo = nf_cl_get_program_info,
    .clGetProgramBuildInfo = nf_cl_get_program_build_info,
    .clCreateKernel = nf_cl_create_kernel,
    .clCreateKernelsInProgram = nf_cl_create_kernels_in_program,
    .clRetainKernel = nf_cl_retain_kernel,
    .clReleaseKernel = nf_cl_release_kernel,
    .clGetKernelInfo = nf_cl_get_kernel_info,
    .clGetExtensionFunctionAddress = get_extension,
    .clCompileProgram = nf_cl_compile_program,
    .clSetKernelArg = nf_cl_set_kernel_arg,
    .clSetKernelArgSVMPointer = nf_cl_set_kernel_arg_svm_pointer,
    .clSetKernelExecInfo = nf_cl_set_kernel_exec_info,
    .clGetKernelWorkGroupInfo = nf_cl_get_kernel_work_group_info,
    .clGetKernelSubGroupInfo = nf_cl_get_kernel_sub_group_info,
    .clGetKernelSubGroupInfoKHR = nf_cl_get_kernel_sub_group_info_khr,
    .clEnqueueNDRangeKernel = nf_cl_enqueue_nd_range_kernel,
    .clEnqueueTask = nf_cl_enqueue_task,
    .clGetKernelArgInfo = nf_cl_get_kernel_arg_info,
    .clLinkProgram = nf_cl_link_program,
    .clGetExtensionFunctionAddressForPlatform = get_platform_extension,
    .clCloneKernel = nf_cl_clone_kernel,
    .clCreateProgramWithIL = nf_cl_create_program_with_il,
    .clSetProgramReleaseCallback = nf_cl_set_program_release_callback,
    .clSetProgramSpecializationConstant = nf_cl_set_program_spec,
};

#define ENTRY(function)                                                                                                \
    {                                                                                                                  \
#function, offsetof(cl_icd_dispatch, function)                                                                 \
    }

/* Returns the layer's function for a core function, or NULL: applications may look up core functions by name. */
static nf_cl_function intercepted(const char *name)
{
    static const struct {
        const char *name;
        size_t offset;
    } entries[] = {
        ENTRY(clGetDeviceInfo),
        ENTRY(clRetainProgram),
        ENTRY(clReleaseProgram),
        ENTRY(clBuildProgram),
        ENTRY(clGetProgramInfo),
        ENTRY(clGetProgramBuildInfo),
        ENTRY(clCreateKernel),
        ENTRY(clCreateKernelsInProgram),
        ENTRY(clRetainKernel),
        ENTRY(clReleaseKernel),
        ENTRY(clGetKernelInfo),
        ENTRY(clGetExtensionFunctionAddress),
        ENTRY(clCompileProgram),
        ENTRY(clSetKernelArg),
        ENTRY(clSetKernelArgSVMPointer),
        ENTRY(clSetKernelExecInfo),
        ENTRY(clGetKernelWorkGroupInfo),
        ENTRY(clGetKernelSubGroupInfo),
        ENTRY(clEnqueueNDRangeKernel),
        ENTRY(clEnqueueTask),
        ENTRY(clGetKernelArgInfo),
        ENTRY(clLinkProgram),
        ENTRY(clGetExtensionFunctionAddressForPlatform),
        ENTRY(clCloneKernel),
        ENTRY(clCreateProgramWithIL),
        ENTRY(clSetProgramReleaseCallback),
        ENTRY(clSetProgramSpecializationConstant),
    };
    nf_cl_function function = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0] && !function; i++)
        if (strcmp(entries[i].name, name) == 0)
            memcpy(&function, (const char *)&nf_cl_dispatch + entries[i].offset, sizeof function);
    return function;
}

/* ---- by name ---- */

static void *to_address(nf_cl_function function)
{
    void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

static nf_cl_function layer_function_for(const char *name, nf_cl_function driver_function)
{
    nf_cl_function layer_function = nf_cl_program_extension(name);
    if (!layer_function) layer_function = intercepted(name);
    return layer_function ? layer_function : nf_cl_kernel_extension(name, driver_function);
}

/* Returns true if the layer adds IL support to one of the first 64 devices of the platform. */
static bool offers_il(cl_platform_id platform)
{
    cl_device_id devices[64];
    cl_uint count = 0;
    if (NF_CL_CALL(clGetDeviceIDs, CL_INVALID_PLATFORM, platform, CL_DEVICE_TYPE_ALL, 64, devices, &count) !=
        CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < 64; i++) {
        const struct nf_cl_device *device = nf_cl_device_find(devices[i]);
        if (device && device->served && !nf_cl_takes_il(device->delivery)) return true;
    }
    return false;
}

static const char il_name[] = "clCreateProgramWithILKHR";

static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name)
{
    void *driver_function = NF_CL_CALL(clGetExtensionFunctionAddressForPlatform, NULL, platform, name);
    if (!platform || !name) return driver_function;
    if (strcmp(name, il_name) == 0)
        return driver_function || offers_il(platform) ? to_address((nf_cl_function)nf_cl_create_program_with_il_khr)
                                                      : NULL;
    nf_cl_function layer_function =
        driver_function ? layer_function_for(name, nf_cl_to_function(driver_function)) : NULL;
    return layer_function ? to_address(layer_function) : driver_function;
}

static void *CL_API_CALL get_extension(const char *name)
{
    void *driver_function = NF_CL_CALL(clGetExtensionFunctionAddress, NULL, name);
    if (!name) return driver_function;
    /* There is no platform to examine here; the function itself examines the devices of its context. */
    if (strcmp(name, il_name) == 0) return to_address((nf_cl_function)nf_cl_create_program_with_il_khr);
    nf_cl_function layer_function =
        driver_function ? layer_function_for(name, nf_cl_to_function(driver_function)) : NULL;
    return layer_function ? to_address(layer_function) : driver_function;
}
