/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.c - the dispatch table of the calls that this library intercepts, and the same functions by name. All other
 * entries are NULL. The loader fills them with the entries of the next layer, so other calls have no overhead.
 */
#include "layer/usm/internal.h"

#include <string.h>

static void *CL_API_CALL get_extension(const char *name);
static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name);

/* The intercepted core calls. */
#define CALLS(X)                                                                                                       \
    X(clGetPlatformInfo, nf_usm_get_platform_info)                                                                     \
    X(clGetDeviceInfo, nf_usm_get_device_info)                                                                         \
    X(clCreateContext, nf_usm_create_context)                                                                          \
    X(clCreateContextFromType, nf_usm_create_context_from_type)                                                        \
    X(clRetainContext, nf_usm_retain_context)                                                                          \
    X(clReleaseContext, nf_usm_release_context)                                                                        \
    X(clCreateCommandQueue, nf_usm_create_queue)                                                                       \
    X(clRetainCommandQueue, nf_usm_retain_queue)                                                                       \
    X(clReleaseCommandQueue, nf_usm_release_queue)                                                                     \
    X(clCreateBuffer, nf_usm_create_buffer)                                                                            \
    X(clCreateBufferWithProperties, nf_usm_create_buffer_with_properties)                                              \
    X(clCreateSubBuffer, nf_usm_create_sub_buffer)                                                                     \
    X(clCreateImage, nf_usm_create_image)                                                                              \
    X(clCreateImageWithProperties, nf_usm_create_image_with_properties)                                                \
    X(clRetainMemObject, nf_usm_retain_buffer)                                                                         \
    X(clReleaseMemObject, nf_usm_release_buffer)                                                                       \
    X(clEnqueueReadBuffer, nf_usm_enqueue_read_buffer)                                                                 \
    X(clEnqueueWriteBuffer, nf_usm_enqueue_write_buffer)                                                               \
    X(clEnqueueReadBufferRect, nf_usm_enqueue_read_buffer_rect)                                                        \
    X(clEnqueueWriteBufferRect, nf_usm_enqueue_write_buffer_rect)                                                      \
    X(clEnqueueReadImage, nf_usm_enqueue_read_image)                                                                   \
    X(clEnqueueWriteImage, nf_usm_enqueue_write_image)                                                                 \
    X(clEnqueueCopyBuffer, nf_usm_enqueue_copy_buffer)                                                                 \
    X(clEnqueueFillBuffer, nf_usm_enqueue_fill_buffer)                                                                 \
    X(clEnqueueCopyBufferRect, nf_usm_enqueue_copy_buffer_rect)                                                        \
    X(clEnqueueCopyImage, nf_usm_enqueue_copy_image)                                                                   \
    X(clEnqueueCopyImageToBuffer, nf_usm_enqueue_copy_image_to_buffer)                                                 \
    X(clEnqueueCopyBufferToImage, nf_usm_enqueue_copy_buffer_to_image)                                                 \
    X(clEnqueueFillImage, nf_usm_enqueue_fill_image)                                                                   \
    X(clEnqueueMapImage, nf_usm_enqueue_map_image)                                                                     \
    X(clEnqueueMapBuffer, nf_usm_enqueue_map_buffer)                                                                   \
    X(clEnqueueUnmapMemObject, nf_usm_enqueue_unmap)                                                                   \
    X(clCreateKernel, nf_usm_create_kernel)                                                                            \
    X(clCreateKernelsInProgram, nf_usm_create_kernels_in_program)                                                      \
    X(clRetainKernel, nf_usm_retain_kernel)                                                                            \
    X(clReleaseKernel, nf_usm_release_kernel)                                                                          \
    X(clSetKernelArg, nf_usm_set_kernel_arg)                                                                           \
    X(clGetEventInfo, nf_usm_get_event_info)                                                                           \
    X(clGetEventProfilingInfo, nf_usm_get_event_profiling_info)                                                        \
    X(clRetainEvent, nf_usm_retain_event)                                                                              \
    X(clReleaseEvent, nf_usm_release_event)                                                                            \
    X(clEnqueueNDRangeKernel, nf_usm_enqueue_nd_range_kernel)                                                          \
    X(clEnqueueTask, nf_usm_enqueue_task)                                                                              \
    X(clGetExtensionFunctionAddress, get_extension)                                                                    \
    X(clCreateUserEvent, nf_usm_create_user_event)                                                                     \
    X(clSetUserEventStatus, nf_usm_set_user_event_status)                                                              \
    X(clSetEventCallback, nf_usm_set_event_callback)                                                                   \
    X(clGetExtensionFunctionAddressForPlatform, get_platform_extension)                                                \
    X(clCreateCommandQueueWithProperties, nf_usm_create_queue_with_properties)                                         \
    X(clSetKernelArgSVMPointer, nf_usm_set_kernel_arg_svm_pointer)                                                     \
    X(clSetKernelExecInfo, nf_usm_set_kernel_exec_info)                                                                \
    X(clCloneKernel, nf_usm_clone_kernel)                                                                              \
    X(clSVMAlloc, nf_usm_svm_alloc)                                                                                    \
    X(clSVMFree, nf_usm_svm_free)                                                                                      \
    X(clEnqueueSVMFree, nf_usm_enqueue_svm_free)                                                                       \
    X(clEnqueueSVMMemcpy, nf_usm_enqueue_svm_copy)                                                                     \
    X(clEnqueueSVMMemFill, nf_usm_enqueue_svm_fill)                                                                    \
    X(clEnqueueSVMMap, nf_usm_enqueue_svm_map)                                                                         \
    X(clEnqueueSVMUnmap, nf_usm_enqueue_svm_unmap)                                                                     \
    X(clEnqueueSVMMigrateMem, nf_usm_enqueue_svm_migrate)

#define X(name, function) .name = function,
const cl_icd_dispatch nf_usm_dispatch = {CALLS(X)};
#undef X

struct entry {
    const char *name;
    nf_cl_function function;
};

#define ENTRY(name, function)                                                                                          \
    {                                                                                                                  \
#name, (nf_cl_function)(function)                                                                              \
    }

/* The functions of cl_intel_unified_shared_memory. */
static const struct entry of_intel[] = {
    ENTRY(clHostMemAllocINTEL, nf_usm_host_alloc),
    ENTRY(clDeviceMemAllocINTEL, nf_usm_device_alloc),
    ENTRY(clSharedMemAllocINTEL, nf_usm_shared_alloc),
    ENTRY(clMemFreeINTEL, nf_usm_free),
    ENTRY(clMemBlockingFreeINTEL, nf_usm_blocking_free),
    ENTRY(clGetMemAllocInfoINTEL, nf_usm_get_alloc_info),
    ENTRY(clSetKernelArgMemPointerINTEL, nf_usm_set_kernel_arg_pointer),
    ENTRY(clEnqueueMemcpyINTEL, nf_usm_enqueue_copy),
    ENTRY(clEnqueueMemFillINTEL, nf_usm_enqueue_fill),
    ENTRY(clEnqueueMemsetINTEL, nf_usm_enqueue_set),
    ENTRY(clEnqueueMigrateMemINTEL, nf_usm_enqueue_migrate),
    ENTRY(clEnqueueMemAdviseINTEL, nf_usm_enqueue_advise),
};

/* The functions of cl_khr_unified_svm. */
static const struct entry of_khr[] = {
    ENTRY(clSVMAllocWithPropertiesKHR, nf_usm_unified_alloc),
    ENTRY(clSVMFreeWithPropertiesKHR, nf_usm_unified_free),
    ENTRY(clGetSVMPointerInfoKHR, nf_usm_unified_pointer_info),
    ENTRY(clGetSVMSuggestedTypeIndexKHR, nf_usm_unified_suggest),
};

/* Functions that replace functions of the driver, and are returned by name only if the driver has the function. */
#define X(name, function) ENTRY(name, function),
static const struct entry wrapped[] = {ENTRY(clCreateCommandQueueWithPropertiesKHR, nf_usm_create_queue_khr),
                                       ENTRY(clEnqueueCommandBufferKHR, nf_usm_enqueue_command_buffer),
                                       ENTRY(clCommandNDRangeKernelKHR, nf_usm_record_kernel), CALLS(X)};
#undef X

static void *find(const struct entry *entries, size_t count, const char *name)
{
    void *address = NULL;
    for (size_t i = 0; i < count && !address; i++)
        if (strcmp(entries[i].name, name) == 0) memcpy(&address, &entries[i].function, sizeof address);
    return address;
}

#define FIND(entries, name) find(entries, sizeof(entries) / sizeof(entries)[0], name)

/* Records the driver's function for command buffers: clEnqueueCommandBufferKHR may be called without a queue, so that
 * the driver is unknown. */
static void remember(const char *name, void *from_driver)
{
    nf_cl_function function;
    if (!from_driver || strcmp(name, "clEnqueueCommandBufferKHR") != 0) return;
    memcpy(&function, &from_driver, sizeof function);
    nf_usm_note_command_buffer_function(function);
}

/* Returns the function for `name`: the library's, if it belongs to an extension that `offers` lists; else the
 * replacement of the driver's function; else the driver's function. */
static void *choose(const char *name, void *from_driver, unsigned (*offers)(cl_platform_id), cl_platform_id platform)
{
    void *intel = FIND(of_intel, name), *khr = FIND(of_khr, name);
    remember(name, from_driver);
    if (intel) return offers(platform) & NF_USM_OFFERS_INTEL ? intel : from_driver;
    if (khr) return offers(platform) & NF_USM_OFFERS_KHR ? khr : from_driver;
    void *wrapper = from_driver ? FIND(wrapped, name) : NULL;
    return wrapper ? wrapper : from_driver;
}

static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name)
{
    void *from_driver = NF_CL_CALL(clGetExtensionFunctionAddressForPlatform, NULL, platform, name);
    return platform && name ? choose(name, from_driver, nf_usm_platform_offers, platform) : from_driver;
}

static unsigned any_offers(cl_platform_id platform)
{
    (void)platform;
    return nf_usm_any_offers();
}

static void *CL_API_CALL get_extension(const char *name)
{
    void *from_driver = NF_CL_CALL(clGetExtensionFunctionAddress, NULL, name);
    return name ? choose(name, from_driver, any_offers, NULL) : from_driver;
}
