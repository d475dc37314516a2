/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c - launches, copies and fills. Takes them as the application enqueues them; gives the driver's commands for
 * them with what they reach (enqueue.c).
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

/* ---- launches ---- */

struct launch {
    cl_kernel kernel;
    cl_uint dimensions; /* 0: a task */
    const size_t *offset, *global, *local;
};

static cl_int give_launch(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                          cl_event *event)
{
    const struct launch *l = what;
    if (l->dimensions == 0)
        return NF_CL_CALL(clEnqueueTask, CL_INVALID_COMMAND_QUEUE, queue, l->kernel, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueNDRangeKernel, CL_INVALID_COMMAND_QUEUE, queue, l->kernel, l->dimensions, l->offset,
                      l->global, l->local, wait_count, wait, event);
}

/* @return whether the launch reaches memory of ours, and is enqueued or refused. */
static bool enqueue_launch(cl_command_queue queue, const struct launch *launch, cl_uint wait_count,
                           const cl_event *wait, cl_event *event, cl_int *error)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    struct nf_usm_reach *reach = known ? nf_usm_kernel_reach(launch->kernel) : NULL;
    const struct nf_usm_command command = {.type = launch->dimensions ? CL_COMMAND_NDRANGE_KERNEL : CL_COMMAND_TASK,
                                           .reach = reach,
                                           .kernel = launch->kernel,
                                           .give = give_launch,
                                           .what = launch};
    if (reach) *error = nf_usm_enqueue(known, &command, wait_count, wait, event);
    return reach != NULL;
}

cl_int CL_API_CALL nf_usm_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *global, const size_t *local,
                                                  cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct launch launch = {kernel, dimensions, offset, global, local};
    cl_int error;
    if (dimensions && enqueue_launch(queue, &launch, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueNDRangeKernel, CL_INVALID_COMMAND_QUEUE, queue, kernel, dimensions, offset, global,
                      local, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                       const cl_event *wait, cl_event *event)
{
    const struct launch launch = {.kernel = kernel};
    cl_int error;
    if (enqueue_launch(queue, &launch, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueTask, CL_INVALID_COMMAND_QUEUE, queue, kernel, wait_count, wait, event);
}

/* ---- copies and fills ---- */

/* @return a device of a queue that is not served, to find the driver's own functions by. */
static cl_device_id device_of(cl_command_queue queue)
{
    cl_device_id device = NULL;
    if (queue)
        NF_CL_CALL(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, queue, CL_QUEUE_DEVICE, sizeof device, &device,
                   NULL);
    return device;
}

#define NATIVE(type, queue, name) (type) nf_usm_native(device_of(queue), name)

static bool overlap(const char *a, const char *b, size_t size)
{
    return size && (a < b ? (size_t)(b - a) < size : (size_t)(a - b) < size);
}

cl_int CL_API_CALL nf_usm_enqueue_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                       size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMemcpyINTEL_fn call = NATIVE(clEnqueueMemcpyINTEL_fn, queue, "clEnqueueMemcpyINTEL");
        return call ? call(queue, blocking, target, source, size, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
    }
    const struct nf_usm_work work = {CL_COMMAND_MEMCPY_INTEL, blocking, target, source, 0, size};
    if (size && (!target || !source)) return CL_INVALID_VALUE;
    if (overlap(target, source, size)) return CL_MEM_COPY_OVERLAP;
    return nf_usm_enqueue_work(known, &work, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_fill(cl_command_queue queue, void *target, const void *pattern, size_t pattern_size,
                                       size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMemFillINTEL_fn call = NATIVE(clEnqueueMemFillINTEL_fn, queue, "clEnqueueMemFillINTEL");
        return call ? call(queue, target, pattern, pattern_size, size, wait_count, wait, event)
                    : CL_INVALID_COMMAND_QUEUE;
    }
    const struct nf_usm_work work = {CL_COMMAND_MEMFILL_INTEL, false, target, pattern, pattern_size, size};
    if (!pattern || pattern_size == 0 || pattern_size > 128 || (pattern_size & (pattern_size - 1)))
        return CL_INVALID_VALUE;
    if (!target || size % pattern_size || (uintptr_t)target % pattern_size) return CL_INVALID_VALUE;
    return nf_usm_enqueue_work(known, &work, wait_count, wait, event);
}

/* The extension's first form. */
cl_int CL_API_CALL nf_usm_enqueue_set(cl_command_queue queue, void *target, cl_int value, size_t size,
                                      cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const cl_uchar byte = (cl_uchar)value;
    if (nf_usm_queue_find(queue)) return nf_usm_enqueue_fill(queue, target, &byte, 1, size, wait_count, wait, event);
    clEnqueueMemsetINTEL_fn call = NATIVE(clEnqueueMemsetINTEL_fn, queue, "clEnqueueMemsetINTEL");
    return call ? call(queue, target, value, size, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL nf_usm_enqueue_migrate(cl_command_queue queue, const void *pointer, size_t size,
                                          cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,
                                          cl_event *event)
{
    const cl_mem_migration_flags all = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const struct nf_usm_work nothing = {.type = CL_COMMAND_MIGRATEMEM_INTEL};
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMigrateMemINTEL_fn call = NATIVE(clEnqueueMigrateMemINTEL_fn, queue, "clEnqueueMigrateMemINTEL");
        return call ? call(queue, pointer, size, flags, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
    }
    if (!pointer || (flags & ~all)) return CL_INVALID_VALUE;
    return nf_usm_enqueue_work(known, &nothing, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_advise(cl_command_queue queue, const void *pointer, size_t size,
                                         cl_mem_advice_intel advice, cl_uint wait_count, const cl_event *wait,
                                         cl_event *event)
{
    const struct nf_usm_work nothing = {.type = CL_COMMAND_MEMADVISE_INTEL};
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMemAdviseINTEL_fn call = NATIVE(clEnqueueMemAdviseINTEL_fn, queue, "clEnqueueMemAdviseINTEL");
        return call ? call(queue, pointer, size, advice, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
    }
    if (!pointer) return CL_INVALID_VALUE;
    return nf_usm_enqueue_work(known, &nothing, wait_count, wait, event);
}
