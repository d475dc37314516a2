/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svm.c - a test layer that removes shared memory from devices that have it, and leaves them their SVM: newer PoCL is
 * then a device for the layer under test, with commands for SVM in command buffers, which PoCL 3.1 lacks.
 */
#include "test_layer.h"

#include <string.h>

static const char extension[] = "cl_intel_unified_shared_memory";

/* Overwrites the name wherever it occurs: in a text, or in a list of names with their versions. */
static void blot(char *answer, size_t size)
{
    const size_t length = sizeof extension - 1;
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(answer + at, extension, length) == 0) memset(answer + at, 'x', length);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    cl_int error = next.clGetDeviceInfo(device, name, size, value, size_ret);
    if (name >= CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL && name <= CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL)
        return CL_INVALID_VALUE;
    if (error == CL_SUCCESS && value && (name == CL_DEVICE_EXTENSIONS || name == CL_DEVICE_EXTENSIONS_WITH_VERSION))
        blot(value, size);
    return error;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    cl_int error = next.clGetPlatformInfo(platform, name, size, value, size_ret);
    if (error == CL_SUCCESS && value && (name == CL_PLATFORM_EXTENSIONS || name == CL_PLATFORM_EXTENSIONS_WITH_VERSION))
        blot(value, size);
    return error;
}

static void *CL_API_CALL get_extension(cl_platform_id platform, const char *name)
{
    if (is_of_intel(name)) return NULL;
    return next.clGetExtensionFunctionAddressForPlatform(platform, name);
}

const char test_layer_name[] = "svm";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetPlatformInfo = get_platform_info,
    .clGetExtensionFunctionAddressForPlatform = get_extension,
};
