/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.c - chooses a type of memory by its capabilities: for clGetSVMSuggestedTypeIndexKHR, and among the types of a
 * driver that has cl_khr_unified_svm itself.
 */
#include "layer/usm/usm.h"

static int count_of(cl_svm_capabilities_khr capabilities)
{
    return __builtin_popcountll(capabilities);
}

cl_uint nf_usm_best_type(const cl_svm_capabilities_khr *capabilities, cl_uint count, cl_svm_capabilities_khr required,
                         cl_svm_capabilities_khr desired)
{
    cl_uint best = CL_UINT_MAX;
    int most = 0, least = 0;
    for (cl_uint i = 0; i < count; i++) {
        const int good = count_of(capabilities[i] & desired);
        const int other = count_of(capabilities[i] & ~(required | desired));
        if (!capabilities[i] || (capabilities[i] & required) != required) continue;
        if (best != CL_UINT_MAX && (good < most || (good == most && other >= least))) continue;
        best = i;
        most = good;
        least = other;
    }
    return best;
}
