/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unified.c - the four functions of cl_khr_unified_svm. Takes the application's calls; gives blocks (allocate.c) or the
 * driver's own SVM (svm.c), by the type of memory (types.c). A context for which the library does not provide the
 * extension gets the driver's functions.
 */
#include "layer/usm/internal.h"

#include <stdlib.h>

enum { ALIGNMENT_MAX = 128 }; /* the size of the largest data type, a vector of 16 long */

/* Returns the context if the library provides the extension for it, else NULL. */
static struct nf_usm_context *find(cl_context handle)
{
    struct nf_usm_context *context = nf_usm_context_find(handle);
    return context && context->type_count ? context : NULL;
}

static void *refuse(cl_int *target, cl_int error)
{
    if (target) *target = error;
    return NULL;
}

/* ---- properties ---- */

static bool is_named(const struct nf_usm_request *request, cl_svm_alloc_properties_khr name)
{
    for (unsigned i = 0; i < request->count; i++)
        if (request->names[i] == name) return true;
    return false;
}

/* Stores the value of a property. Returns false if the name or the value is not valid. */
static bool read_property(const struct nf_usm_context *context, const cl_svm_alloc_properties_khr *property,
                          struct nf_usm_request *request)
{
    const cl_svm_alloc_access_flags_khr all =
        CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
        CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
    switch (property[0]) {
    case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR:
        request->device = (cl_device_id)(uintptr_t)property[1];
        return !request->device || nf_usm_context_has(context, request->device);
    case CL_SVM_ALLOC_ACCESS_FLAGS_KHR: request->access = property[1]; return !(property[1] & ~all);
    case CL_SVM_ALLOC_ALIGNMENT_KHR:
        request->asked_alignment = property[1];
        return property[1] <= ALIGNMENT_MAX && !(property[1] & (property[1] - 1));
    default: return false;
    }
}

static cl_int read_properties(const struct nf_usm_context *context, const cl_svm_alloc_properties_khr *properties,
                              struct nf_usm_request *request)
{
    *request = (struct nf_usm_request){.has_properties = properties != NULL};
    for (; properties && properties[0]; properties += 2) {
        if (is_named(request, properties[0]) || !read_property(context, properties, request))
            return CL_INVALID_PROPERTY;
        request->names[request->count++] = (cl_ushort)properties[0];
    }
    request->alignment = request->asked_alignment ? request->asked_alignment : ALIGNMENT_MAX;
    return CL_SUCCESS;
}

static cl_int answer_properties(const struct nf_usm_request *request, size_t size, void *value, size_t *size_ret)
{
    cl_svm_alloc_properties_khr list[2 * 3 + 1];
    size_t count = 0;
    for (unsigned i = 0; i < request->count; i++) {
        list[count++] = request->names[i];
        switch (request->names[i]) {
        case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR:
            list[count++] = (cl_svm_alloc_properties_khr)(uintptr_t)request->device;
            break;
        case CL_SVM_ALLOC_ACCESS_FLAGS_KHR: list[count++] = request->access; break;
        default: list[count++] = request->asked_alignment; break;
        }
    }
    list[count++] = 0;
    return nf_cl_answer(list, request->has_properties ? count * sizeof list[0] : 0, size, value, size_ret);
}

/* ---- allocation and free ---- */

/* Returns the capabilities of the type with that index on a device, or on all devices of the context if it is NULL.
 * Returns 0 if that device, or a served device of the context, lacks the type. */
static cl_svm_capabilities_khr capabilities_of(const struct nf_usm_context *context, cl_uint index, cl_device_id device)
{
    const struct nf_usm_device *known = device ? nf_usm_device_find(device) : NULL;
    if (!device || !context->capabilities[index]) return context->capabilities[index];
    return known ? nf_usm_type_capabilities(known, context->types[index]) : 0;
}

static cl_int check_allocation(const struct nf_usm_context *context, cl_uint index,
                               const cl_svm_alloc_properties_khr *properties, struct nf_usm_request *request)
{
    cl_int error = read_properties(context, properties, request);
    if (error != CL_SUCCESS) return error;
    if (index >= context->type_count) return CL_INVALID_VALUE;
    cl_svm_capabilities_khr here = capabilities_of(context, index, request->device);
    if (!here) return CL_INVALID_OPERATION;
    if (!request->device && !(here & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR)) return CL_INVALID_PROPERTY;
    return CL_SUCCESS;
}

void *CL_API_CALL nf_usm_unified_alloc(cl_context handle, const cl_svm_alloc_properties_khr *properties, cl_uint index,
                                       size_t size, cl_int *error)
{
    struct nf_usm_context *context = find(handle);
    struct nf_usm_request request;
    if (!context) {
        clSVMAllocWithPropertiesKHR_fn call =
            (clSVMAllocWithPropertiesKHR_fn)nf_usm_native_of_context(handle, "clSVMAllocWithPropertiesKHR");
        return call ? call(handle, properties, index, size, error) : refuse(error, CL_INVALID_CONTEXT);
    }
    cl_int wrong = check_allocation(context, index, properties, &request);
    if (wrong != CL_SUCCESS || size == 0) return refuse(error, wrong);
    const enum nf_usm_type type = context->types[index];
    const cl_unified_shared_memory_type_intel intel = nf_usm_type_to_intel(type);
    if (intel) {
        struct nf_usm_block *block = nf_usm_allocate(context, intel, &request, 0, size, error);
        return block ? block->base : NULL;
    }
    void *memory = nf_usm_svm_allocate(context, type, &request,
                                       type == NF_USM_TYPE_COARSE_BUFFER ? CL_MEM_READ_WRITE : context->flags, size);
    if (error) *error = memory ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    return memory;
}

cl_int CL_API_CALL nf_usm_unified_free(cl_context handle, const cl_svm_free_properties_khr *properties,
                                       cl_svm_free_flags_khr flags, void *pointer)
{
    struct nf_usm_context *context = find(handle);
    if (!context) {
        clSVMFreeWithPropertiesKHR_fn call =
            (clSVMFreeWithPropertiesKHR_fn)nf_usm_native_of_context(handle, "clSVMFreeWithPropertiesKHR");
        return call ? call(handle, properties, flags, pointer) : CL_INVALID_CONTEXT;
    }
    if (properties && properties[0]) return CL_INVALID_PROPERTY; /* no properties are defined */
    if (flags) return CL_INVALID_VALUE;
    return !pointer || nf_usm_svm_release(context, pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
}

/* ---- queries ---- */

/* Sets `*found` to the allocation that contains the pointer. Returns false if there is none. */
static bool find_allocation(struct nf_usm_context *context, const void *pointer, struct nf_usm_svm_memory *found)
{
    if (nf_usm_svm_find(context, pointer, found)) return true;
    const struct nf_usm_block *block = nf_usm_block_find(pointer);
    if (!block || block->context != context) return false;
    *found = (struct nf_usm_svm_memory){block->base, block->size, nf_usm_type_of_intel(block->type), block->request};
    return true;
}

/* Returns the index of a type in the context, CL_UINT_MAX if the context does not list it. */
static cl_uint index_of(const struct nf_usm_context *context, enum nf_usm_type type)
{
    for (cl_uint i = 0; i < context->type_count; i++)
        if (context->types[i] == type) return i;
    return CL_UINT_MAX;
}

cl_int CL_API_CALL nf_usm_unified_pointer_info(cl_context handle, cl_device_id device, const void *pointer,
                                               cl_svm_pointer_info_khr name, size_t size, void *value, size_t *size_ret)
{
    struct nf_usm_context *context = find(handle);
    struct nf_usm_svm_memory found = {.type = NF_USM_TYPES};
    if (!context) {
        clGetSVMPointerInfoKHR_fn call =
            (clGetSVMPointerInfoKHR_fn)nf_usm_native_of_context(handle, "clGetSVMPointerInfoKHR");
        return call ? call(handle, device, pointer, name, size, value, size_ret) : CL_INVALID_CONTEXT;
    }
    if (device && !nf_usm_context_has(context, device)) return CL_INVALID_DEVICE;
    find_allocation(context, pointer, &found);
    const struct nf_usm_request *request = &found.request;
    const cl_uint index = index_of(context, found.type);
    cl_svm_capabilities_khr here = 0;
    if (index != CL_UINT_MAX) here = capabilities_of(context, index, device ? device : request->device);
    switch (name) {
    case CL_SVM_INFO_TYPE_INDEX_KHR: return nf_cl_answer(&index, sizeof index, size, value, size_ret);
    case CL_SVM_INFO_CAPABILITIES_KHR: return nf_cl_answer(&here, sizeof here, size, value, size_ret);
    case CL_SVM_INFO_PROPERTIES_KHR: return answer_properties(request, size, value, size_ret);
    case CL_SVM_INFO_ACCESS_FLAGS_KHR:
        return nf_cl_answer(&request->access, sizeof request->access, size, value, size_ret);
    case CL_SVM_INFO_BASE_PTR_KHR: return nf_cl_answer(&found.base, sizeof found.base, size, value, size_ret);
    case CL_SVM_INFO_SIZE_KHR: return nf_cl_answer(&found.size, sizeof found.size, size, value, size_ret);
    case CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR:
        return nf_cl_answer(&request->device, sizeof request->device, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL nf_usm_unified_suggest(cl_context handle, cl_svm_capabilities_khr required,
                                          cl_svm_capabilities_khr desired,
                                          const cl_svm_alloc_properties_khr *properties, size_t size, cl_uint *index)
{
    struct nf_usm_context *context = find(handle);
    struct nf_usm_request request;
    cl_svm_capabilities_khr list[NF_USM_TYPES] = {0};
    if (!context) {
        clGetSVMSuggestedTypeIndexKHR_fn call =
            (clGetSVMSuggestedTypeIndexKHR_fn)nf_usm_native_of_context(handle, "clGetSVMSuggestedTypeIndexKHR");
        return call ? call(handle, required, desired, properties, size, index) : CL_INVALID_CONTEXT;
    }
    cl_int error = read_properties(context, properties, &request);
    if (error != CL_SUCCESS) return error;
    if (!index) return CL_INVALID_VALUE;
    for (cl_uint i = 0; size <= context->largest && i < context->type_count; i++)
        list[i] = capabilities_of(context, i, request.device);
    *index = nf_usm_best_type(list, context->type_count, required, desired);
    return CL_SUCCESS;
}
