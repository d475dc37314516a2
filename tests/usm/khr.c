/* SPDX-License-Identifier: Apache-2.0 */
/*
 * khr.c - a test layer that leaves a device only cl_khr_unified_svm: Intel's extension and the core's SVM are removed,
 * clSVMAlloc ends the process, and each type of memory is the driver's fine-grained SVM. The layer enforces the rules
 * of such drivers: device memory needs that device, and a kernel that follows pointers needs the flag or a list, else
 * the process ends with a line "khr: ...". KHR_VERSION in the environment: the extension's minor version, 9 by default.
 * KHR_LISTED: no type may be accessed indirectly, so kernels need the list.
 */
#include "test_layer.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/usm/unified_svm.h"

enum { MEMORIES = 1 << 16, KERNELS = 4096 };

static const char intel[] = "cl_intel_unified_shared_memory", khr[] = "cl_khr_unified_svm";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void violation(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("khr: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    abort();
}

/* ---- the types ---- */

enum {
    BASIC = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
            CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR,
    SHARING = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR,
    HOST = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR,
    INDIRECT = CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
    TYPES = 5
};

/* The device does not support the fourth type. */
static void fill_types(cl_svm_capabilities_khr types[TYPES])
{
    const cl_svm_capabilities_khr indirect = getenv("KHR_LISTED") ? 0 : INDIRECT;
    types[0] = BASIC | SHARING | CL_SVM_CAPABILITY_HOST_MAP_KHR;
    types[1] = BASIC | SHARING | HOST | indirect | CL_SVM_CAPABILITY_HOST_OWNED_KHR;
    types[2] = BASIC | indirect | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR;
    types[3] = 0;
    types[4] = BASIC | HOST | indirect;
}

/* ---- memory ---- */

static struct memory {
    char *base;
    size_t size;
    cl_uint index;
    cl_device_id device;
} memories[MEMORIES];
static size_t memory_count;

static void *CL_API_CALL allocate(cl_context context, const cl_svm_alloc_properties_khr *properties, cl_uint index,
                                  size_t size, cl_int *error)
{
    cl_svm_capabilities_khr types[TYPES];
    cl_device_id device = NULL;
    fill_types(types);
    for (const cl_svm_alloc_properties_khr *p = properties; p && p[0]; p += 2)
        if (p[0] == CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR) device = (cl_device_id)(uintptr_t)p[1];
    if (index >= TYPES || !types[index]) violation("type %u", index);
    if (!device && !(types[index] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR)) violation("no device for %u", index);
    char *base = next.clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size, 0);
    *error = base ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    pthread_mutex_lock(&lock);
    if (base && memory_count == MEMORIES) violation("too many allocations");
    if (base) memories[memory_count++] = (struct memory){base, size, index, device};
    pthread_mutex_unlock(&lock);
    return base;
}

static void CL_API_CALL svm_free(cl_context context, void *pointer)
{
    bool known = !pointer;
    pthread_mutex_lock(&lock);
    for (size_t i = memory_count; i-- > 0 && !known;) {
        known = memories[i].base == pointer;
        if (known) memories[i] = memories[--memory_count];
    }
    pthread_mutex_unlock(&lock);
    if (!known) violation("clSVMFree of %p", pointer);
    next.clSVMFree(context, pointer);
}

static cl_int CL_API_CALL release(cl_context context, const cl_svm_free_properties_khr *properties,
                                  cl_svm_free_flags_khr flags, void *pointer)
{
    if (properties || flags) return CL_INVALID_VALUE;
    svm_free(context, pointer);
    return CL_SUCCESS;
}

static void *CL_API_CALL no_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    (void)context, (void)flags, (void)size, (void)alignment;
    violation("clSVMAlloc of a device without");
    return NULL;
}

/* Returns the type and the device of an allocation. */
static cl_int CL_API_CALL query_allocation(cl_context context, cl_device_id device, const void *pointer,
                                           cl_svm_pointer_info_khr name, size_t size, void *value, size_t *size_ret)
{
    struct memory found = {.index = CL_UINT_MAX};
    (void)context, (void)device;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < memory_count; i++)
        if ((uintptr_t)pointer - (uintptr_t)memories[i].base < memories[i].size) found = memories[i];
    pthread_mutex_unlock(&lock);
    if (name == CL_SVM_INFO_TYPE_INDEX_KHR) return give(&found.index, sizeof found.index, size, value, size_ret);
    if (name != CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR) return CL_INVALID_VALUE;
    return give(&found.device, sizeof found.device, size, value, size_ret);
}

/* ---- kernels ---- */

/* A kernel that may access more than its arguments: by the flag, or by a list. */
static struct kernel {
    cl_kernel handle;
    bool flag, list;
} kernels[KERNELS];

static struct kernel *find(cl_kernel handle)
{
    size_t i = 0;
    while (i < KERNELS && kernels[i].handle && kernels[i].handle != handle)
        i++;
    if (i == KERNELS) violation("too many kernels");
    kernels[i].handle = handle;
    return &kernels[i];
}

static cl_int CL_API_CALL set_info(cl_kernel handle, cl_kernel_exec_info name, size_t size, const void *value)
{
    pthread_mutex_lock(&lock);
    struct kernel *kernel = find(handle);
    if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS) kernel->list = size > 0;
    if (name == CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR) kernel->flag = *(const cl_bool *)value;
    pthread_mutex_unlock(&lock);
    if (name == CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR) return CL_SUCCESS;
    return next.clSetKernelExecInfo(handle, name, size, value);
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *error)
{
    cl_kernel made = next.clCloneKernel(source, error);
    pthread_mutex_lock(&lock);
    const struct kernel from = *find(source);
    if (made) *find(made) = (struct kernel){made, from.flag, from.list};
    pthread_mutex_unlock(&lock);
    return made;
}

/* A new kernel inherits nothing from an earlier one with the same handle. */
static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    cl_kernel made = next.clCreateKernel(program, name, error);
    pthread_mutex_lock(&lock);
    if (made) *find(made) = (struct kernel){.handle = made};
    pthread_mutex_unlock(&lock);
    return made;
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel handle, cl_uint dimensions, const size_t *offset,
                                  const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                  cl_event *event)
{
    char name[256] = "";
    next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    pthread_mutex_lock(&lock);
    const struct kernel kernel = *find(handle);
    pthread_mutex_unlock(&lock);
    const bool follows = strcmp(name, "follow") == 0 || strcmp(name, "chain") == 0;
    const bool may = kernel.list || (kernel.flag && !getenv("KHR_LISTED"));
    if (follows && !may) violation("%s may access its arguments only", name);
    return next.clEnqueueNDRangeKernel(queue, handle, dimensions, offset, global, local, count, wait, event);
}

/* ---- queries about the device ------------------------------------------------------------------------------------ */

static void blot(char *answer, size_t size)
{
    const size_t length = sizeof intel - 1;
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(answer + at, intel, length) == 0) memset(answer + at, 'x', length);
}

static cl_int give_extensions(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    char text[16384];
    cl_int error = next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text - sizeof khr - 1, text, NULL);
    if (error != CL_SUCCESS) return error;
    strcat(strcat(text, " "), khr);
    blot(text, strlen(text));
    return give(text, strlen(text) + 1, size, value, size_ret);
}

static cl_int give_versions(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    static cl_name_version list[512];
    const char *minor = getenv("KHR_VERSION");
    size_t bytes = 0;
    cl_int error =
        next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list - sizeof list[0], list, &bytes);
    if (error != CL_SUCCESS) return error;
    blot((char *)list, bytes);
    cl_name_version *last = &list[bytes / sizeof list[0]];
    strcpy(last->name, khr);
    last->version = CL_MAKE_VERSION(0, minor ? (cl_uint)atoi(minor) : 9, 0);
    return give(list, bytes + sizeof list[0], size, value, size_ret);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const cl_device_svm_capabilities none = 0;
    cl_svm_capabilities_khr types[TYPES];
    fill_types(types);
    switch (name) {
    case CL_DEVICE_SVM_CAPABILITIES: return give(&none, sizeof none, size, value, size_ret);
    case CL_DEVICE_EXTENSIONS: return give_extensions(device, size, value, size_ret);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: return give_versions(device, size, value, size_ret);
    case CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR: return give(types, sizeof types, size, value, size_ret);
    default: return next.clGetDeviceInfo(device, name, size, value, size_ret);
    }
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    cl_int error = next.clGetPlatformInfo(platform, name, size, value, size_ret);
    if (error == CL_SUCCESS && value && (name == CL_PLATFORM_EXTENSIONS || name == CL_PLATFORM_EXTENSIONS_WITH_VERSION))
        blot(value, size);
    return error;
}

typedef void (*function)(void);

static void *CL_API_CALL get_extension(cl_platform_id platform, const char *name)
{
    static const struct {
        const char *name;
        function function;
    } functions[] = {{"clSVMAllocWithPropertiesKHR", (function)allocate},
                     {"clSVMFreeWithPropertiesKHR", (function)release},
                     {"clGetSVMPointerInfoKHR", (function)query_allocation}};
    void *address = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && !address; i++)
        if (strcmp(functions[i].name, name) == 0) memcpy(&address, &functions[i].function, sizeof address);
    if (address || is_of_intel(name)) return address;
    return next.clGetExtensionFunctionAddressForPlatform(platform, name);
}

const char test_layer_name[] = "khr";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetPlatformInfo = get_platform_info,
    .clCreateKernel = create_kernel,
    .clEnqueueNDRangeKernel = enqueue,
    .clGetExtensionFunctionAddressForPlatform = get_extension,
    .clSVMAlloc = no_alloc,
    .clSVMFree = svm_free,
    .clSetKernelExecInfo = set_info,
    .clCloneKernel = clone_kernel,
};
