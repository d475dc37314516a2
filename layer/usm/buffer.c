/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.c - buffers and images that alias coarse-grained shared memory, because they were created over it with
 * CL_MEM_USE_HOST_PTR. Takes the calls that create, retain and release them; gives the memory that they alias. A kernel
 * with such an object as an argument may access the memory.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>

struct buffer {
    struct nf_usm_record record;
    char *pointer;
};

char *nf_usm_buffer_memory(cl_mem handle)
{
    struct buffer *buffer = (struct buffer *)nf_usm_find(NF_USM_BUFFER, handle);
    return buffer ? buffer->pointer : NULL;
}

bool nf_usm_buffer_has(cl_mem handle, size_t offset, size_t size, cl_mem_flags closed)
{
    size_t whole = 0;
    cl_mem_flags flags = 0;
    NF_CL_CALL(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, handle, CL_MEM_SIZE, sizeof whole, &whole, NULL);
    NF_CL_CALL(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, handle, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    return offset <= whole && size <= whole - offset && !(flags & closed);
}

bool nf_usm_is_coarse(const void *pointer)
{
    const struct nf_usm_block *block = nf_usm_block_find(pointer);
    return block && !block->context->fine;
}

/* Registers a buffer that aliases `pointer`; NULL: it aliases no memory of this library. Returns the buffer. If host
 * memory is exhausted, releases it and returns NULL: commands with an unregistered buffer could access memory that is
 * mapped to the host. */
static cl_mem enter(cl_mem handle, char *pointer, cl_int *error)
{
    struct buffer *buffer = handle && pointer ? calloc(1, sizeof *buffer) : NULL;
    if (!handle || !pointer) return handle;
    if (!buffer) {
        NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, handle);
        if (error) *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    buffer->record.handle = handle;
    buffer->pointer = pointer;
    free(nf_usm_register(NF_USM_BUFFER, &buffer->record));
    return handle;
}

static cl_mem no_buffer(cl_int *error)
{
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

static char *named(cl_mem_flags flags, void *pointer)
{
    return (flags & CL_MEM_USE_HOST_PTR) && nf_usm_is_coarse(pointer) ? pointer : NULL;
}

cl_mem CL_API_CALL nf_usm_create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *pointer,
                                        cl_int *error)
{
    if (!nf_cl_next()->clCreateBuffer) return no_buffer(error);
    cl_mem buffer = nf_cl_next()->clCreateBuffer(context, flags, size, pointer, error);
    return enter(buffer, named(flags, pointer), error);
}

cl_mem CL_API_CALL nf_usm_create_buffer_with_properties(cl_context context, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, size_t size, void *pointer, cl_int *error)
{
    if (!nf_cl_next()->clCreateBufferWithProperties) return no_buffer(error);
    cl_mem buffer = nf_cl_next()->clCreateBufferWithProperties(context, properties, flags, size, pointer, error);
    return enter(buffer, named(flags, pointer), error);
}

cl_mem CL_API_CALL nf_usm_create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error)
{
    if (!nf_cl_next()->clCreateSubBuffer) return no_buffer(error);
    cl_mem buffer = nf_cl_next()->clCreateSubBuffer(whole, flags, type, region, error);
    char *memory = buffer && type == CL_BUFFER_CREATE_TYPE_REGION ? nf_usm_buffer_memory(whole) : NULL;
    return memory ? enter(buffer, memory + ((const cl_buffer_region *)region)->origin, error) : buffer;
}

/* ---- images: over memory, or over a buffer that aliases memory --------------------------------------------------- */

static char *below(cl_mem_flags flags, const cl_image_desc *desc, void *pointer)
{
    return desc && desc->mem_object ? nf_usm_buffer_memory(desc->mem_object) : named(flags, pointer);
}

cl_mem CL_API_CALL nf_usm_create_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *desc, void *pointer, cl_int *error)
{
    if (!nf_cl_next()->clCreateImage) return no_buffer(error);
    cl_mem image = nf_cl_next()->clCreateImage(context, flags, format, desc, pointer, error);
    return enter(image, below(flags, desc, pointer), error);
}

cl_mem CL_API_CALL nf_usm_create_image_with_properties(cl_context context, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, const cl_image_format *format,
                                                       const cl_image_desc *desc, void *pointer, cl_int *error)
{
    if (!nf_cl_next()->clCreateImageWithProperties) return no_buffer(error);
    cl_mem image = nf_cl_next()->clCreateImageWithProperties(context, properties, flags, format, desc, pointer, error);
    return enter(image, below(flags, desc, pointer), error);
}

cl_int CL_API_CALL nf_usm_retain_buffer(cl_mem buffer)
{
    nf_usm_retain(NF_USM_BUFFER, buffer);
    return NF_CL_CALL(clRetainMemObject, CL_INVALID_MEM_OBJECT, buffer);
}

cl_int CL_API_CALL nf_usm_release_buffer(cl_mem buffer)
{
    free(nf_usm_release(NF_USM_BUFFER, buffer));
    return NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, buffer);
}
