/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svm.c - allocation and free of the driver's own SVM: clSVMAlloc, and the types of memory of cl_khr_unified_svm that
 * consist of this SVM. Takes the application's calls; gives the driver's, and the list of each context (svm_list.c),
 * for the queries and frees of the extension. clSVMFree and clEnqueueSVMFree free blocks, too.
 */
#include "layer/usm/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- allocation and free ---- */

static cl_context handle_of(const struct nf_usm_context *context)
{
    return (cl_context)(uintptr_t)context->record.handle;
}

void *nf_usm_svm_allocate(struct nf_usm_context *context, enum nf_usm_type type, const struct nf_usm_request *request,
                          cl_svm_mem_flags flags, size_t size)
{
    struct nf_usm_svm_memory *memory = calloc(1, sizeof(*memory));
    if (!memory) return NULL;
    *memory = (struct nf_usm_svm_memory){.size = size, .type = type, .request = *request};
    memory->base = context->calls.alloc(handle_of(context), flags, size, (cl_uint)request->alignment);
    void *base = memory->base;
    if (base && nf_usm_svm_add(context, memory)) return base;
    if (base) context->calls.free(handle_of(context), base);
    free(memory);
    return NULL;
}

/* Returns the type of memory that flags of clSVMAlloc request. */
static enum nf_usm_type type_of(cl_svm_mem_flags flags)
{
    return flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? NF_USM_TYPE_FINE_BUFFER : NF_USM_TYPE_COARSE_BUFFER;
}

void *CL_API_CALL nf_usm_svm_alloc(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    const struct nf_usm_request request = {.alignment = alignment};
    if (context && context->type_count && context->is_core)
        return nf_usm_svm_allocate(context, type_of(flags), &request, flags, size);
    return NF_CL_CALL(clSVMAlloc, NULL, handle, flags, size, alignment);
}

bool nf_usm_svm_release(struct nf_usm_context *context, void *pointer)
{
    struct nf_usm_svm_memory *memory = nf_usm_svm_take(context, pointer);
    if (!memory) return nf_usm_free_block(context, pointer);
    free(memory);
    context->calls.free(handle_of(context), pointer);
    return true;
}

static void release_or_pass(struct nf_usm_context *context, cl_context handle, void *pointer)
{
    if (context && pointer && nf_usm_svm_release(context, pointer)) return;
    if (nf_cl_next()->clSVMFree) nf_cl_next()->clSVMFree(handle, pointer);
}

void CL_API_CALL nf_usm_svm_free(cl_context handle, void *pointer)
{
    release_or_pass(nf_usm_context_find(handle), handle, pointer);
}

/* ---- clEnqueueSVMFree ---- */

typedef void(CL_CALLBACK *free_callback)(cl_command_queue, cl_uint, void **, void *);

/* A call of clEnqueueSVMFree whose memory is freed when its command ends. */
struct later {
    struct nf_usm_wait wait;
    cl_command_queue queue;
    free_callback notify;
    void *user;
    cl_uint count;
    void *pointers[];
};

/* Frees the memory, or calls the application's callback, which frees it. If the command of the free has failed, the
 * memory stays allocated. */
static void free_now(void *user, cl_int status)
{
    struct later *later = user;
    struct nf_usm_context *context = later->wait.context;
    cl_event event = later->wait.event;
    nf_usm_callbacks_add(1);
    if (status == CL_COMPLETE && later->notify) later->notify(later->queue, later->count, later->pointers, later->user);
    for (cl_uint i = 0; status == CL_COMPLETE && !later->notify && i < later->count; i++)
        if (later->pointers[i]) release_or_pass(context, handle_of(context), later->pointers[i]);
    nf_usm_callbacks_add(-1);
    NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, event);
    nf_usm_context_put(context);
    free(later);
}

/* Returns true if this library has to free the pointers, instead of the driver: a pointer is in a block, or in SVM of
 * the driver that queries find until it is freed, or only cl_khr_unified_svm allows the call, not the core. */
static bool is_freed_here(struct nf_usm_context *context, cl_uint count, void *const *pointers)
{
    struct nf_usm_svm_memory memory;
    bool any = context->type_count && (count == 0 || !context->is_core);
    for (cl_uint i = 0; i < count && !any; i++)
        any = nf_usm_svm_find(context, pointers[i], &memory) || nf_usm_block_find(pointers[i]) ||
              (context->type_count && !pointers[i]);
    return any;
}

static cl_int enqueue_later(struct nf_usm_queue *queue, cl_uint count, void *const *pointers, free_callback notify,
                            void *user, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct nf_usm_transfer nothing = {.type = CL_COMMAND_SVM_FREE};
    struct later *later = malloc(sizeof(*later) + count * sizeof(void *));
    cl_event own = NULL;
    if (!later) return CL_OUT_OF_HOST_MEMORY;
    cl_int error = nf_usm_enqueue_transfer(queue, &nothing, wait_count, wait, &own);
    if (error != CL_SUCCESS) {
        free(later);
        return error;
    }
    *later = (struct later){.wait = {.context = queue->context, .event = own, .then = free_now, .user = later},
                            .queue = (cl_command_queue)(uintptr_t)queue->record.handle,
                            .notify = notify,
                            .user = user,
                            .count = count};
    if (count) memcpy(later->pointers, pointers, count * sizeof(void *));
    atomic_fetch_add(&queue->context->users, 1);
    NF_CL_CALL(clRetainEvent, CL_INVALID_EVENT, own);
    if (event)
        *event = own;
    else
        nf_usm_release_event(own);
    nf_usm_wait_for(&later->wait);
    return CL_SUCCESS;
}

cl_int CL_API_CALL nf_usm_enqueue_svm_free(cl_command_queue queue, cl_uint count, void **pointers, free_callback notify,
                                           void *user, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (known && (count == 0) == (pointers == NULL) && is_freed_here(known->context, count, pointers))
        return enqueue_later(known, count, pointers, notify, user, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueSVMFree, CL_INVALID_OPERATION, queue, count, pointers, notify, user, wait_count, wait,
                      event);
}
