/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exports.c - the entry points of the library that the loader calls: initialization, layer information,
 * deinitialization.
 */
#include "layer/usm/usm.h"

static bool has_copy_below(const cl_icd_dispatch *table)
{
    uint64_t answer = 0;
    if (!table->clGetEventInfo) return false;
    cl_int error = table->clGetEventInfo(NULL, NF_USM_PROBE_PARAM, sizeof answer, &answer, NULL);
    return error == CL_SUCCESS && answer == NF_USM_PROBE_ANSWER;
}

static const struct nf_cl_layer layer = {"Nonflat USM", &nf_usm_dispatch, has_copy_below};

/* Frees nothing: static destructors may still call OpenCL afterwards, and the memory is small. */
static void end(void)
{
}

NF_CL_EXPORT(layer, end)
