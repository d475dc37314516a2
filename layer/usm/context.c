/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context.c - records of the contexts that have a served device. In: a handle; out: a record of the SVM properties that
 * all served devices of the context have in common.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

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
        bool flat = device->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
        bool same = device->is_cpu && (device->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
        context->needs_listing = context->needs_listing || !(flat || same);
    }
    context->fine = common & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    if (lacking) { /* some device lacks SVM: use what all have */
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
    return served;
}

static void destroy(struct nf_usm_context *context)
{
    if (!context) return;
    for (size_t i = 0; context->own_queues && i < context->device_count; i++)
        if (context->own_queues[i] && context->epoch == nf_cl_epoch())
            NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, context->own_queues[i]);
    free(context->own_queues);
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
