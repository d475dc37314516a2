/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exports.c - what the loader calls of the library: it starts us, asks what we are, and ends us.
 */
#include "layer/api/api.h"

typedef intptr_t nf_cl_layer_properties; /* not in every version of the headers */

CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                          cl_uint *num_entries_ret,
                                                          const cl_icd_dispatch **layer_dispatch_ret,
                                                          const nf_cl_layer_properties *properties);
CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void);

#define EXPORT __attribute__((visibility("default")))

static bool stands_behind(const cl_icd_dispatch *table)
{
    uint64_t answer = 0;
    if (!table->clGetProgramInfo) return false;
    cl_int error = table->clGetProgramInfo(NULL, NF_CL_PROBE_PARAM, sizeof answer, &answer, NULL);
    return error == CL_SUCCESS && answer == NF_CL_PROBE_ANSWER;
}

static const struct nf_cl_layer layer = {"Nonflat", &nf_cl_dispatch, stands_behind};

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                                      void *param_value, size_t *param_value_size_ret)
{
    return nf_cl_chain_info(&layer, param_name, param_value_size, param_value, param_value_size_ret);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                   cl_uint *num_entries_ret, const cl_icd_dispatch **layer_dispatch_ret)
{
    return nf_cl_chain_start(&layer, num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                                 const cl_icd_dispatch *target_dispatch,
                                                                 cl_uint *num_entries_ret,
                                                                 const cl_icd_dispatch **layer_dispatch_ret,
                                                                 const nf_cl_layer_properties *properties)
{
    (void)properties; /* none is defined */
    return nf_cl_chain_start(&layer, num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

/* Calls may still come from static destructors, and pass through: the next table stays. So does what a program that the
 * application never released needs. */
EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void)
{
    nf_cl_bounded_wait(); /* before the worker, which gets what these build */
    nf_cl_worker_wait();
    nf_cl_cache_forget();
    if (nf_cl_registry_empty()) nf_cl_device_forget();
    return CL_SUCCESS;
}
