/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocate.c - clHostMemAllocINTEL and the other allocation calls, both frees, and clGetMemAllocInfoINTEL.
 *
 * A free hides the block from lookups at once. clMemFreeINTEL also releases its memory at once, unless a turn
 * (ownership.c) lists the block; the last such turn then releases it. clMemBlockingFreeINTEL first waits for the
 * commands that may access the block, with two exceptions: it must not wait in a callback of an event, from which the
 * SYCL run-time frees memory; and it must not wait for commands behind a user event, because this thread may be the
 * thread that sets the status of the event. In these cases the free returns without waiting for them, the block is
 * retired, and a later allocation or free releases it.
 */
#include "layer/usm/usm.h"

#include <limits.h>
#include <stdlib.h>

enum { LOOKS = 2 }; /* retired blocks still in use that one call examines */

static cl_int set_error(cl_int *target, cl_int error)
{
    if (target) *target = error;
    return error;
}

static void *refuse(cl_int *target, cl_int error)
{
    set_error(target, error);
    return NULL;
}

/* ---- allocation ---- */

/* Returns CL_SUCCESS and sets `*flags`, or returns the error of the first invalid property. */
static cl_int read_properties(const cl_mem_properties_intel *properties, cl_unified_shared_memory_type_intel type,
                              cl_mem_alloc_flags_intel *flags)
{
    const cl_mem_alloc_flags_intel placements =
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    bool seen = false;
    *flags = 0;
    for (; properties && properties[0]; properties += 2) {
        if (properties[0] != CL_MEM_ALLOC_FLAGS_INTEL || seen) return CL_INVALID_PROPERTY;
        seen = true;
        *flags = properties[1];
    }
    if (*flags & ~(placements | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)) return CL_INVALID_PROPERTY;
    if ((*flags & placements) == placements) return CL_INVALID_PROPERTY;
    if ((*flags & placements) && type != CL_MEM_TYPE_SHARED_INTEL) return CL_INVALID_PROPERTY;
    return CL_SUCCESS;
}

struct nf_usm_block *nf_usm_allocate(struct nf_usm_context *context, cl_unified_shared_memory_type_intel type,
                                     const struct nf_usm_request *request, cl_mem_alloc_flags_intel flags, size_t size,
                                     cl_int *error)
{
    const struct nf_usm_placement placement = {type, request->device};
    if (type != CL_MEM_TYPE_DEVICE_INTEL && !context->has_svm) return refuse(error, CL_INVALID_OPERATION);
    if (size == 0 || size > context->largest) return refuse(error, CL_INVALID_BUFFER_SIZE);
    nf_usm_release_retired(context, LOOKS);
    struct nf_usm_block *block = nf_usm_memory_allocate(context, placement, size, request->alignment);
    if (!block) {
        nf_usm_release_retired(context, UINT_MAX);
        nf_usm_memory_free_reusable(context);
        block = nf_usm_memory_allocate(context, placement, size, request->alignment);
    }
    if (!block) return refuse(error, CL_OUT_OF_RESOURCES);
    block->flags = flags;
    block->request = *request;
    block->uses = NULL;
    cl_int refused = nf_usm_block_register(block);
    if (refused != CL_SUCCESS) {
        nf_usm_memory_release(block);
        return refuse(error, refused);
    }
    atomic_fetch_add_explicit(&block->generation, 1, memory_order_release);
    set_error(error, CL_SUCCESS);
    return block;
}

/* Allocates memory for a call of Intel's extension. */
static void *allocate(struct nf_usm_context *context, cl_unified_shared_memory_type_intel type, cl_device_id device,
                      const cl_mem_properties_intel *properties, size_t size, cl_uint alignment, cl_int *error)
{
    const struct nf_usm_request request = {.alignment = alignment, .device = device};
    cl_mem_alloc_flags_intel flags;
    cl_int wrong = read_properties(properties, type, &flags);
    if (type != CL_MEM_TYPE_DEVICE_INTEL && !context->has_svm) return refuse(error, CL_INVALID_OPERATION);
    if (wrong != CL_SUCCESS) return refuse(error, wrong);
    if (alignment & (alignment - 1)) return refuse(error, CL_INVALID_VALUE);
    struct nf_usm_block *block = nf_usm_allocate(context, type, &request, flags, size, error);
    return block ? block->base : NULL;
}

void *CL_API_CALL nf_usm_host_alloc(cl_context handle, const cl_mem_properties_intel *properties, size_t size,
                                    cl_uint alignment, cl_int *error)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    if (context) return allocate(context, CL_MEM_TYPE_HOST_INTEL, NULL, properties, size, alignment, error);
    clHostMemAllocINTEL_fn call = (clHostMemAllocINTEL_fn)nf_usm_native_of_context(handle, "clHostMemAllocINTEL");
    return call ? call(handle, properties, size, alignment, error) : refuse(error, CL_INVALID_CONTEXT);
}

/* Returns true if this library handles allocations for `device` in the context. A context may also contain devices that
 * support the extension natively. */
static bool is_handled_here(const struct nf_usm_context *context, cl_device_id device)
{
    const struct nf_usm_device *known = context && device ? nf_usm_device_find(device) : NULL;
    return context && (!device || !known || known->served || !nf_usm_context_has(context, device));
}

/* Returns the error if neither this library nor the driver can allocate for the device. A registered context is valid,
 * so the error is that the device lacks memory of that type. */
static cl_int unsupported_error(const struct nf_usm_context *context)
{
    return context ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
}

void *CL_API_CALL nf_usm_device_alloc(cl_context handle, cl_device_id device, const cl_mem_properties_intel *properties,
                                      size_t size, cl_uint alignment, cl_int *error)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    if (is_handled_here(context, device)) {
        if (!device || !nf_usm_context_has(context, device)) return refuse(error, CL_INVALID_DEVICE);
        return allocate(context, CL_MEM_TYPE_DEVICE_INTEL, device, properties, size, alignment, error);
    }
    clDeviceMemAllocINTEL_fn call = (clDeviceMemAllocINTEL_fn)nf_usm_native_of_context(handle, "clDeviceMemAllocINTEL");
    return call ? call(handle, device, properties, size, alignment, error) : refuse(error, unsupported_error(context));
}

void *CL_API_CALL nf_usm_shared_alloc(cl_context handle, cl_device_id device, const cl_mem_properties_intel *properties,
                                      size_t size, cl_uint alignment, cl_int *error)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    if (is_handled_here(context, device)) {
        if (device && !nf_usm_context_has(context, device)) return refuse(error, CL_INVALID_DEVICE);
        return allocate(context, CL_MEM_TYPE_SHARED_INTEL, device, properties, size, alignment, error);
    }
    clSharedMemAllocINTEL_fn call = (clSharedMemAllocINTEL_fn)nf_usm_native_of_context(handle, "clSharedMemAllocINTEL");
    return call ? call(handle, device, properties, size, alignment, error) : refuse(error, unsupported_error(context));
}

/* ---- free ---- */

/* Appends a block to the retired blocks. needs: the lock. */
static void put_last(struct nf_usm_context *context, struct nf_usm_block *block)
{
    block->next = NULL;
    *(context->retired ? &context->last_retired->next : &context->retired) = block;
    context->last_retired = block;
}

/* Examines retired blocks, and moves those that are still in use to the end of the list, at most `*looks` of them.
 * Returns the first block whose commands are all complete, removed from the list, or NULL. */
static struct nf_usm_block *take_free(struct nf_usm_context *context, unsigned *looks)
{
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    struct nf_usm_block *block = NULL;
    nf_cl_lock_acquire(lock);
    while (!block && context->retired && *looks > 0) {
        block = context->retired;
        context->retired = block->next;
        if (nf_usm_in_flight_prune(block->uses)) break;
        put_last(context, block);
        block = NULL;
        --*looks;
    }
    nf_cl_lock_release(lock);
    return block;
}

void nf_usm_release_retired(struct nf_usm_context *context, unsigned looks)
{
    struct nf_usm_block *block;
    if (atomic_load(&context->retired_count) == 0) return;
    while ((block = take_free(context, &looks)) != NULL) {
        atomic_fetch_sub(&context->retired_count, 1);
        nf_usm_in_flight_free(block->uses);
        nf_usm_memory_release(block);
    }
}

static void retire(struct nf_usm_block *block, struct nf_usm_in_flight *uses)
{
    struct nf_usm_context *context = block->context;
    struct nf_cl_lock *lock = nf_usm_lock_of(context);
    block->uses = uses;
    nf_cl_lock_acquire(lock);
    put_last(context, block);
    atomic_fetch_add(&context->retired_count, 1);
    nf_cl_lock_release(lock);
}

/* Returns the live block of the context that begins at `pointer`, and hides it from lookups; NULL if there is none. If
 * two threads free the block, only one of them gets it. */
static struct nf_usm_block *hide(const struct nf_usm_context *context, const void *pointer)
{
    struct nf_usm_block *block = nf_usm_block_find(pointer);
    if (!block || block->base != pointer || block->context != context) return NULL;
    /* an atomic exchange, so that only one thread frees it */
    unsigned generation = atomic_load(&block->generation);
    bool is_allocated = generation % 2;
    return is_allocated && atomic_compare_exchange_strong(&block->generation, &generation, generation + 1) ? block
                                                                                                           : NULL;
}

/* Frees a block. If `wait` is true, first waits for the commands that may access the block, with the exceptions that
 * the head of this file describes; if these commands cannot be listed, because host memory is exhausted, the block
 * stays allocated. */
static cl_int release(struct nf_usm_block *block, bool wait)
{
    struct nf_usm_in_flight *uses = NULL;
    cl_int error = wait ? nf_usm_in_flight_of(block, &uses) : CL_SUCCESS;
    if (error != CL_SUCCESS) {
        atomic_fetch_add_explicit(&block->generation, 1, memory_order_release);
        return error;
    }
    if (uses && !nf_usm_in_callback()) nf_usm_in_flight_wait(uses, atomic_load(&block->context->waiting) == 0);
    if (uses && nf_usm_in_flight_prune(uses)) {
        nf_usm_in_flight_free(uses);
        uses = NULL;
    }
    if (!nf_usm_block_unregister(block))
        nf_usm_in_flight_free(uses); /* false: the last turn (ownership.c) that lists the block releases it */
    else if (uses)
        retire(block, uses);
    else
        nf_usm_memory_release(block);
    return error;
}

bool nf_usm_free_block(struct nf_usm_context *context, void *pointer)
{
    nf_usm_release_retired(context, LOOKS);
    struct nf_usm_block *block = hide(context, pointer);
    if (block) release(block, false);
    return block != NULL;
}

typedef cl_int(CL_API_CALL *free_fn)(cl_context, void *);

static cl_int free_block(cl_context handle, void *pointer, bool wait, const char *name)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    free_fn native = NULL;
    if (!context) {
        native = (free_fn)nf_usm_native_of_context(handle, name);
        return native ? native(handle, pointer) : CL_INVALID_CONTEXT;
    }
    nf_usm_release_retired(context, LOOKS);
    if (!pointer) return CL_SUCCESS;
    struct nf_usm_block *block = hide(context, pointer);
    if (block) return release(block, wait);
    native =
        /* memory of a device with native support, in a mixed context */
        (free_fn)nf_cl_platform_extension(context->devices[0], name);
    return native ? native(handle, pointer) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL nf_usm_free(cl_context context, void *pointer)
{
    return free_block(context, pointer, false, "clMemFreeINTEL");
}

cl_int CL_API_CALL nf_usm_blocking_free(cl_context context, void *pointer)
{
    return free_block(context, pointer, true, "clMemBlockingFreeINTEL");
}

/* ---- questions ---- */

static cl_int answer_alloc_info(const struct nf_usm_block *block, cl_mem_info_intel name, size_t size, void *value,
                                size_t *size_ret)
{
    const cl_unified_shared_memory_type_intel type = block ? block->type : CL_MEM_TYPE_UNKNOWN_INTEL;
    const cl_mem_alloc_flags_intel flags = block ? block->flags : 0;
    const cl_device_id device = block && type != CL_MEM_TYPE_HOST_INTEL ? block->request.device : NULL;
    void *const base = block ? block->base : NULL;
    const size_t length = block ? block->size : 0;
    switch (name) {
    case CL_MEM_ALLOC_TYPE_INTEL: return nf_cl_answer(&type, sizeof type, size, value, size_ret);
    case CL_MEM_ALLOC_BASE_PTR_INTEL: return nf_cl_answer(&base, sizeof base, size, value, size_ret);
    case CL_MEM_ALLOC_SIZE_INTEL: return nf_cl_answer(&length, sizeof length, size, value, size_ret);
    case CL_MEM_ALLOC_DEVICE_INTEL: return nf_cl_answer(&device, sizeof device, size, value, size_ret);
    case CL_MEM_ALLOC_FLAGS_INTEL: return nf_cl_answer(&flags, sizeof flags, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL nf_usm_get_alloc_info(cl_context handle, const void *pointer, cl_mem_info_intel name, size_t size,
                                         void *value, size_t *size_ret)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    struct nf_usm_block *block = context ? nf_usm_block_find(pointer) : NULL;
    if (block && block->context == context) return answer_alloc_info(block, name, size, value, size_ret);
    clGetMemAllocInfoINTEL_fn call =
        (clGetMemAllocInfoINTEL_fn)nf_usm_native_of_context(handle, "clGetMemAllocInfoINTEL");
    if (call) return call(handle, pointer, name, size, value, size_ret);
    return context ? answer_alloc_info(NULL, name, size, value, size_ret) : CL_INVALID_CONTEXT;
}
