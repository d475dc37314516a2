/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_only.c - a test layer that removes SPIR-V and bitcode from any driver, so that its devices accept only OpenCL
 * C: it reports no IL version, and refuses programs in IL, binaries that are SPIR-V, and builds of bitcode.
 * OPENCL_LAYERS lists this layer before the layer under test, so that it is between that layer and the driver:
 *
 *     OPENCL_LAYERS=/abs/libnonflat_source_only.so:/abs/libnonflat_layer.so
 *
 * NONFLAT_SOURCE_ONLY_LIKE names a device whose answers replace those of the driver (source_shapes.c): "nvidia" or
 * "embedded". A program with an identifier that the compiler of such a device does not know is refused, and standard
 * error names the identifier.
 *
 * NONFLAT_SOURCE_ONLY_LOG names a file that gets one line per program, "source" or "refused" with its size, which
 * proves to a test that programs passed through this layer.
 */
#define _GNU_SOURCE
#include "source_shapes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPIR_VERSIONS = 0x40e0, /* CL_DEVICE_SPIR_VERSIONS */
    SPIRV_QUERIES = 0x12b9,
    SPIRV_LAST = 0x12bb /* cl_khr_spirv_queries */
};

static const char *const taken_away[] = {"cl_khr_il_program", "cl_khr_spir", "cl_khr_spirv_queries"};

static bool is_taken_away(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof taken_away / sizeof *taken_away; i++)
        if (strlen(taken_away[i]) == length && strncmp(taken_away[i], name, length) == 0) return true;
    return false;
}

static void note(const char *verdict, size_t size)
{
    note_verdict("NONFLAT_SOURCE_ONLY_LOG", verdict, size);
}

/* Returns the device that the driver's devices imitate; NULL if they are unchanged. */
static const struct shape *resembled(void)
{
    const char *name = getenv("NONFLAT_SOURCE_ONLY_LIKE");
    return name ? shape_find(name) : NULL;
}

/* ---- devices ---- */

/* Returns the driver's answer, malloc'ed, with an additional zero byte. */
static cl_int query_driver(cl_device_id device, cl_device_info name, char **answer, size_t *size)
{
    *answer = NULL;
    cl_int error = next.clGetDeviceInfo(device, name, 0, NULL, size);
    if (error != CL_SUCCESS) return error;
    *answer = calloc(1, *size + 1);
    return *answer ? next.clGetDeviceInfo(device, name, *size, *answer, NULL) : CL_OUT_OF_HOST_MEMORY;
}

static cl_int give_words(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    size_t total;
    char *text, *end;
    cl_int error = query_driver(device, name, &text, &total);
    end = text;
    for (const char *at = text; error == CL_SUCCESS && *at;) {
        size_t length = strcspn(at, " "), blanks = strspn(at + length, " ");
        if (!is_taken_away(at, length)) {
            if (end > text) *end++ = ' ';
            memmove(end, at, length);
            end += length;
        }
        at += length + blanks;
    }
    if (error == CL_SUCCESS) *end = '\0';
    if (error == CL_SUCCESS) error = give(text, (size_t)(end - text) + 1, size, value, size_ret);
    free(text);
    return error;
}

static cl_int give_versions(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    size_t total, kept = 0;
    char *list;
    cl_int error = query_driver(device, name, &list, &total);
    for (size_t at = 0; error == CL_SUCCESS && at < total; at += sizeof(cl_name_version)) {
        const char *one = ((const cl_name_version *)(void *)(list + at))->name;
        if (is_taken_away(one, strlen(one))) continue;
        memmove(list + kept, list + at, sizeof(cl_name_version));
        kept += sizeof(cl_name_version);
    }
    if (error == CL_SUCCESS) error = give(list, kept, size, value, size_ret);
    free(list);
    return error;
}

/* Gives an empty answer to a query that the driver answers. */
static cl_int give_nothing(cl_device_id device, cl_device_info name, size_t length, size_t size, void *value,
                           size_t *size_ret)
{
    size_t total;
    cl_int error = next.clGetDeviceInfo(device, name, 0, NULL, &total);
    return error == CL_SUCCESS ? give("", length, size, value, size_ret) : error;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const struct shape *shape = resembled();
    cl_int error;
    if (shape && shape_answer(shape, name, size, value, size_ret, &error)) return error;
    if (name == CL_DEVICE_IL_VERSION) return give_nothing(device, name, 1, size, value, size_ret);
    if (name == CL_DEVICE_ILS_WITH_VERSION) return give_nothing(device, name, 0, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS) return give_words(device, name, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION) return give_versions(device, name, size, value, size_ret);
    if (name == SPIR_VERSIONS || (name >= SPIRV_QUERIES && name <= SPIRV_LAST)) return CL_INVALID_VALUE;
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

/* ---- programs ---- */

static cl_program CL_API_CALL create(cl_context context, const void *il, size_t length, cl_int *error)
{
    (void)context, (void)il;
    note("refused", length);
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

static bool is_spirv(const unsigned char *binary, size_t size)
{
    uint32_t magic = 0;
    if (size >= 4) memcpy(&magic, binary, 4);
    return magic == 0x07230203u || magic == 0x03022307u;
}

static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *sizes, const unsigned char **binaries, cl_int *status,
                                                 cl_int *error)
{
    for (cl_uint i = 0; sizes && binaries && i < count; i++)
        if (binaries[i] && is_spirv(binaries[i], sizes[i])) return create(context, binaries[i], sizes[i], error);
    return next.clCreateProgramWithBinary(context, count, devices, sizes, binaries, status, error);
}

/* Returns an identifier in the texts that the imitated compiler lacks; NULL if there is none. */
static const char *find_unknown_word(cl_uint count, const char **texts, const size_t *lengths)
{
    const struct shape *shape = resembled();
    const char *word = NULL;
    for (cl_uint i = 0; shape && texts && i < count && !word; i++) {
        char *text = lengths && lengths[i] ? strndup(texts[i], lengths[i]) : texts[i] ? strdup(texts[i]) : NULL;
        word = text ? shape_unknown_word(shape, text) : NULL;
        free(text);
    }
    return word;
}

static cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char **texts,
                                                 const size_t *lengths, cl_int *error)
{
    size_t size = 0;
    for (cl_uint i = 0; texts && i < count; i++)
        size += lengths && lengths[i] ? lengths[i] : texts[i] ? strlen(texts[i]) : 0;
    const char *word = find_unknown_word(count, texts, lengths);
    note(word ? "refused" : "source", size);
    if (word) {
        fprintf(stderr, "%s: this device has no '%s'\n", test_layer_name, word);
        if (error) *error = CL_INVALID_VALUE;
        return NULL;
    }
    return next.clCreateProgramWithSource(context, count, texts, lengths, error);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    if (options && strstr(options, "-x spir")) {
        note("refused", 0);
        return CL_INVALID_BUILD_OPTIONS;
    }
    return next.clBuildProgram(program, count, devices, options, notify, user);
}

static bool is_il_function(const char *name)
{
    return name && (strcmp(name, "clCreateProgramWithILKHR") == 0 || strcmp(name, "clCreateProgramWithIL") == 0);
}

static void *CL_API_CALL get_extension(const char *name)
{
    return is_il_function(name) ? NULL : next.clGetExtensionFunctionAddress(name);
}

static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name)
{
    return is_il_function(name) ? NULL : next.clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* ---- the intercepted calls --------------------------------------------------------------------------------------- */

const char test_layer_name[] = "source only";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetExtensionFunctionAddress = get_extension,
    .clGetExtensionFunctionAddressForPlatform = get_platform_extension,
    .clCreateProgramWithIL = create,
    .clCreateProgramWithBinary = create_with_binary,
    .clCreateProgramWithSource = create_with_source,
    .clBuildProgram = build,
};
