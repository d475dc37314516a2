/* SPDX-License-Identifier: Apache-2.0 */
/* test_layer.c - the functions of a layer that the loader calls: information, initialization, deinitialization. */
#define _GNU_SOURCE
#include "test_layer.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

cl_icd_dispatch next;

/* The headers of some versions lack these prototypes. */
cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                             const cl_icd_dispatch **calls_ret, const intptr_t *properties);
cl_int CL_API_CALL clDeinitLayer(void);

cl_int give(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret)
{
    if (value && size < data_size) return CL_INVALID_VALUE;
    if (value) memcpy(value, data, data_size);
    if (size_ret) *size_ret = data_size;
    return CL_SUCCESS;
}

bool is_of_intel(const char *function)
{
    const size_t length = strlen(function), suffix = strlen("INTEL");
    return length > suffix && strcmp(function + length - suffix, "INTEL") == 0;
}

void note_verdict(const char *variable, const char *verdict, size_t size)
{
    const char *path = getenv(variable);
    char line[64];
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    int length = snprintf(line, sizeof line, "%s %zu\n", verdict, size);
    if (write(file, line, (size_t)length) < 0) fprintf(stderr, "%s: cannot write %s\n", test_layer_name, path);
    close(file);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name == CL_LAYER_API_VERSION) return give(&version, sizeof version, size, value, size_ret);
    if (name == CL_LAYER_NAME) return give(test_layer_name, strlen(test_layer_name) + 1, size, value, size_ret);
    return CL_INVALID_VALUE;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                                   const cl_icd_dispatch **calls_ret)
{
    size_t size = count * sizeof(void *);
    if (!target || !count_ret || !calls_ret) return CL_INVALID_VALUE;
    memcpy(&next, target, size < sizeof next ? size : sizeof next);
    *count_ret = sizeof test_layer_calls / sizeof(void *);
    *calls_ret = &test_layer_calls;
    return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *target,
                                                                 cl_uint *count_ret, const cl_icd_dispatch **calls_ret,
                                                                 const intptr_t *properties)
{
    (void)properties;
    return clInitLayer(count, target, count_ret, calls_ret);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void)
{
    return CL_SUCCESS;
}
