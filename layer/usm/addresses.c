/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - device allocations on devices without SVM, but with cl_ext_buffer_device_address: buffers that report
 * their device address. The file implements the members of struct nf_usm_svm for device allocations alone: an
 * allocation is a buffer, and a copy is a copy between buffers, a read, a write, or a write and a read of a temporary
 * buffer, depending on its pointers. The host cannot access these buffers, so such a device has no host and shared
 * allocations.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

enum {
    DEVICE_PRIVATE_ADDRESS = 0x5000, /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT: some versions of the headers lack it */
    DEVICE_ADDRESS = 0x5001,         /* CL_MEM_DEVICE_ADDRESS_EXT */
    DEVICE_POINTERS = 0x5002         /* CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT */
};

/* A buffer, registered under its device address. */
struct memory {
    struct nf_usm_record record;
    cl_mem buffer;
    char *base;
};

/* ---- allocation ---- */

/* Returns the device address of the buffer; NULL if the query fails, or the context's devices have different
 * addresses. */
static char *address_of(cl_mem buffer)
{
    cl_ulong addresses[64];
    size_t size = 0;
    if (NF_CL_CALL(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, buffer, DEVICE_ADDRESS, sizeof addresses, addresses,
                   &size) != CL_SUCCESS ||
        size < sizeof addresses[0])
        return NULL;
    for (size_t i = 1; i < size / sizeof addresses[0]; i++)
        if (addresses[i] != addresses[0]) return NULL;
    return (char *)(uintptr_t)addresses[0];
}

static void *CL_API_CALL take(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    const cl_mem_properties properties[] = {DEVICE_PRIVATE_ADDRESS, CL_TRUE, 0};
    cl_int error;
    (void)flags;
    (void)alignment;
    struct memory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    if (nf_cl_next()->clCreateBufferWithProperties)
        memory->buffer =
            nf_cl_next()->clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, size, NULL, &error);
    memory->base = memory->buffer ? address_of(memory->buffer) : NULL;
    memory->record.handle = memory->base;
    if (memory->base) {
        free(nf_usm_register(NF_USM_ADDRESS, &memory->record));
        return memory->base;
    }
    if (memory->buffer) NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, memory->buffer);
    free(memory);
    return NULL;
}

static void CL_API_CALL release_address(cl_context context, void *pointer)
{
    struct memory *memory = (struct memory *)nf_usm_release(NF_USM_ADDRESS, pointer);
    (void)context;
    if (memory) NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, memory->buffer);
    free(memory);
}

/* ---- copies and fills ---- */

/* The buffer and the offset of a pointer; buffer NULL: host memory. */
struct place {
    cl_mem buffer;
    size_t offset;
};

/* Returns the place of a pointer into an allocation of the application, or to one of the two bytes of the context's
 * scratch buffer, which is not a block; a NULL buffer for any other pointer. */
static struct place find(const void *pointer)
{
    const struct nf_usm_block *block = nf_usm_block_find(pointer);
    const char *base = block ? (const char *)block->memory : pointer;
    struct memory *memory = (struct memory *)nf_usm_find(NF_USM_ADDRESS, base);
    if (!memory && !block) memory = (struct memory *)nf_usm_find(NF_USM_ADDRESS, base - 1);
    if (!memory) return (struct place){NULL, 0};
    return (struct place){memory->buffer, (size_t)((const char *)pointer - memory->base)};
}

/* Copies host memory to host memory, through a buffer that the driver frees after both commands. */
static cl_int copy_of_host(cl_command_queue queue, void *target, const void *source, size_t size, cl_uint wait_count,
                           const cl_event *wait, cl_event *event)
{
    cl_context context = NULL;
    cl_event written = NULL;
    cl_int error = NF_CL_CALL(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, queue, CL_QUEUE_CONTEXT, sizeof context,
                              &context, NULL);
    cl_mem between = NULL;
    if (error == CL_SUCCESS && nf_cl_next()->clCreateBuffer)
        between = nf_cl_next()->clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
    if (!between) return error != CL_SUCCESS ? error : CL_OUT_OF_RESOURCES;
    error = NF_CL_CALL(clEnqueueWriteBuffer, CL_INVALID_OPERATION, queue, between, CL_FALSE, 0, size, source,
                       wait_count, wait, &written);
    if (error == CL_SUCCESS)
        error = NF_CL_CALL(clEnqueueReadBuffer, CL_INVALID_OPERATION, queue, between, CL_FALSE, 0, size, target, 1,
                           &written, event);
    if (written) NF_CL_CALL(clReleaseEvent, CL_INVALID_EVENT, written);
    NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, between);
    return error;
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source, size_t size,
                               cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct place to = find(target), from = find(source);
    if (to.buffer && from.buffer)
        return NF_CL_CALL(clEnqueueCopyBuffer, CL_INVALID_OPERATION, queue, from.buffer, to.buffer, from.offset,
                          to.offset, size, wait_count, wait, event);
    if (to.buffer)
        return NF_CL_CALL(clEnqueueWriteBuffer, CL_INVALID_OPERATION, queue, to.buffer, blocking, to.offset, size,
                          source, wait_count, wait, event);
    if (from.buffer)
        return NF_CL_CALL(clEnqueueReadBuffer, CL_INVALID_OPERATION, queue, from.buffer, blocking, from.offset, size,
                          target, wait_count, wait, event);
    return copy_of_host(queue, target, source, size, wait_count, wait, event);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, void *target, const void *pattern, size_t pattern_size,
                               size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct place to = find(target);
    if (!to.buffer) return CL_INVALID_VALUE;
    return NF_CL_CALL(clEnqueueFillBuffer, CL_INVALID_OPERATION, queue, to.buffer, pattern, pattern_size, to.offset,
                      size, wait_count, wait, event);
}

/* ---- kernels ---- */

typedef cl_int(CL_API_CALL *set_address_fn)(cl_kernel, cl_uint, cl_ulong);

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, const void *value)
{
    set_address_fn call = (set_address_fn)nf_usm_native_of_kernel(kernel, "clSetKernelArgDevicePointerEXT");
    return call ? call(kernel, index, (cl_ulong)(uintptr_t)value) : CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL set_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, kernel, name, size, value);
}

const struct nf_usm_svm nf_usm_address_calls = {.alloc = take,
                                                .free = release_address,
                                                .copy = copy,
                                                .fill = fill,
                                                .set_argument = set_argument,
                                                .set_info = set_info,
                                                .pointers_info = DEVICE_POINTERS};
