/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare.c - a test layer that takes SVM and shared memory away from a device, and leaves what else it has: buffers that
 * tell their address, where the driver has such.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static cl_icd_dispatch next;

static cl_int give(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret)
{
    if (value && size < data_size) return CL_INVALID_VALUE;
    if (value) memcpy(value, data, data_size);
    if (size_ret) *size_ret = data_size;
    return CL_SUCCESS;
}

/* Blot the name out where it stands. */
static void blot(char *text)
{
    static const char name[] = "cl_intel_unified_shared_memory";
    for (char *at = text; (at = strstr(at, name)) != NULL; at += sizeof(name) - 1)
        memset(at, 'x', sizeof(name) - 1);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const cl_device_svm_capabilities none = 0;
    if (name == CL_DEVICE_SVM_CAPABILITIES) return give(&none, sizeof(none), size, value, size_ret);
    cl_int error = next.clGetDeviceInfo(device, name, size, value, size_ret);
    if (error == CL_SUCCESS && value && name == CL_DEVICE_EXTENSIONS) blot(value);
    return error;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    cl_int error = next.clGetPlatformInfo(platform, name, size, value, size_ret);
    if (error == CL_SUCCESS && value && name == CL_PLATFORM_EXTENSIONS) blot(value);
    return error;
}

static const cl_icd_dispatch table = {.clGetDeviceInfo = get_device_info, .clGetPlatformInfo = get_platform_info};

CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                          cl_uint *num_entries_ret,
                                                          const cl_icd_dispatch **layer_dispatch_ret,
                                                          const intptr_t *properties);
CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void);

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                                      void *param_value, size_t *param_value_size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (param_name == CL_LAYER_API_VERSION)
        return give(&version, sizeof(version), param_value_size, param_value, param_value_size_ret);
    return param_name == CL_LAYER_NAME
               ? give("bare", sizeof("bare"), param_value_size, param_value, param_value_size_ret)
               : CL_INVALID_VALUE;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                   cl_uint *num_entries_ret, const cl_icd_dispatch **layer_dispatch_ret)
{
    size_t size = num_entries * sizeof(void *);
    if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret) return CL_INVALID_VALUE;
    memcpy(&next, target_dispatch, size < sizeof(next) ? size : sizeof(next));
    *num_entries_ret = sizeof(table) / sizeof(void *);
    *layer_dispatch_ret = &table;
    return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                                 const cl_icd_dispatch *target_dispatch,
                                                                 cl_uint *num_entries_ret,
                                                                 const cl_icd_dispatch **layer_dispatch_ret,
                                                                 const intptr_t *properties)
{
    (void)properties;
    return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void)
{
    return CL_SUCCESS;
}
