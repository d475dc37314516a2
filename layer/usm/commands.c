/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c - kernel launches, copies and fills. Takes the application's calls; gives the driver's commands, with the
 * memory that each may access (enqueue.c).
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

enum { COMMAND_BUFFER = 0x12A8 }; /* CL_COMMAND_COMMAND_BUFFER_KHR */

/* ---- launches ---- */

struct launch {
    cl_kernel kernel;
    cl_uint dimensions; /* 0: clEnqueueTask */
    const size_t *offset, *global, *local;
};

static cl_int call_launch(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                          cl_event *event)
{
    const struct launch *l = what;
    if (l->dimensions == 0)
        return NF_CL_CALL(clEnqueueTask, CL_INVALID_COMMAND_QUEUE, queue, l->kernel, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueNDRangeKernel, CL_INVALID_COMMAND_QUEUE, queue, l->kernel, l->dimensions, l->offset,
                      l->global, l->local, wait_count, wait, event);
}

/* Returns true if the launch may access memory of this library, or memory is exhausted before that is known; then it
 * has been enqueued, or has failed with `*error`. */
static bool enqueue_launch(cl_command_queue queue, const struct launch *launch, cl_uint wait_count,
                           const cl_event *wait, cl_event *event, cl_int *error)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    *error = CL_SUCCESS;
    struct nf_usm_access_set *accesses = known ? nf_usm_kernel_access_set(launch->kernel, error) : NULL;
    const struct nf_usm_command command = {.type = launch->dimensions ? CL_COMMAND_NDRANGE_KERNEL : CL_COMMAND_TASK,
                                           .accesses = accesses,
                                           .kernel = launch->kernel,
                                           .call_driver = call_launch,
                                           .what = launch};
    if (accesses) *error = nf_usm_enqueue(known, &command, wait_count, wait, event);
    return accesses || *error != CL_SUCCESS;
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

/* ---- command buffers: assumed to access all allocations ---- */

typedef cl_int(CL_API_CALL *command_buffer_fn)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                                               cl_event *);

struct recorded {
    command_buffer_fn call;
    cl_uint queue_count;
    cl_command_queue *queues;
    void *buffer;
};

static cl_int call_recorded(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                            cl_event *event)
{
    const struct recorded *r = what;
    (void)queue;
    return r->call(r->queue_count, r->queues, r->buffer, wait_count, wait, event);
}

/* The driver function that enqueues command buffers if the call names no queue: of the first driver for which the
 * application has requested its address. Usually only one driver has it. */
static _Atomic(nf_cl_function) first_command_buffers;
static atomic_uint command_buffers_epoch; /* the epoch in which first_command_buffers was set */

void nf_usm_note_command_buffer_function(nf_cl_function function)
{
    unsigned epoch = nf_cl_epoch();
    if (atomic_exchange(&command_buffers_epoch, epoch) != epoch) atomic_store(&first_command_buffers, function);
}

static nf_cl_function command_buffers(void)
{
    return atomic_load(&command_buffers_epoch) == nf_cl_epoch() ? atomic_load(&first_command_buffers) : NULL;
}

cl_int CL_API_CALL nf_usm_enqueue_command_buffer(cl_uint queue_count, cl_command_queue *queues, void *buffer,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    cl_command_queue queue = queue_count && queues ? queues[0] : NULL;
    struct nf_usm_queue *known = queue ? nf_usm_queue_find(queue) : NULL;
    nf_cl_function native = queue ? nf_usm_native_of_queue(queue, "clEnqueueCommandBufferKHR") : command_buffers();
    struct recorded recorded = {(command_buffer_fn)native, queue_count, queues, buffer};
    if (!native) return CL_INVALID_OPERATION;
    if (!known) return call_recorded(queue, &recorded, wait_count, wait, event);
    const struct nf_usm_command command = {.type = COMMAND_BUFFER,
                                           .accesses = nf_usm_access_set_new(~0u, 0, NULL),
                                           .call_driver = call_recorded,
                                           .what = &recorded};
    if (!command.accesses) return CL_OUT_OF_HOST_MEMORY;
    return nf_usm_enqueue(known, &command, wait_count, wait, event);
}

typedef cl_int(CL_API_CALL *record_kernel_fn)(void *, cl_command_queue, const void *, cl_kernel, cl_uint,
                                              const size_t *, const size_t *, const size_t *, cl_uint, const cl_uint *,
                                              cl_uint *, void *);

/* Returns a clone of a registered kernel; NULL if it is not registered or cannot be cloned. */
static cl_kernel copy_of(cl_kernel kernel)
{
    cl_int error;
    if (!nf_usm_find(NF_USM_KERNEL, kernel) || !nf_cl_next()->clCloneKernel) return NULL;
    return nf_cl_next()->clCloneKernel(kernel, &error);
}

/* Records a clone of the kernel, because PoCL 3.1 reads the arguments of a recorded kernel when the command buffer
 * runs, so that all recordings of one kernel would have its last arguments. A mutable command (`changeable`) is
 * recorded with the kernel itself, which the application can query later; PoCL 3.1 has no mutable commands. */
cl_int CL_API_CALL nf_usm_record_kernel(void *buffer, cl_command_queue queue, const void *properties, cl_kernel kernel,
                                        cl_uint dimensions, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint count, const cl_uint *wait, cl_uint *point,
                                        void *changeable)
{
    nf_cl_function native = nf_usm_native_of_kernel(kernel, "clCommandNDRangeKernelKHR");
    if (!native) return CL_INVALID_KERNEL;
    cl_kernel copy = changeable ? NULL : copy_of(kernel);
    cl_int error = ((record_kernel_fn)native)(buffer, queue, properties, copy ? copy : kernel, dimensions, offset,
                                              global, local, count, wait, point, changeable);
    if (copy) NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, copy);
    return error;
}

/* ---- copies and fills ---- */

static bool overlap(const char *a, const char *b, size_t size)
{
    return size && (a < b ? (size_t)(b - a) < size : (size_t)(a - b) < size);
}

cl_int nf_usm_enqueue_copy_work(struct nf_usm_queue *queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                                const cl_event *wait, cl_event *event)
{
    if (work->size && (!work->target || !work->source)) return CL_INVALID_VALUE;
    if (overlap(work->target, work->source, work->size)) return CL_MEM_COPY_OVERLAP;
    return nf_usm_enqueue_transfer(queue, work, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                       size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMemcpyINTEL_fn call = (clEnqueueMemcpyINTEL_fn)nf_usm_native_of_queue(queue, "clEnqueueMemcpyINTEL");
        return call ? call(queue, blocking, target, source, size, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
    }
    const struct nf_usm_transfer work = {CL_COMMAND_MEMCPY_INTEL, blocking, target, source, 0, size};
    return nf_usm_enqueue_copy_work(known, &work, wait_count, wait, event);
}

cl_int nf_usm_enqueue_fill_work(struct nf_usm_queue *queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                                const cl_event *wait, cl_event *event)
{
    const size_t unit = work->pattern;
    if (!work->source || unit == 0 || unit > 128 || (unit & (unit - 1))) return CL_INVALID_VALUE;
    if (work->size && (!work->target || work->size % unit || (uintptr_t)work->target % unit)) return CL_INVALID_VALUE;
    return nf_usm_enqueue_transfer(queue, work, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_fill(cl_command_queue queue, void *target, const void *pattern, size_t pattern_size,
                                       size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMemFillINTEL_fn call =
            (clEnqueueMemFillINTEL_fn)nf_usm_native_of_queue(queue, "clEnqueueMemFillINTEL");
        return call ? call(queue, target, pattern, pattern_size, size, wait_count, wait, event)
                    : CL_INVALID_COMMAND_QUEUE;
    }
    const struct nf_usm_transfer work = {CL_COMMAND_MEMFILL_INTEL, false, target, pattern, pattern_size, size};
    return target ? nf_usm_enqueue_fill_work(known, &work, wait_count, wait, event) : CL_INVALID_VALUE;
}

/* Replaces clEnqueueMemsetINTEL, which the first version of the extension has in place of clEnqueueMemFillINTEL. */
cl_int CL_API_CALL nf_usm_enqueue_set(cl_command_queue queue, void *target, cl_int value, size_t size,
                                      cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const cl_uchar byte = (cl_uchar)value;
    if (nf_usm_queue_find(queue)) return nf_usm_enqueue_fill(queue, target, &byte, 1, size, wait_count, wait, event);
    clEnqueueMemsetINTEL_fn call = (clEnqueueMemsetINTEL_fn)nf_usm_native_of_queue(queue, "clEnqueueMemsetINTEL");
    return call ? call(queue, target, value, size, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL nf_usm_enqueue_migrate(cl_command_queue queue, const void *pointer, size_t size,
                                          cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,
                                          cl_event *event)
{
    const cl_mem_migration_flags all = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const struct nf_usm_transfer nothing = {.type = CL_COMMAND_MIGRATEMEM_INTEL};
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMigrateMemINTEL_fn call =
            (clEnqueueMigrateMemINTEL_fn)nf_usm_native_of_queue(queue, "clEnqueueMigrateMemINTEL");
        return call ? call(queue, pointer, size, flags, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
    }
    if (!pointer || (flags & ~all)) return CL_INVALID_VALUE;
    return nf_usm_enqueue_transfer(known, &nothing, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_advise(cl_command_queue queue, const void *pointer, size_t size,
                                         cl_mem_advice_intel advice, cl_uint wait_count, const cl_event *wait,
                                         cl_event *event)
{
    const struct nf_usm_transfer nothing = {.type = CL_COMMAND_MEMADVISE_INTEL};
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (!known) {
        clEnqueueMemAdviseINTEL_fn call =
            (clEnqueueMemAdviseINTEL_fn)nf_usm_native_of_queue(queue, "clEnqueueMemAdviseINTEL");
        return call ? call(queue, pointer, size, advice, wait_count, wait, event) : CL_INVALID_COMMAND_QUEUE;
    }
    if (!pointer) return CL_INVALID_VALUE;
    return nf_usm_enqueue_transfer(known, &nothing, wait_count, wait, event);
}
