/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strict.c - a test layer that removes generic pointers from any device: it refuses every module in which the Generic
 * storage class occurs, in clCreateProgramWithIL and clCreateProgramWithILKHR, and reports that the device has no
 * generic address space. OPENCL_LAYERS lists this layer before the layer under test, so that it is between that layer
 * and the driver:
 *
 *     OPENCL_LAYERS=/abs/libnonflat_strict.so:/abs/libnonflat_layer.so
 *
 * Each refusal prints one line on standard error. NONFLAT_STRICT_LOG names a file that gets one line per module,
 * "taken" or "refused" with its size, which proves to a test that modules passed through this layer.
 */
#define _GNU_SOURCE
#include "test_layer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OP_CAPABILITY = 17,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FORWARD_POINTER = 39,
    OP_VARIABLE = 59,
    OP_TYPE_UNTYPED_POINTER = 4417,
    OP_UNTYPED_VARIABLE = 4418,
    CAPABILITY_GENERIC_POINTER = 38,
    SPIRV_CAPABILITIES = 0x12bb, /* CL_DEVICE_SPIRV_CAPABILITIES_KHR */
    STORAGE_GENERIC = 8
};

typedef void (*function)(void);
typedef cl_program(CL_API_CALL *create_fn)(cl_context, const void *, size_t, cl_int *);

/* ---- the module ---- */

/* Returns the index of the instruction's word that is a storage class, 0 if there is none. */
static unsigned storage_word(unsigned op)
{
    switch (op) {
    case OP_TYPE_POINTER:
    case OP_TYPE_FORWARD_POINTER:
    case OP_TYPE_UNTYPED_POINTER: return 2;
    case OP_VARIABLE:
    case OP_UNTYPED_VARIABLE: return 3;
    default: return 0;
    }
}

/* @return the opcode of the first instruction with the Generic storage class, or 0. Malformed modules are left to the
 * driver. */
static unsigned find_generic(const void *module, size_t size)
{
    size_t words = size / 4;
    uint32_t magic = 0;
    if (words >= 5) memcpy(&magic, module, 4);
    bool swapped = magic == 0x03022307u;
    if (magic != 0x07230203u && !swapped) return 0;
    for (size_t at = 5; at < words;) {
        uint32_t word[4] = {0};
        for (size_t i = 0; i < 4 && at + i < words; i++) {
            memcpy(&word[i], (const char *)module + (at + i) * 4, 4);
            word[i] = swapped ? __builtin_bswap32(word[i]) : word[i];
        }
        unsigned length = word[0] >> 16, op = word[0] & 0xffff, storage = storage_word(op);
        if (length == 0 || length > words - at) return 0;
        if (op == OP_CAPABILITY && word[1] == CAPABILITY_GENERIC_POINTER) return op;
        if (storage && storage < length && word[storage] == STORAGE_GENERIC) return op;
        at += length;
    }
    return 0;
}

static void note(const char *verdict, size_t size)
{
    note_verdict("NONFLAT_STRICT_LOG", verdict, size);
}

static bool refuses(const void *module, size_t size, cl_int *error)
{
    unsigned op = module ? find_generic(module, size) : 0;
    note(op ? "refused" : "taken", size);
    if (!op) return false;
    fprintf(stderr, "strict: refused a module with a generic pointer in it (opcode %u)\n", op);
    if (error) *error = CL_INVALID_BINARY;
    return true;
}

/* ---- the calls ---- */

static cl_program CL_API_CALL create(cl_context context, const void *il, size_t length, cl_int *error)
{
    return refuses(il, length, error) ? NULL : next.clCreateProgramWithIL(context, il, length, error);
}

static function to_function(void *address)
{
    function found;
    memcpy(&found, &address, sizeof found);
    return found;
}

static function driver_create(cl_context context)
{
    static const char name[] = "clCreateProgramWithILKHR";
    cl_device_id devices[64];
    cl_platform_id platform = NULL;
    if (next.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL) != CL_SUCCESS ||
        next.clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS)
        return NULL;
    return to_function(next.clGetExtensionFunctionAddressForPlatform(platform, name));
}

static cl_program CL_API_CALL create_khr(cl_context context, const void *il, size_t length, cl_int *error)
{
    create_fn call = (create_fn)driver_create(context);
    if (!call && error) *error = CL_INVALID_OPERATION;
    return !call || refuses(il, length, error) ? NULL : call(context, il, length, error);
}

static void *own(const char *name)
{
    function found = NULL;
    void *address;
    if (name && strcmp(name, "clCreateProgramWithILKHR") == 0)
        found = (function)create_khr;
    else if (name && strcmp(name, "clCreateProgramWithIL") == 0)
        found = (function)create;
    memcpy(&address, &found, sizeof address);
    return address;
}

static void *CL_API_CALL get_extension(const char *name)
{
    void *theirs = next.clGetExtensionFunctionAddress(name);
    return theirs && own(name) ? own(name) : theirs;
}

static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name)
{
    void *theirs = next.clGetExtensionFunctionAddressForPlatform(platform, name);
    return theirs && own(name) ? own(name) : theirs;
}

/* Returns the driver's list, of elements of `unit` bytes, without those that denote generic pointers. */
static cl_int give_list(cl_device_id device, cl_device_info name, size_t unit, bool (*is_generic)(const void *),
                        size_t size, void *value, size_t *size_ret)
{
    size_t total = 0, kept = 0;
    cl_int error = next.clGetDeviceInfo(device, name, 0, NULL, &total);
    if (error != CL_SUCCESS) return error;
    char *list = malloc(total ? total : 1);
    if (!list) return CL_OUT_OF_HOST_MEMORY;
    error = next.clGetDeviceInfo(device, name, total, list, NULL);
    for (size_t i = 0; error == CL_SUCCESS && i < total / unit; i++)
        if (!is_generic(list + i * unit)) memmove(list + kept++ * unit, list + i * unit, unit);
    if (error == CL_SUCCESS) error = give(list, kept * unit, size, value, size_ret);
    free(list);
    return error;
}

static bool is_generic_feature(const void *feature)
{
    return strcmp(((const cl_name_version *)feature)->name, "__opencl_c_generic_address_space") == 0;
}

static bool is_generic_capability(const void *capability)
{
    return *(const cl_uint *)capability == CAPABILITY_GENERIC_POINTER;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const cl_bool no = CL_FALSE;
    if (name == SPIRV_CAPABILITIES)
        return give_list(device, name, sizeof(cl_uint), is_generic_capability, size, value, size_ret);
    if (name == CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) return give(&no, sizeof no, size, value, size_ret);
    if (name == CL_DEVICE_OPENCL_C_FEATURES)
        return give_list(device, name, sizeof(cl_name_version), is_generic_feature, size, value, size_ret);
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

/* ---- the intercepted calls --------------------------------------------------------------------------------------- */

const char test_layer_name[] = "strict";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetExtensionFunctionAddress = get_extension,
    .clGetExtensionFunctionAddressForPlatform = get_platform_extension,
    .clCreateProgramWithIL = create,
};
