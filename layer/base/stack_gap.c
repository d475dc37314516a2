/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stack_gap.c - protects variables on an application's stack from PoCL's client for devices of other machines.
 *
 * That client stores the record of a request on the stack of the caller. If the reply arrives early, its threads may
 * still write a time to the record after the call has returned (PoCL 7.1, docs/upstream/pocl_remote_requests.md):
 *
 *     without a gap                            with one
 *     | application           |                | application           |
 *     | driver: the record <--- late write     | gap, 64 to 304 KB     |
 *                                              | driver: the record <--- late write
 *
 * The application's next function may have its variables or its return address at that place. A gap between the caller
 * and the driver moves the record to a depth that functions rarely use. The record of the next call would be at the
 * same depth, so the calls of a thread use SLOTS different depths in turn.
 *
 * Takes the table of the driver. Gives functions that call it below a gap, for the calls in which the client waits for
 * a reply. These functions are used only if the process has selected that client by its environment variables.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <pthread.h>
#include <string.h>

enum { ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void *) };
enum { LEAST = 64 << 10, SLOT = 16 << 10, SLOTS = 16, KEPT = 1 << 20 };

_Atomic(const cl_icd_dispatch *) nf_cl_behind_gap;

/* The stack of the thread: its lowest address, and its size (0: not queried yet, 1: unknown). */
static _Thread_local uintptr_t lowest, stack_size;
static _Thread_local unsigned calls;

static void find_stack(void)
{
    pthread_attr_t attributes;
    void *address = NULL;
    size_t size = 0;
    stack_size = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0 && size > 1) {
        lowest = (uintptr_t)address;
        stack_size = size;
    }
    pthread_attr_destroy(&attributes);
}

/* Returns the size of the gap for the next call in bytes. The size is 1 if little of the stack is left, if the thread
 * runs on a stack that is not its own, or if its stack is unknown. */
static __attribute__((noinline)) size_t next_gap(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!stack_size) find_stack();
    size_t room = here - lowest; /* stack_size or more if `here` is on another stack */
    if (room >= stack_size || room < KEPT + LEAST + SLOT * SLOTS) return 1;
    return LEAST + (size_t)SLOT * (calls++ % SLOTS);
}

/* Prevents the compiler from omitting the gap, or releasing it before the call. */
#define KEEP(gap) __asm__ volatile("" : : "r"(gap) : "memory")

#define DEEP(type, name, otherwise, parameters, arguments)                                                             \
    static type CL_API_CALL deep_##name parameters                                                                     \
    {                                                                                                                  \
        const cl_icd_dispatch *driver = atomic_load_explicit(&nf_cl_behind_gap, memory_order_acquire);                 \
        char gap[next_gap()];                                                                                          \
        KEEP(gap);                                                                                                     \
        type result = driver->name ? driver->name arguments : (otherwise);                                             \
        KEEP(gap);                                                                                                     \
        return result;                                                                                                 \
    }
#define DEEP_VOID(name, parameters, arguments)                                                                         \
    static void CL_API_CALL deep_##name parameters                                                                     \
    {                                                                                                                  \
        const cl_icd_dispatch *driver = atomic_load_explicit(&nf_cl_behind_gap, memory_order_acquire);                 \
        char gap[next_gap()];                                                                                          \
        KEEP(gap);                                                                                                     \
        if (driver->name) driver->name arguments;                                                                      \
        KEEP(gap);                                                                                                     \
    }

/* The parameters are as in the specification, in the same order. */
DEEP(cl_int, clGetDeviceIDs, CL_INVALID_OPERATION,
     (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id *d, cl_uint *e), (a, b, c, d, e))
DEEP(cl_int, clGetDeviceInfo, CL_INVALID_OPERATION, (cl_device_id a, cl_device_info b, size_t c, void *d, size_t *e),
     (a, b, c, d, e))
DEEP(cl_context, clCreateContext, NULL,
     (const cl_context_properties *a, cl_uint b, const cl_device_id *c,
      void(CL_CALLBACK *d)(const char *, const void *, size_t, void *), void *e, cl_int *f),
     (a, b, c, d, e, f))
DEEP(cl_context, clCreateContextFromType, NULL,
     (const cl_context_properties *a, cl_device_type b,
      void(CL_CALLBACK *c)(const char *, const void *, size_t, void *), void *d, cl_int *e),
     (a, b, c, d, e))
DEEP(cl_int, clReleaseContext, CL_INVALID_OPERATION, (cl_context a), (a))
DEEP(cl_command_queue, clCreateCommandQueue, NULL,
     (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int *d), (a, b, c, d))
DEEP(cl_command_queue, clCreateCommandQueueWithProperties, NULL,
     (cl_context a, cl_device_id b, const cl_queue_properties *c, cl_int *d), (a, b, c, d))
DEEP(cl_int, clReleaseCommandQueue, CL_INVALID_OPERATION, (cl_command_queue a), (a))
DEEP(cl_int, clFlush, CL_INVALID_OPERATION, (cl_command_queue a), (a))
DEEP(cl_int, clFinish, CL_INVALID_OPERATION, (cl_command_queue a), (a))
DEEP(cl_mem, clCreateBuffer, NULL, (cl_context a, cl_mem_flags b, size_t c, void *d, cl_int *e), (a, b, c, d, e))
DEEP(cl_mem, clCreateBufferWithProperties, NULL,
     (cl_context a, const cl_mem_properties *b, cl_mem_flags c, size_t d, void *e, cl_int *f), (a, b, c, d, e, f))
DEEP(cl_mem, clCreateSubBuffer, NULL, (cl_mem a, cl_mem_flags b, cl_buffer_create_type c, const void *d, cl_int *e),
     (a, b, c, d, e))
DEEP(cl_mem, clCreateImage, NULL,
     (cl_context a, cl_mem_flags b, const cl_image_format *c, const cl_image_desc *d, void *e, cl_int *f),
     (a, b, c, d, e, f))
DEEP(cl_mem, clCreateImageWithProperties, NULL,
     (cl_context a, const cl_mem_properties *b, cl_mem_flags c, const cl_image_format *d, const cl_image_desc *e,
      void *f, cl_int *g),
     (a, b, c, d, e, f, g))
DEEP(cl_mem, clCreatePipe, NULL,
     (cl_context a, cl_mem_flags b, cl_uint c, cl_uint d, const cl_pipe_properties *e, cl_int *f), (a, b, c, d, e, f))
DEEP(cl_int, clReleaseMemObject, CL_INVALID_OPERATION, (cl_mem a), (a))
DEEP(cl_sampler, clCreateSampler, NULL, (cl_context a, cl_bool b, cl_addressing_mode c, cl_filter_mode d, cl_int *e),
     (a, b, c, d, e))
DEEP(cl_sampler, clCreateSamplerWithProperties, NULL, (cl_context a, const cl_sampler_properties *b, cl_int *c),
     (a, b, c))
DEEP(cl_int, clReleaseSampler, CL_INVALID_OPERATION, (cl_sampler a), (a))
DEEP(cl_int, clBuildProgram, CL_INVALID_OPERATION,
     (cl_program a, cl_uint b, const cl_device_id *c, const char *d,
      void(CL_CALLBACK *e)(cl_program program, void *user_data), void *f),
     (a, b, c, d, e, f))
DEEP(cl_int, clCompileProgram, CL_INVALID_OPERATION,
     (cl_program a, cl_uint b, const cl_device_id *c, const char *d, cl_uint e, const cl_program *f, const char **g,
      void(CL_CALLBACK *h)(cl_program program, void *user_data), void *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_program, clLinkProgram, NULL,
     (cl_context a, cl_uint b, const cl_device_id *c, const char *d, cl_uint e, const cl_program *f,
      void(CL_CALLBACK *g)(cl_program program, void *user_data), void *h, cl_int *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clReleaseProgram, CL_INVALID_OPERATION, (cl_program a), (a))
DEEP(cl_kernel, clCreateKernel, NULL, (cl_program a, const char *b, cl_int *c), (a, b, c))
DEEP(cl_int, clCreateKernelsInProgram, CL_INVALID_OPERATION, (cl_program a, cl_uint b, cl_kernel *c, cl_uint *d),
     (a, b, c, d))
DEEP(cl_kernel, clCloneKernel, NULL, (cl_kernel a, cl_int *b), (a, b))
DEEP(cl_int, clReleaseKernel, CL_INVALID_OPERATION, (cl_kernel a), (a))
DEEP(cl_int, clWaitForEvents, CL_INVALID_OPERATION, (cl_uint a, const cl_event *b), (a, b))
DEEP(cl_int, clReleaseEvent, CL_INVALID_OPERATION, (cl_event a), (a))
DEEP(cl_int, clEnqueueReadBuffer, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void *f, cl_uint g, const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueReadBufferRect, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e, const size_t *f, size_t g, size_t h,
      size_t i, size_t j, void *k, cl_uint l, const cl_event *m, cl_event *n),
     (a, b, c, d, e, f, g, h, i, j, k, l, m, n))
DEEP(cl_int, clEnqueueWriteBuffer, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void *f, cl_uint g, const cl_event *h,
      cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueWriteBufferRect, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e, const size_t *f, size_t g, size_t h,
      size_t i, size_t j, const void *k, cl_uint l, const cl_event *m, cl_event *n),
     (a, b, c, d, e, f, g, h, i, j, k, l, m, n))
DEEP(cl_int, clEnqueueFillBuffer, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, const void *c, size_t d, size_t e, size_t f, cl_uint g, const cl_event *h,
      cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueCopyBuffer, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g, const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueCopyBufferRect, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_mem c, const size_t *d, const size_t *e, const size_t *f, size_t g, size_t h,
      size_t i, size_t j, cl_uint k, const cl_event *l, cl_event *m),
     (a, b, c, d, e, f, g, h, i, j, k, l, m))
DEEP(cl_int, clEnqueueReadImage, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e, size_t f, size_t g, void *h, cl_uint i,
      const cl_event *j, cl_event *k),
     (a, b, c, d, e, f, g, h, i, j, k))
DEEP(cl_int, clEnqueueWriteImage, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e, size_t f, size_t g, const void *h,
      cl_uint i, const cl_event *j, cl_event *k),
     (a, b, c, d, e, f, g, h, i, j, k))
DEEP(cl_int, clEnqueueFillImage, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, const void *c, const size_t *d, const size_t *e, cl_uint f, const cl_event *g,
      cl_event *h),
     (a, b, c, d, e, f, g, h))
DEEP(cl_int, clEnqueueCopyImage, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_mem c, const size_t *d, const size_t *e, const size_t *f, cl_uint g,
      const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueCopyImageToBuffer, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_mem c, const size_t *d, const size_t *e, size_t f, cl_uint g, const cl_event *h,
      cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueCopyBufferToImage, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, cl_mem c, size_t d, const size_t *e, const size_t *f, cl_uint g, const cl_event *h,
      cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(void *, clEnqueueMapBuffer, NULL,
     (cl_command_queue a, cl_mem b, cl_bool c, cl_map_flags d, size_t e, size_t f, cl_uint g, const cl_event *h,
      cl_event *i, cl_int *j),
     (a, b, c, d, e, f, g, h, i, j))
DEEP(void *, clEnqueueMapImage, NULL,
     (cl_command_queue a, cl_mem b, cl_bool c, cl_map_flags d, const size_t *e, const size_t *f, size_t *g, size_t *h,
      cl_uint i, const cl_event *j, cl_event *k, cl_int *l),
     (a, b, c, d, e, f, g, h, i, j, k, l))
DEEP(cl_int, clEnqueueUnmapMemObject, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_mem b, void *c, cl_uint d, const cl_event *e, cl_event *f), (a, b, c, d, e, f))
DEEP(cl_int, clEnqueueMigrateMemObjects, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_uint b, const cl_mem *c, cl_mem_migration_flags d, cl_uint e, const cl_event *f,
      cl_event *g),
     (a, b, c, d, e, f, g))
DEEP(cl_int, clEnqueueNDRangeKernel, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_kernel b, cl_uint c, const size_t *d, const size_t *e, const size_t *f, cl_uint g,
      const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))
DEEP(cl_int, clEnqueueTask, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_kernel b, cl_uint c, const cl_event *d, cl_event *e), (a, b, c, d, e))
DEEP(cl_int, clEnqueueMarkerWithWaitList, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_uint b, const cl_event *c, cl_event *d), (a, b, c, d))
DEEP(cl_int, clEnqueueBarrierWithWaitList, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_uint b, const cl_event *c, cl_event *d), (a, b, c, d))
DEEP(void *, clSVMAlloc, NULL, (cl_context a, cl_svm_mem_flags b, size_t c, unsigned int d), (a, b, c, d))
DEEP_VOID(clSVMFree, (cl_context a, void *b), (a, b))
DEEP(cl_int, clEnqueueSVMFree, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_uint b, void **c, void(CL_CALLBACK *d)(cl_command_queue, cl_uint, void **, void *),
      void *e, cl_uint f, const cl_event *g, cl_event *h),
     (a, b, c, d, e, f, g, h))
DEEP(cl_int, clEnqueueSVMMemcpy, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_bool b, void *c, const void *d, size_t e, cl_uint f, const cl_event *g, cl_event *h),
     (a, b, c, d, e, f, g, h))
DEEP(cl_int, clEnqueueSVMMemFill, CL_INVALID_OPERATION,
     (cl_command_queue a, void *b, const void *c, size_t d, size_t e, cl_uint f, const cl_event *g, cl_event *h),
     (a, b, c, d, e, f, g, h))
DEEP(cl_int, clEnqueueSVMMap, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_bool b, cl_map_flags c, void *d, size_t e, cl_uint f, const cl_event *g, cl_event *h),
     (a, b, c, d, e, f, g, h))
DEEP(cl_int, clEnqueueSVMUnmap, CL_INVALID_OPERATION,
     (cl_command_queue a, void *b, cl_uint c, const cl_event *d, cl_event *e), (a, b, c, d, e))
DEEP(cl_int, clEnqueueSVMMigrateMem, CL_INVALID_OPERATION,
     (cl_command_queue a, cl_uint b, const void **c, const size_t *d, cl_mem_migration_flags e, cl_uint f,
      const cl_event *g, cl_event *h),
     (a, b, c, d, e, f, g, h))

static const cl_icd_dispatch deep_calls = {
    .clGetDeviceIDs = deep_clGetDeviceIDs,
    .clGetDeviceInfo = deep_clGetDeviceInfo,
    .clCreateContext = deep_clCreateContext,
    .clCreateContextFromType = deep_clCreateContextFromType,
    .clReleaseContext = deep_clReleaseContext,
    .clCreateCommandQueue = deep_clCreateCommandQueue,
    .clCreateCommandQueueWithProperties = deep_clCreateCommandQueueWithProperties,
    .clReleaseCommandQueue = deep_clReleaseCommandQueue,
    .clFlush = deep_clFlush,
    .clFinish = deep_clFinish,
    .clCreateBuffer = deep_clCreateBuffer,
    .clCreateBufferWithProperties = deep_clCreateBufferWithProperties,
    .clCreateSubBuffer = deep_clCreateSubBuffer,
    .clCreateImage = deep_clCreateImage,
    .clCreateImageWithProperties = deep_clCreateImageWithProperties,
    .clCreatePipe = deep_clCreatePipe,
    .clReleaseMemObject = deep_clReleaseMemObject,
    .clCreateSampler = deep_clCreateSampler,
    .clCreateSamplerWithProperties = deep_clCreateSamplerWithProperties,
    .clReleaseSampler = deep_clReleaseSampler,
    .clBuildProgram = deep_clBuildProgram,
    .clCompileProgram = deep_clCompileProgram,
    .clLinkProgram = deep_clLinkProgram,
    .clReleaseProgram = deep_clReleaseProgram,
    .clCreateKernel = deep_clCreateKernel,
    .clCreateKernelsInProgram = deep_clCreateKernelsInProgram,
    .clCloneKernel = deep_clCloneKernel,
    .clReleaseKernel = deep_clReleaseKernel,
    .clWaitForEvents = deep_clWaitForEvents,
    .clReleaseEvent = deep_clReleaseEvent,
    .clEnqueueReadBuffer = deep_clEnqueueReadBuffer,
    .clEnqueueReadBufferRect = deep_clEnqueueReadBufferRect,
    .clEnqueueWriteBuffer = deep_clEnqueueWriteBuffer,
    .clEnqueueWriteBufferRect = deep_clEnqueueWriteBufferRect,
    .clEnqueueFillBuffer = deep_clEnqueueFillBuffer,
    .clEnqueueCopyBuffer = deep_clEnqueueCopyBuffer,
    .clEnqueueCopyBufferRect = deep_clEnqueueCopyBufferRect,
    .clEnqueueReadImage = deep_clEnqueueReadImage,
    .clEnqueueWriteImage = deep_clEnqueueWriteImage,
    .clEnqueueFillImage = deep_clEnqueueFillImage,
    .clEnqueueCopyImage = deep_clEnqueueCopyImage,
    .clEnqueueCopyImageToBuffer = deep_clEnqueueCopyImageToBuffer,
    .clEnqueueCopyBufferToImage = deep_clEnqueueCopyBufferToImage,
    .clEnqueueMapBuffer = deep_clEnqueueMapBuffer,
    .clEnqueueMapImage = deep_clEnqueueMapImage,
    .clEnqueueUnmapMemObject = deep_clEnqueueUnmapMemObject,
    .clEnqueueMigrateMemObjects = deep_clEnqueueMigrateMemObjects,
    .clEnqueueNDRangeKernel = deep_clEnqueueNDRangeKernel,
    .clEnqueueTask = deep_clEnqueueTask,
    .clEnqueueMarkerWithWaitList = deep_clEnqueueMarkerWithWaitList,
    .clEnqueueBarrierWithWaitList = deep_clEnqueueBarrierWithWaitList,
    .clSVMAlloc = deep_clSVMAlloc,
    .clSVMFree = deep_clSVMFree,
    .clEnqueueSVMFree = deep_clEnqueueSVMFree,
    .clEnqueueSVMMemcpy = deep_clEnqueueSVMMemcpy,
    .clEnqueueSVMMemFill = deep_clEnqueueSVMMemFill,
    .clEnqueueSVMMap = deep_clEnqueueSVMMap,
    .clEnqueueSVMUnmap = deep_clEnqueueSVMUnmap,
    .clEnqueueSVMMigrateMem = deep_clEnqueueSVMMigrateMem,
};

bool nf_cl_needs_stack_gap(void)
{
    const char *devices = nf_cl_variable_value("POCL_DEVICES"), *discovery = nf_cl_variable_value("POCL_DISCOVERY");
    return (devices && nf_cl_has_word(devices, "remote")) || (discovery && strcmp(discovery, "0") != 0);
}

void nf_cl_insert_stack_gap(cl_icd_dispatch *table, const cl_icd_dispatch *behind, bool replaces)
{
    void *entries[ENTRIES], *behind_entries[ENTRIES], *deep_entries[ENTRIES];
    memcpy(entries, table, sizeof entries);
    memcpy(behind_entries, behind, sizeof behind_entries);
    memcpy(deep_entries, &deep_calls, sizeof deep_entries);
    for (int i = 0; i < ENTRIES; i++)
        if (deep_entries[i] && behind_entries[i] && (replaces || !entries[i])) entries[i] = deep_entries[i];
    memcpy(table, entries, sizeof entries);
}
