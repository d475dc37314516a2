/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver.c - looks up extension functions, and queries contexts, programs and the drivers of devices. Two platforms may
 * have different functions of one name, so each is looked up for the platform of the device, and
 * nf_cl_driver_extension() looks it up without a platform only if that platform has none.
 */
#include "layer/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ISO C has no cast between object and function pointers; POSIX guarantees that they have the same size. */
nf_cl_function nf_cl_to_function(void *address)
{
    nf_cl_function function;
    memcpy(&function, &address, sizeof function);
    return function;
}

nf_cl_function nf_cl_platform_extension(cl_device_id device, const char *name)
{
    cl_platform_id platform = NULL;
    if (device)
        NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    if (!platform) return NULL;
    return nf_cl_to_function(NF_CL_CALL(clGetExtensionFunctionAddressForPlatform, NULL, platform, name));
}

nf_cl_function nf_cl_driver_extension(cl_device_id device, const char *name)
{
    nf_cl_function found = nf_cl_platform_extension(device, name);
    return found ? found : nf_cl_to_function(NF_CL_CALL(clGetExtensionFunctionAddress, NULL, name));
}

bool nf_cl_query_builder(cl_device_id device, char builder[NF_CL_BUILDER])
{
    char platform_name[256] = "", version[1024] = "", name[256] = "";
    cl_platform_id platform = NULL;
    size_t size = 0;
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, platform, CL_PLATFORM_NAME, sizeof platform_name - 1,
               platform_name, NULL);
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    cl_int server =
        NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, NF_CL_DEVICE_REMOTE_SERVER_IP, 0, NULL, &size);
    snprintf(builder, NF_CL_BUILDER, "%s", nf_cl_builder(platform_name, version, name));
    return nf_cl_is_elsewhere(platform_name, version, server);
}

cl_device_id *nf_cl_context_devices(cl_context context, cl_uint *count)
{
    size_t size = 0;
    *count = 0;
    if (NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, 0, NULL, &size) != CL_SUCCESS ||
        size < sizeof(cl_device_id))
        return NULL;
    cl_device_id *devices = malloc(size);
    *count = (cl_uint)(size / sizeof(cl_device_id));
    if (devices && NF_CL_CALL(clGetContextInfo, CL_INVALID_CONTEXT, context, CL_CONTEXT_DEVICES, size, devices, NULL) !=
                       CL_SUCCESS) {
        free(devices);
        *count = 0;
        return NULL;
    }
    return devices;
}

char *nf_cl_driver_log(cl_program program, cl_device_id device)
{
    size_t size = 0;
    if (!program || NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program, device, CL_PROGRAM_BUILD_LOG, 0,
                               NULL, &size) != CL_SUCCESS)
        return NULL;
    char *log = calloc(1, size + 1);
    if (log)
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return log;
}
