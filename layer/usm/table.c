/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.c - the table of calls that we take part in, and the same by name. It has an empty entry for every other call,
 * which the loader fills with the next layer's, so those cost nothing.
 */
#include "layer/usm/usm.h"

#include <string.h>

static void *CL_API_CALL get_extension(const char *name);
static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name);

const cl_icd_dispatch nf_usm_dispatch = {
    .clGetPlatformInfo = nf_usm_get_platform_info,
    .clGetDeviceInfo = nf_usm_get_device_info,
    .clCreateContext = nf_usm_create_context,
    .clCreateContextFromType = nf_usm_create_context_from_type,
    .clRetainContext = nf_usm_retain_context,
    .clReleaseContext = nf_usm_release_context,
    .clCreateCommandQueue = nf_usm_create_queue,
    .clRetainCommandQueue = nf_usm_retain_queue,
    .clReleaseCommandQueue = nf_usm_release_queue,
    .clCreateBuffer = nf_usm_create_buffer,
    .clCreateBufferWithProperties = nf_usm_create_buffer_with_properties,
    .clCreateSubBuffer = nf_usm_create_sub_buffer,
    .clRetainMemObject = nf_usm_retain_buffer,
    .clReleaseMemObject = nf_usm_release_buffer,
    .clEnqueueReadBuffer = nf_usm_enqueue_read_buffer,
    .clEnqueueWriteBuffer = nf_usm_enqueue_write_buffer,
    .clEnqueueReadBufferRect = nf_usm_enqueue_read_buffer_rect,
    .clEnqueueWriteBufferRect = nf_usm_enqueue_write_buffer_rect,
    .clEnqueueReadImage = nf_usm_enqueue_read_image,
    .clEnqueueWriteImage = nf_usm_enqueue_write_image,
    .clEnqueueCopyBuffer = nf_usm_enqueue_copy_buffer,
    .clEnqueueFillBuffer = nf_usm_enqueue_fill_buffer,
    .clEnqueueMapBuffer = nf_usm_enqueue_map_buffer,
    .clEnqueueUnmapMemObject = nf_usm_enqueue_unmap,
    .clCreateKernel = nf_usm_create_kernel,
    .clCreateKernelsInProgram = nf_usm_create_kernels_in_program,
    .clRetainKernel = nf_usm_retain_kernel,
    .clReleaseKernel = nf_usm_release_kernel,
    .clSetKernelArg = nf_usm_set_kernel_arg,
    .clGetEventInfo = nf_usm_get_event_info,
    .clGetEventProfilingInfo = nf_usm_get_event_profiling_info,
    .clRetainEvent = nf_usm_retain_event,
    .clReleaseEvent = nf_usm_release_event,
    .clEnqueueNDRangeKernel = nf_usm_enqueue_nd_range_kernel,
    .clEnqueueTask = nf_usm_enqueue_task,
    .clGetExtensionFunctionAddress = get_extension,
    .clCreateUserEvent = nf_usm_create_user_event,
    .clSetUserEventStatus = nf_usm_set_user_event_status,
    .clSetEventCallback = nf_usm_set_event_callback,
    .clGetExtensionFunctionAddressForPlatform = get_platform_extension,
    .clCreateCommandQueueWithProperties = nf_usm_create_queue_with_properties,
    .clSetKernelArgSVMPointer = nf_usm_set_kernel_arg_svm_pointer,
    .clSetKernelExecInfo = nf_usm_set_kernel_exec_info,
    .clCloneKernel = nf_usm_clone_kernel,
};

struct entry {
    const char *name;
    nf_cl_function function;
};

#define ENTRY(name, function)                                                                                          \
    {                                                                                                                  \
#name, (nf_cl_function)(function)                                                                              \
    }

/* The extension's functions: there where a device is served. */
static const struct entry added[] = {
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

/* Those that the driver has, too: ours stand before them. */
static const struct entry wrapped[] = {
    ENTRY(clCreateCommandQueueWithPropertiesKHR, nf_usm_create_queue_khr),
    ENTRY(clEnqueueCommandBufferKHR, nf_usm_enqueue_command_buffer),
    ENTRY(clGetPlatformInfo, nf_usm_get_platform_info),
    ENTRY(clGetDeviceInfo, nf_usm_get_device_info),
    ENTRY(clCreateContext, nf_usm_create_context),
    ENTRY(clCreateContextFromType, nf_usm_create_context_from_type),
    ENTRY(clRetainContext, nf_usm_retain_context),
    ENTRY(clReleaseContext, nf_usm_release_context),
    ENTRY(clCreateCommandQueue, nf_usm_create_queue),
    ENTRY(clRetainCommandQueue, nf_usm_retain_queue),
    ENTRY(clReleaseCommandQueue, nf_usm_release_queue),
    ENTRY(clCreateBuffer, nf_usm_create_buffer),
    ENTRY(clCreateBufferWithProperties, nf_usm_create_buffer_with_properties),
    ENTRY(clCreateSubBuffer, nf_usm_create_sub_buffer),
    ENTRY(clRetainMemObject, nf_usm_retain_buffer),
    ENTRY(clReleaseMemObject, nf_usm_release_buffer),
    ENTRY(clEnqueueReadBuffer, nf_usm_enqueue_read_buffer),
    ENTRY(clEnqueueWriteBuffer, nf_usm_enqueue_write_buffer),
    ENTRY(clEnqueueReadBufferRect, nf_usm_enqueue_read_buffer_rect),
    ENTRY(clEnqueueWriteBufferRect, nf_usm_enqueue_write_buffer_rect),
    ENTRY(clEnqueueReadImage, nf_usm_enqueue_read_image),
    ENTRY(clEnqueueWriteImage, nf_usm_enqueue_write_image),
    ENTRY(clEnqueueCopyBuffer, nf_usm_enqueue_copy_buffer),
    ENTRY(clEnqueueFillBuffer, nf_usm_enqueue_fill_buffer),
    ENTRY(clEnqueueMapBuffer, nf_usm_enqueue_map_buffer),
    ENTRY(clEnqueueUnmapMemObject, nf_usm_enqueue_unmap),
    ENTRY(clCreateKernel, nf_usm_create_kernel),
    ENTRY(clCreateKernelsInProgram, nf_usm_create_kernels_in_program),
    ENTRY(clRetainKernel, nf_usm_retain_kernel),
    ENTRY(clReleaseKernel, nf_usm_release_kernel),
    ENTRY(clSetKernelArg, nf_usm_set_kernel_arg),
    ENTRY(clGetEventInfo, nf_usm_get_event_info),
    ENTRY(clGetEventProfilingInfo, nf_usm_get_event_profiling_info),
    ENTRY(clRetainEvent, nf_usm_retain_event),
    ENTRY(clReleaseEvent, nf_usm_release_event),
    ENTRY(clEnqueueNDRangeKernel, nf_usm_enqueue_nd_range_kernel),
    ENTRY(clEnqueueTask, nf_usm_enqueue_task),
    ENTRY(clGetExtensionFunctionAddress, get_extension),
    ENTRY(clCreateUserEvent, nf_usm_create_user_event),
    ENTRY(clSetUserEventStatus, nf_usm_set_user_event_status),
    ENTRY(clSetEventCallback, nf_usm_set_event_callback),
    ENTRY(clGetExtensionFunctionAddressForPlatform, get_platform_extension),
    ENTRY(clCreateCommandQueueWithProperties, nf_usm_create_queue_with_properties),
    ENTRY(clSetKernelArgSVMPointer, nf_usm_set_kernel_arg_svm_pointer),
    ENTRY(clSetKernelExecInfo, nf_usm_set_kernel_exec_info),
    ENTRY(clCloneKernel, nf_usm_clone_kernel),
};

static void *find(const struct entry *entries, size_t count, const char *name)
{
    void *address = NULL;
    for (size_t i = 0; i < count && !address; i++)
        if (strcmp(entries[i].name, name) == 0) memcpy(&address, &entries[i].function, sizeof address);
    return address;
}

#define FIND(entries, name) find(entries, sizeof(entries) / sizeof(entries)[0], name)

/* Functions of command buffers can be found again by a queue alone, which not every call names. */
static void remember(const char *name, void *theirs)
{
    nf_cl_function function;
    if (!theirs || strcmp(name, "clEnqueueCommandBufferKHR") != 0) return;
    memcpy(&function, &theirs, sizeof function);
    nf_usm_command_buffers_are(function);
}

static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name)
{
    void *theirs = NF_CL_CALL(clGetExtensionFunctionAddressForPlatform, NULL, platform, name);
    if (!platform || !name) return theirs;
    remember(name, theirs);
    void *ours = FIND(added, name);
    if (ours) return nf_usm_platform_served(platform) ? ours : theirs;
    ours = theirs ? FIND(wrapped, name) : NULL;
    return ours ? ours : theirs;
}

static void *CL_API_CALL get_extension(const char *name)
{
    void *theirs = NF_CL_CALL(clGetExtensionFunctionAddress, NULL, name);
    if (!name) return theirs;
    remember(name, theirs);
    void *ours = FIND(added, name);
    if (ours) return nf_usm_any_served() ? ours : theirs;
    ours = theirs ? FIND(wrapped, name) : NULL;
    return ours ? ours : theirs;
}
