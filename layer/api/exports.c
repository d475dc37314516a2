/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exports.c - the entry points of the library that the loader calls: initialization, layer information,
 * deinitialization.
 */
#include "layer/api/api.h"

static bool has_copy_below(const cl_icd_dispatch *table)
{
    uint64_t answer = 0;
    if (!table->clGetProgramInfo) return false;
    cl_int error = table->clGetProgramInfo(NULL, NF_CL_PROBE_PARAM, sizeof answer, &answer, NULL);
    return error == CL_SUCCESS && answer == NF_CL_PROBE_ANSWER;
}

static const struct nf_cl_layer layer = {"Nonflat", &nf_cl_dispatch, has_copy_below};

/* Waits for threads of the layer that may be inside the driver, then frees caches. Static destructors may still call
 * OpenCL, so the dispatch table of the next layer stays valid. The records of devices stay valid as well while the
 * application holds a program. */
static void end(void)
{
    nf_cl_exit_wait();
    nf_cl_testers_end();
    nf_cl_cache_forget();
    if (nf_cl_registry_empty()) nf_cl_device_forget();
}

NF_CL_EXPORT(layer, end)
