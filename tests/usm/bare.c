/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare.c - a test layer that removes SVM and shared memory from a device, and leaves it cl_ext_buffer_device_address:
 * the driver's own, if it has the extension's first stable version, else one that is implemented by its SVM. Such a
 * buffer is one over SVM memory, and its address is that of the memory.
 */
#include "test_layer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEVICE_PRIVATE_ADDRESS = 0x5000, /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, which some versions of the headers lack */
    DEVICE_ADDRESS = 0x5001,         /* CL_MEM_DEVICE_ADDRESS_EXT */
    DEVICE_POINTERS = 0x5002,        /* CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT */
    EXTENSIONS_MAX = 512
};

static const char shared_memory[] = "cl_intel_unified_shared_memory", addresses[] = "cl_ext_buffer_device_address";

/* ---- queries about the device ------------------------------------------------------------------------------------ */

/* @return the size in bytes of the driver's list of extensions with versions, which is written to `list`, with room for
 * one more. */
static size_t versions_of(cl_device_id device, cl_name_version list[EXTENSIONS_MAX])
{
    size_t size = 0;
    cl_int error = next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, (EXTENSIONS_MAX - 1) * sizeof *list,
                                        list, &size);
    return error == CL_SUCCESS ? size : 0;
}

/* Returns true if this layer implements the extension, because the driver has no version of it from 1.0 on. */
static bool is_made(cl_device_id device)
{
    static cl_name_version list[EXTENSIONS_MAX];
    size_t count = versions_of(device, list) / sizeof *list;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, addresses) == 0) return CL_VERSION_MAJOR(list[i].version) < 1;
    return true;
}

static bool is_made_in(cl_context context)
{
    cl_device_id devices[64] = {NULL};
    next.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL);
    return is_made(devices[0]);
}

/* Overwrites the name wherever it occurs. */
static void blot(char *text)
{
    for (char *at = text; (at = strstr(at, shared_memory)) != NULL; at += sizeof shared_memory - 1)
        memset(at, 'x', sizeof shared_memory - 1);
}

static cl_int give_extensions(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    char text[16384];
    cl_int error = next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text - sizeof addresses - 1, text, NULL);
    if (error != CL_SUCCESS) return error;
    blot(text);
    if (!strstr(text, addresses)) strcat(strcat(text, " "), addresses);
    return give(text, strlen(text) + 1, size, value, size_ret);
}

static cl_int give_versions(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    static cl_name_version list[EXTENSIONS_MAX];
    size_t count = versions_of(device, list) / sizeof *list, at = 0;
    while (at < count && strcmp(list[at].name, addresses) != 0)
        at++;
    if (at == count) strcpy(list[count++].name, addresses);
    if (CL_VERSION_MAJOR(list[at].version) < 1) list[at].version = CL_MAKE_VERSION(1, 0, 0);
    return give(list, count * sizeof *list, size, value, size_ret);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const cl_device_svm_capabilities none = 0;
    if (name == CL_DEVICE_SVM_CAPABILITIES) return give(&none, sizeof none, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS) return give_extensions(device, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION) return give_versions(device, size, value, size_ret);
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    cl_int error = next.clGetPlatformInfo(platform, name, size, value, size_ret);
    if (error == CL_SUCCESS && value && name == CL_PLATFORM_EXTENSIONS) blot(value);
    return error;
}

/* ---- buffers that report their address --------------------------------------------------------------------------- */

/* The SVM memory behind a buffer, which is freed with it. */
struct below {
    cl_context context;
    void *memory;
};

static void CL_CALLBACK let_go(cl_mem buffer, void *user)
{
    struct below *below = user;
    (void)buffer;
    next.clSVMFree(below->context, below->memory);
    free(below);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                        size_t size, void *pointer, cl_int *error)
{
    if (!properties || properties[0] != DEVICE_PRIVATE_ADDRESS || !is_made_in(context))
        return next.clCreateBufferWithProperties(context, properties, flags, size, pointer, error);
    struct below *below = malloc(sizeof *below);
    if (!below) abort();
    *below = (struct below){context, next.clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0)};
    cl_mem buffer = next.clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, size, below->memory, error);
    if (buffer) next.clSetMemObjectDestructorCallback(buffer, let_go, below);
    return buffer;
}

static cl_int CL_API_CALL get_mem_info(cl_mem buffer, cl_mem_info name, size_t size, void *value, size_t *size_ret)
{
    cl_ulong address = 0;
    void *pointer = NULL;
    cl_int error = next.clGetMemObjectInfo(buffer, name, size, value, size_ret);
    if (name != DEVICE_ADDRESS || error == CL_SUCCESS) return error;
    next.clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL);
    address = (cl_ulong)(uintptr_t)pointer;
    return pointer ? give(&address, sizeof address, size, value, size_ret) : error;
}

/* ---- kernels ---- */

static cl_int CL_API_CALL set_address(cl_kernel kernel, cl_uint index, cl_ulong address)
{
    return next.clSetKernelArgSVMPointer(kernel, index, (void *)(uintptr_t)address);
}

static cl_int CL_API_CALL set_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    cl_int error = next.clSetKernelExecInfo(kernel, name, size, value);
    if (error == CL_SUCCESS || name != DEVICE_POINTERS) return error;
    return next.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, size, value);
}

static void *CL_API_CALL get_extension(cl_platform_id platform, const char *name)
{
    typedef void (*function)(void);
    const function ours = (function)set_address;
    void *found = next.clGetExtensionFunctionAddressForPlatform(platform, name);
    if (!found && strcmp(name, "clSetKernelArgDevicePointerEXT") == 0) memcpy(&found, &ours, sizeof found);
    return found;
}

const char test_layer_name[] = "bare";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetPlatformInfo = get_platform_info,
    .clCreateBufferWithProperties = create_buffer,
    .clGetMemObjectInfo = get_mem_info,
    .clSetKernelExecInfo = set_info,
    .clGetExtensionFunctionAddressForPlatform = get_extension,
};
