/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl_error.c - the names of the OpenCL error codes that `nonflat doctor` and `nonflat cache warm` are likely to
 * print.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>

#include "tools/base/base.h"

static const struct {
    int error;
    const char *name;
} errors[] = {
#define X(name)                                                                                                        \
    {                                                                                                                  \
        name, #name                                                                                                    \
    }
    X(CL_DEVICE_NOT_FOUND),        X(CL_DEVICE_NOT_AVAILABLE),
    X(CL_COMPILER_NOT_AVAILABLE),  X(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    X(CL_OUT_OF_RESOURCES),        X(CL_OUT_OF_HOST_MEMORY),
    X(CL_BUILD_PROGRAM_FAILURE),   X(CL_LINKER_NOT_AVAILABLE),
    X(CL_LINK_PROGRAM_FAILURE),    X(CL_INVALID_VALUE),
    X(CL_INVALID_PLATFORM),        X(CL_INVALID_DEVICE),
    X(CL_INVALID_CONTEXT),         X(CL_INVALID_COMMAND_QUEUE),
    X(CL_INVALID_BINARY),          X(CL_INVALID_BUILD_OPTIONS),
    X(CL_INVALID_PROGRAM),         X(CL_INVALID_PROGRAM_EXECUTABLE),
    X(CL_INVALID_KERNEL_NAME),     X(CL_INVALID_KERNEL_DEFINITION),
    X(CL_INVALID_KERNEL),          X(CL_INVALID_KERNEL_ARGS),
    X(CL_INVALID_WORK_GROUP_SIZE), X(CL_INVALID_OPERATION),
#undef X
};

const char *nf_opencl_error(int error, char text[64])
{
    snprintf(text, 64, "%d", error);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].error == error) snprintf(text, 64, "%s (%d)", errors[i].name, error);
    return text;
}
