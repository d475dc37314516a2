/* SPDX-License-Identifier: Apache-2.0 */
/*
 * half.c - a test layer that removes SVM from PoCL's device "basic" only, so that one context has devices that can
 * share memory and others that cannot. HALF_DEVICE in the environment names another device, which keeps coarse-grained
 * SVM.
 */
#include "test_layer.h"

#include <stdlib.h>
#include <string.h>

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const char *const other = getenv("HALF_DEVICE"), *const which = other ? other : "basic";
    const cl_device_svm_capabilities left = other ? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER : 0;
    char text[256] = "";
    if (name == CL_DEVICE_SVM_CAPABILITIES &&
        next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, NULL) == CL_SUCCESS &&
        strncmp(text, which, strlen(which)) == 0)
        return give(&left, sizeof left, size, value, size_ret);
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

const char test_layer_name[] = "half";

const cl_icd_dispatch test_layer_calls = {.clGetDeviceInfo = get_device_info};
