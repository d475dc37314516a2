/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.c - records of the contexts that have a served device. Takes a handle; gives a record of the SVM properties
 * that all served devices of the context have in common.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

/* Takes the driver's own types of memory if every served device has them. The devices may have different types for
 * device and shared memory; their type for host memory must be the same. */
static void describe_typed(struct nf_usm_context *context)
{
    const int host = NF_USM_TYPE_NUMBER(CL_MEM_TYPE_HOST_INTEL);
    const struct nf_usm_device *first = NULL;
    bool typed = true, indirect = true;
    for (cl_uint i = 0; i < context->device_count && typed; i++) {
        const struct nf_usm_device *device = nf_usm_device_find(context->devices[i]);
        if (!device || !device->served) continue;
        if (!first) first = device;
        typed = device->is_typed && device->native[host].index == first->native[host].index;
        for (int type = 1; type < NF_USM_INTEL_TYPES; type++)
            indirect = indirect && (device->native[type].capabilities & CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR);
    }
    context->calls.alloc_of_type = typed && first ? first->calls.alloc_of_type : NULL;
    if (!context->calls.alloc_of_type) return;
    context->calls = first->calls;
    context->has_svm = context->fine = true;
    context->needs_listing = !indirect;
}

/* Computes the common properties of the served devices. Returns false if no device is served. */
static bool describe(struct nf_usm_context *context)
{
    cl_device_svm_capabilities common = ~(cl_device_svm_capabilities)0;
    bool served = false, lacking = false;
    context->largest = ~(cl_ulong)0;
    for (cl_uint i = 0; i < context->device_count; i++) {
        const struct nf_usm_device *device = nf_usm_device_find(context->devices[i]);
        if (!device || !device->served) continue;
        served = true;
        common &= device->svm;
        context->calls = device->has_svm ? device->calls : nf_usm_address_calls;
        context->has_svm = context->has_svm || device->has_svm;
        lacking = lacking || !device->has_svm;
        context->largest = device->largest < context->largest ? device->largest : context->largest;
        context->needs_listing = context->needs_listing || !nf_usm_device_accesses_all(device);
    }
    context->fine = common & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    if (lacking) { /* a device lacks SVM: only the features that all devices have are used */
        context->calls = nf_usm_address_calls;
        context->has_svm = false;
        context->fine = true; /* the host cannot access device allocations, so none is ever mapped */
        context->needs_listing = true;
    }
    context->flags = CL_MEM_READ_WRITE;
    if (common & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) {
        context->flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
        if (common & CL_DEVICE_SVM_ATOMICS) context->flags |= CL_MEM_SVM_ATOMICS;
    }
    describe_typed(context);
    context->is_core = context->calls.pointers_info == CL_KERNEL_EXEC_INFO_SVM_PTRS;
    return served;
}

/* Lists the types of cl_khr_unified_svm, with the capabilities that each has on all served devices of the context. */
static void describe_types(struct nf_usm_context *context)
{
    cl_platform_id platform = NULL;
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, context->devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform,
               NULL);
    if (!platform || !(nf_usm_platform_offers(platform) & NF_USM_OFFERS_KHR)) return;
    context->type_count = nf_usm_platform_types(platform, context->types, context->capabilities);
    memset(context->capabilities, ~0, sizeof context->capabilities);
    for (cl_uint i = 0; i < context->device_count; i++) {
        const struct nf_usm_device *device = nf_usm_device_find(context->devices[i]);
        for (cl_uint k = 0; device && device->served && k < context->type_count; k++)
            context->capabilities[k] &= nf_usm_type_capabilities(device, context->types[k]);
    }
}

static void destroy(struct nf_usm_context *context)
{
    if (!context) return;
    for (size_t i = 0; context->own_queues && i < context->device_count; i++)
        if (context->own_queues[i] && context->epoch == nf_cl_epoch())
            NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, context->own_queues[i]);
    free(context->own_queues);
    nf_usm_svm_forget_all(context);
    free(context->devices);
    free(context);
}

cl_context nf_usm_context_register(cl_context handle)
{
    struct nf_usm_context *context = handle ? calloc(1, sizeof *context) : NULL;
    struct nf_usm_record *stale = NULL;
    if (!context) return handle;
    context->record.handle = handle;
    context->epoch = nf_cl_epoch();
    atomic_init(&context->users, 1);
    context->devices = nf_cl_context_devices(handle, &context->device_count);
    if (context->devices && describe(context)) {
        describe_types(context);
        stale = nf_usm_register(NF_USM_CONTEXT, &context->record);
    } else {
        destroy(context);
        stale = nf_usm_drop(NF_USM_CONTEXT, handle);
    }
    if (stale) nf_usm_context_put((struct nf_usm_context *)stale);
    return handle;
}

struct nf_usm_context *nf_usm_context_find(cl_context context)
{
    return (struct nf_usm_context *)nf_usm_find(NF_USM_CONTEXT, context);
}

static bool lists(const struct nf_usm_context *context, cl_device_id device)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i] == device) return true;
    return false;
}

/* Returns true if the device or one of its ancestors belongs to the context. PoCL reports the root device for a context
 * of sub-devices, so sub-devices of a listed device count as well. */
bool nf_usm_context_has(const struct nf_usm_context *context, cl_device_id device)
{
    while (device && !lists(context, device))
        device = nf_usm_device_parent(device);
    return device != NULL;
}

void nf_usm_context_put(struct nf_usm_context *context)
{
    if (atomic_fetch_sub(&context->users, 1) == 1) destroy(context);
}
