/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context_calls.c - the calls that create, retain and release contexts.
 */
#include "layer/usm/usm.h"

#include <limits.h>
#include <stdlib.h>

cl_context CL_API_CALL nf_usm_create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *error)
{
    if (!nf_cl_next()->clCreateContext) return NULL;
    return nf_usm_context_register(nf_cl_next()->clCreateContext(properties, count, devices, notify, user, error));
}

cl_context CL_API_CALL nf_usm_create_context_from_type(const cl_context_properties *properties, cl_device_type type,
                                                       void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                                 void *),
                                                       void *user, cl_int *error)
{
    if (!nf_cl_next()->clCreateContextFromType) return NULL;
    return nf_usm_context_register(nf_cl_next()->clCreateContextFromType(properties, type, notify, user, error));
}

cl_int CL_API_CALL nf_usm_retain_context(cl_context context)
{
    nf_usm_retain(NF_USM_CONTEXT, context);
    return NF_CL_CALL(clRetainContext, CL_INVALID_CONTEXT, context);
}

/* Drops the list of commands in flight, with its references to events: no later allocation or free can need it. */
static void forget_uses(struct nf_usm_context *context)
{
    struct nf_usm_in_flight *uses = calloc(1, sizeof *uses);
    if (!uses) return;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    *uses = context->uses;
    context->uses = (struct nf_usm_in_flight){0};
    nf_cl_lock_release(nf_usm_lock_of(context));
    nf_usm_in_flight_free(uses);
}

/* Never frees the scratch bytes if a command may still access them at this point, as with retired blocks. */
static void keep_scratch_in_use(struct nf_usm_context *context)
{
    char *scratch = atomic_load(&context->scratch);
    if (scratch && nf_usm_in_flight_lists(context, scratch)) atomic_store(&context->scratch, NULL);
}

/* Releases the memory that is retained for reuse before the driver's release: drivers keep a context alive while it has
 * SVM. */
cl_int CL_API_CALL nf_usm_release_context(cl_context handle)
{
    struct nf_usm_context *context = (struct nf_usm_context *)nf_usm_release(NF_USM_CONTEXT, handle);
    if (context) {
        nf_usm_release_retired(context, UINT_MAX);
        keep_scratch_in_use(context);
        forget_uses(context);
        nf_usm_memory_free_unused(context);
        nf_usm_context_put(context);
    }
    return NF_CL_CALL(clReleaseContext, CL_INVALID_CONTEXT, handle);
}
