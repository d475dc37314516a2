/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_layer.c - an OpenCL layer that writes the SPIR-V modules of an application to files.
 *
 * Takes: the environment variable NONFLAT_RECORD, a file name, read at each clCreateProgramWithIL.
 * Gives: the first module of each name in that file, further ones in NAME.1, NAME.2...; the call itself goes through
 * unchanged.
 */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct _cl_icd_dispatch *table;
static const struct _cl_icd_dispatch *next;

static void write_module(const char *base, const void *il, size_t size)
{
    char name[4096];
    snprintf(name, sizeof name, "%s", base);
    for (int n = 1; access(name, F_OK) == 0; n++)
        snprintf(name, sizeof name, "%s.%d", base, n);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(il, 1, size, file) != size) fprintf(stderr, "record layer: cannot write %s\n", name);
    if (file) fclose(file);
}

static cl_program CL_API_CALL record_il(cl_context context, const void *il, size_t size, cl_int *error)
{
    const char *base = getenv("NONFLAT_RECORD");
    if (base && il) write_module(base, il, size);
    return next->clCreateProgramWithIL(context, il, size, error);
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
    static const char layer_name[] = "nonflat record";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = name == CL_LAYER_API_VERSION ? (const void *)&version : layer_name;
    size_t length = name == CL_LAYER_API_VERSION ? sizeof version : sizeof layer_name;
    if (name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) return CL_INVALID_VALUE;
    if (value && size < length) return CL_INVALID_VALUE;
    if (value) memcpy(value, answer, length);
    if (size_ret) *size_ret = length;
    return CL_SUCCESS;
}

/* Loaders differ in the length of their dispatch table; the layer's table gets the length of the given one. */
static cl_int init(cl_uint entries, const struct _cl_icd_dispatch *target, cl_uint *entries_out,
                   const struct _cl_icd_dispatch **out)
{
    if (!target || !entries_out || !out) return CL_INVALID_VALUE;
    table = malloc(entries * sizeof(void *));
    if (!table) return CL_OUT_OF_HOST_MEMORY;
    memcpy(table, target, entries * sizeof(void *));
    table->clCreateProgramWithIL = record_il;
    next = target;
    *entries_out = entries;
    *out = table;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *target,
                                            cl_uint *entries_out, const struct _cl_icd_dispatch **out)
{
    return init(entries, target, entries_out, out);
}

/* The Khronos loader looks up this function; Debian's headers have no type for the properties. */
CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint entries, const struct _cl_icd_dispatch *target,
                                                          cl_uint *entries_out, const struct _cl_icd_dispatch **out,
                                                          const void *properties)
{
    (void)properties;
    return init(entries, target, entries_out, out);
}

CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void)
{
    free(table);
    table = NULL;
    return CL_SUCCESS;
}
