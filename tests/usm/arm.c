/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arm.c - a test layer that makes the SVM of a device available by cl_arm_shared_virtual_memory only, as on older Mali
 * GPUs: the core feature is reported as missing, and a call of a core function ends the process with a line "arm: ...".
 * The extension's functions call the core functions of the next layer, which may be coarse.c.
 */
#include "test_layer.h"

#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name_of_it[] = "cl_arm_shared_virtual_memory";

/* ---- the core functions, which must not be called ---------------------------------------------------------------- */

static void *CL_API_CALL no_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    (void)context, (void)flags, (void)size, (void)alignment;
    fputs("arm: clSVMAlloc of a device without\n", stderr);
    abort();
}

static cl_int CL_API_CALL no_argument(cl_kernel kernel, cl_uint index, const void *value)
{
    (void)kernel, (void)index, (void)value;
    fputs("arm: clSetKernelArgSVMPointer of a device without\n", stderr);
    abort();
}

static cl_int CL_API_CALL no_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    (void)kernel, (void)name, (void)size, (void)value;
    return CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL no_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                  size_t size, cl_uint count, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)blocking, (void)target, (void)source, (void)size, (void)count, (void)wait, (void)event;
    fputs("arm: clEnqueueSVMMemcpy of a device without\n", stderr);
    abort();
}

/* ---- the extension's ---- */

static void *CL_API_CALL arm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    return next.clSVMAlloc(context, flags, size, alignment);
}

static void CL_API_CALL arm_free(cl_context context, void *pointer)
{
    next.clSVMFree(context, pointer);
}

static cl_int CL_API_CALL arm_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                   size_t size, cl_uint count, const cl_event *wait, cl_event *event)
{
    return next.clEnqueueSVMMemcpy(queue, blocking, target, source, size, count, wait, event);
}

static cl_int CL_API_CALL arm_fill(cl_command_queue queue, void *target, const void *pattern, size_t unit, size_t size,
                                   cl_uint count, const cl_event *wait, cl_event *event)
{
    return next.clEnqueueSVMMemFill(queue, target, pattern, unit, size, count, wait, event);
}

static cl_int CL_API_CALL arm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                                  size_t size, cl_uint count, const cl_event *wait, cl_event *event)
{
    return next.clEnqueueSVMMap(queue, blocking, flags, pointer, size, count, wait, event);
}

static cl_int CL_API_CALL arm_unmap(cl_command_queue queue, void *pointer, cl_uint count, const cl_event *wait,
                                    cl_event *event)
{
    return next.clEnqueueSVMUnmap(queue, pointer, count, wait, event);
}

static cl_int CL_API_CALL arm_argument(cl_kernel kernel, cl_uint index, const void *value)
{
    return next.clSetKernelArgSVMPointer(kernel, index, value);
}

static cl_int CL_API_CALL arm_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    if (name != CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM) return CL_INVALID_VALUE;
    return next.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, size, value);
}

typedef void (*function)(void);

static void *own(const char *name)
{
    static const struct {
        const char *name;
        function function;
    } functions[] = {
        {"clSVMAllocARM", (function)arm_alloc},
        {"clSVMFreeARM", (function)arm_free},
        {"clEnqueueSVMMemcpyARM", (function)arm_copy},
        {"clEnqueueSVMMemFillARM", (function)arm_fill},
        {"clEnqueueSVMMapARM", (function)arm_map},
        {"clEnqueueSVMUnmapARM", (function)arm_unmap},
        {"clSetKernelArgSVMPointerARM", (function)arm_argument},
        {"clSetKernelExecInfoARM", (function)arm_info},
    };
    void *address = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && !address; i++)
        if (strcmp(functions[i].name, name) == 0) memcpy(&address, &functions[i].function, sizeof address);
    return address;
}

static void *CL_API_CALL get_extension(cl_platform_id platform, const char *name)
{
    void *found = own(name);
    return found ? found : next.clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* ---- queries about the device ------------------------------------------------------------------------------------ */

static cl_int give_extensions(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    char text[16384];
    cl_int error = next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text - sizeof name_of_it - 1, text, NULL);
    if (error != CL_SUCCESS) return error;
    strcat(strcat(text, " "), name_of_it);
    return give(text, strlen(text) + 1, size, value, size_ret);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const cl_device_svm_capabilities none = 0;
    if (name == CL_DEVICE_SVM_CAPABILITIES) return give(&none, sizeof none, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS) return give_extensions(device, size, value, size_ret);
    if (name == CL_DEVICE_SVM_CAPABILITIES_ARM) name = CL_DEVICE_SVM_CAPABILITIES;
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

const char test_layer_name[] = "arm";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetExtensionFunctionAddressForPlatform = get_extension,
    .clSVMAlloc = no_alloc,
    .clEnqueueSVMMemcpy = no_copy,
    .clSetKernelArgSVMPointer = no_argument,
    .clSetKernelExecInfo = no_info,
};
