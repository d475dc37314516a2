/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svm_commands.c - the core's commands for SVM, which cl_khr_unified_svm extends to all its types of memory. Takes the
 * application's calls; gives the commands of this library if blocks are involved, if the core lacks the function, or if
 * only the extension allows the call, else the driver's own.
 */
#include "layer/usm/internal.h"

/* Returns true if the pointer is into a block. A pointer into the driver's own SVM (svm_list.c) is in no block, so it
 * is not looked up among the blocks. */
static bool is_block(struct nf_usm_context *context, const void *pointer)
{
    struct nf_usm_svm_memory memory;
    return !nf_usm_svm_find(context, pointer, &memory) && nf_usm_block_find(pointer);
}

/* Returns the queue if the library must execute a command on two pointers, of which one may be NULL, else NULL. */
static struct nf_usm_queue *queue_for(cl_command_queue handle, const void *one, const void *two, size_t size)
{
    struct nf_usm_queue *queue = nf_usm_queue_find(handle);
    if (!queue) return NULL;
    if (is_block(queue->context, one) || is_block(queue->context, two)) return queue;
    return queue->context->type_count && (size == 0 || !queue->context->is_core) ? queue : NULL;
}

cl_int CL_API_CALL nf_usm_enqueue_svm_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                           size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = queue_for(queue, target, source, size);
    const struct nf_usm_transfer work = {CL_COMMAND_SVM_MEMCPY, blocking, target, source, 0, size};
    if (known) return nf_usm_enqueue_copy_work(known, &work, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueSVMMemcpy, CL_INVALID_OPERATION, queue, blocking, target, source, size, wait_count, wait,
                      event);
}

cl_int CL_API_CALL nf_usm_enqueue_svm_fill(cl_command_queue queue, void *target, const void *pattern,
                                           size_t pattern_size, size_t size, cl_uint wait_count, const cl_event *wait,
                                           cl_event *event)
{
    struct nf_usm_queue *known = queue_for(queue, target, NULL, size);
    const struct nf_usm_transfer work = {CL_COMMAND_SVM_MEMFILL, false, target, pattern, pattern_size, size};
    if (known) return nf_usm_enqueue_fill_work(known, &work, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueSVMMemFill, CL_INVALID_OPERATION, queue, target, pattern, pattern_size, size, wait_count,
                      wait, event);
}

/* ---- maps ---- */

/* Arguments of a map, or of an unmap, whose flags are 0. */
struct map {
    const struct nf_usm_svm *calls;
    cl_map_flags flags;
    void *pointer;
    size_t size;
};

static cl_int give_map(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                       cl_event *event)
{
    const struct map *m = what;
    if (!m->flags) return m->calls->unmap(queue, m->pointer, wait_count, wait, event);
    return m->calls->map(queue, CL_FALSE, m->flags, m->pointer, m->size, wait_count, wait, event);
}

/* Enqueues a map, or without flags an unmap, of memory that was not allocated by the core's functions. */
static cl_int enqueue_map(struct nf_usm_queue *queue, cl_command_type type, cl_bool blocking, struct map map,
                          cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct nf_usm_command command = {
        .type = type, .renamed = true, .blocking = blocking, .call_driver = give_map, .what = &map};
    map.calls = &queue->context->calls;
    if (!map.pointer || !map.calls->map) return CL_INVALID_VALUE;
    return nf_usm_enqueue(queue, &command, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                                          size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = queue_for(queue, pointer, NULL, 1);
    const struct map map = {.flags = flags, .pointer = pointer, .size = size};
    if (known && is_block(known->context, pointer)) return CL_INVALID_VALUE; /* a block's type of memory has no maps */
    if (known && (!flags || size == 0)) return CL_INVALID_VALUE;
    if (known) return enqueue_map(known, CL_COMMAND_SVM_MAP, blocking, map, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueSVMMap, CL_INVALID_OPERATION, queue, blocking, flags, pointer, size, wait_count, wait,
                      event);
}

cl_int CL_API_CALL nf_usm_enqueue_svm_unmap(cl_command_queue queue, void *pointer, cl_uint wait_count,
                                            const cl_event *wait, cl_event *event)
{
    struct nf_usm_queue *known = queue_for(queue, pointer, NULL, 1);
    const struct map map = {.pointer = pointer};
    if (known && is_block(known->context, pointer)) return CL_INVALID_VALUE;
    if (known) return enqueue_map(known, CL_COMMAND_SVM_UNMAP, CL_FALSE, map, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueSVMUnmap, CL_INVALID_OPERATION, queue, pointer, wait_count, wait, event);
}

/* ---- migration ---- */

/* Returns true if all memory of the process is SVM of the context. */
static bool has_system(const struct nf_usm_context *context)
{
    for (cl_uint i = 0; i < context->type_count; i++)
        if (context->types[i] == NF_USM_TYPE_SYSTEM && context->capabilities[i]) return true;
    return false;
}

/* Returns true if cl_khr_unified_svm allows the migration of the memory: all of it lies in one allocation, or in memory
 * of the system, or the range is empty. */
static bool is_migratable(struct nf_usm_context *context, const void *pointer, size_t size)
{
    struct nf_usm_svm_memory memory;
    if (!pointer) return size == 0;
    if (nf_usm_svm_find(context, pointer, &memory))
        return size <= memory.size - (size_t)((const char *)pointer - memory.base);
    const struct nf_usm_block *block = nf_usm_block_find(pointer);
    if (block) return size <= block->size - (size_t)((const char *)pointer - block->base);
    return size == 0 || has_system(context);
}

/* Returns true if cl_khr_unified_svm allows a migration of the list. */
static bool is_valid_migration(struct nf_usm_context *context, cl_uint count, const void **pointers,
                               const size_t *sizes, cl_mem_migration_flags flags)
{
    const cl_mem_migration_flags all = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    bool good = count && pointers && !(flags & ~all);
    for (cl_uint i = 0; good && i < count; i++)
        good = is_migratable(context, pointers[i], sizes ? sizes[i] : 0);
    return good;
}

/* Migration is a hint. This library does not pass it on for a list with blocks, and ignores the driver's refusal of a
 * list that the extension allows: Mesa 25.0 refuses sizes of 0, and memory of malloc() where that is SVM. */
cl_int CL_API_CALL nf_usm_enqueue_svm_migrate(cl_command_queue queue, cl_uint count, const void **pointers,
                                              const size_t *sizes, cl_mem_migration_flags flags, cl_uint wait_count,
                                              const cl_event *wait, cl_event *event)
{
    const struct nf_usm_transfer nothing = {.type = CL_COMMAND_SVM_MIGRATE_MEM};
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    bool is_library_command = false;
    for (cl_uint i = 0; pointers && i < count && !is_library_command; i++)
        is_library_command = queue_for(queue, pointers[i], NULL, pointers[i] ? 1 : 0);
    const cl_int error = is_library_command ? CL_INVALID_VALUE
                                            : NF_CL_CALL(clEnqueueSVMMigrateMem, CL_INVALID_OPERATION, queue, count,
                                                         pointers, sizes, flags, wait_count, wait, event);
    const bool may = known && error == CL_INVALID_VALUE && (is_library_command || known->context->type_count);
    if (may && is_valid_migration(known->context, count, pointers, sizes, flags))
        return nf_usm_enqueue_transfer(known, &nothing, wait_count, wait, event);
    return error;
}
