/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_first.h - opens the first device of the first platform, and a context for it. @return the error of the first
 * call that fails.
 */
#ifndef OPEN_FIRST_H
#define OPEN_FIRST_H

#include <CL/cl.h>

static cl_int open_first(cl_device_id *device, cl_context *context)
{
    cl_platform_id platform;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL);
    if (error == CL_SUCCESS) *context = clCreateContext(NULL, 1, device, NULL, NULL, &error);
    return error;
}

#endif
