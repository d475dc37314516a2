/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.c - the calls that create, retain and release queues. A queue of a served device gets a record with its context
 * and its device.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

static atomic_uint_fast64_t numbers;

static void destroy(struct nf_usm_queue *queue)
{
    if (!queue) return;
    nf_usm_context_put(queue->context);
    free(queue);
}

static bool is_in_order(cl_command_queue queue)
{
    cl_command_queue_properties properties = 0;
    NF_CL_CALL(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, queue, CL_QUEUE_PROPERTIES, sizeof properties,
               &properties, NULL);
    return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Releases a queue that cannot be registered: its commands could access memory that is mapped to the host. */
static cl_command_queue give_back(cl_command_queue handle, cl_int *error)
{
    NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, handle);
    if (error) *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

/* Registers a queue that the application created, if its device and context are served. Returns the queue; NULL if the
 * driver has not created it, or if host memory is exhausted. */
static cl_command_queue enter(cl_command_queue handle, cl_context context, cl_device_id device, cl_int *error)
{
    const struct nf_usm_device *known = handle ? nf_usm_device_find(device) : NULL;
    struct nf_usm_context *owner = known && known->served ? nf_usm_context_find(context) : NULL;
    struct nf_usm_queue *queue = owner ? calloc(1, sizeof *queue) : NULL;
    if (!owner) {
        destroy(handle ? (struct nf_usm_queue *)nf_usm_drop(NF_USM_QUEUE, handle) : NULL);
        return handle;
    }
    if (!queue) return give_back(handle, error);
    queue->record.handle = handle;
    queue->context = owner;
    queue->device = known;
    queue->in_order = is_in_order(handle);
    if (queue->in_order) queue->number = atomic_fetch_add(&numbers, 1) + 1;
    atomic_fetch_add(&owner->users, 1);
    destroy((struct nf_usm_queue *)nf_usm_register(NF_USM_QUEUE, &queue->record));
    return handle;
}

struct nf_usm_queue *nf_usm_queue_find(cl_command_queue queue)
{
    return (struct nf_usm_queue *)nf_usm_find(NF_USM_QUEUE, queue);
}

static cl_command_queue no_queue(cl_int *error)
{
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

cl_command_queue CL_API_CALL nf_usm_create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *error)
{
    if (!nf_cl_next()->clCreateCommandQueue) return no_queue(error);
    return enter(nf_cl_next()->clCreateCommandQueue(context, device, properties, error), context, device, error);
}

cl_command_queue CL_API_CALL nf_usm_create_queue_with_properties(cl_context context, cl_device_id device,
                                                                 const cl_queue_properties *properties, cl_int *error)
{
    if (!nf_cl_next()->clCreateCommandQueueWithProperties) return no_queue(error);
    return enter(nf_cl_next()->clCreateCommandQueueWithProperties(context, device, properties, error), context, device,
                 error);
}

typedef cl_command_queue(CL_API_CALL *create_khr_fn)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *);

cl_command_queue CL_API_CALL nf_usm_create_queue_khr(cl_context context, cl_device_id device,
                                                     const cl_queue_properties *properties, cl_int *error)
{
    create_khr_fn call = (create_khr_fn)nf_cl_platform_extension(device, "clCreateCommandQueueWithPropertiesKHR");
    return call ? enter(call(context, device, properties, error), context, device, error) : no_queue(error);
}

cl_int CL_API_CALL nf_usm_retain_queue(cl_command_queue queue)
{
    nf_usm_retain(NF_USM_QUEUE, queue);
    return NF_CL_CALL(clRetainCommandQueue, CL_INVALID_COMMAND_QUEUE, queue);
}

cl_int CL_API_CALL nf_usm_release_queue(cl_command_queue handle)
{
    destroy((struct nf_usm_queue *)nf_usm_release(NF_USM_QUEUE, handle));
    return NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, handle);
}
