/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info.c - clGetDeviceInfo of served devices. Queries that the layer does not change get the driver's answer. Only
 * working features are reported: a device that gets bitcode or OpenCL C reports the IL that the layer accepts for it.
 */
#include "layer/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The SPIR-V versions that the layer accepts for a device whose driver does not accept SPIR-V. */
static const cl_version offered_versions[] = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                              CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(1, 3, 0),
                                              CL_MAKE_VERSION(1, 4, 0)};
enum { OFFERED = sizeof offered_versions / sizeof offered_versions[0] };

static const char il_extension[] = "cl_khr_il_program";

enum {
    SPIRV_CAPABILITIES = 0x12bb, /* CL_DEVICE_SPIRV_CAPABILITIES_KHR of cl_khr_spirv_queries, a list of cl_uint */
    CAPABILITY_GENERIC_POINTER = 38
};

static cl_int query_driver(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, size, value, size_ret);
}

static cl_int answer_il_version(size_t size, void *value, size_t *size_ret)
{
    static const char text[] = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4";
    return nf_cl_answer(text, sizeof text, size, value, size_ret);
}

static cl_int answer_ils(size_t size, void *value, size_t *size_ret)
{
    cl_name_version list[OFFERED];
    memset(list, 0, sizeof list);
    for (int i = 0; i < OFFERED; i++) {
        list[i].version = offered_versions[i];
        strcpy(list[i].name, "SPIR-V");
    }
    return nf_cl_answer(list, sizeof list, size, value, size_ret);
}

/* Answers with the driver's list of names, to which it appends `word` if the list lacks it. */
static cl_int answer_words(cl_device_id device, cl_device_info name, const char *word, size_t size, void *value,
                           size_t *size_ret)
{
    size_t old_size = 0;
    cl_int error = query_driver(device, name, 0, NULL, &old_size);
    if (error != CL_SUCCESS) return error;
    char *text = calloc(1, old_size + strlen(word) + 2);
    if (!text) return CL_OUT_OF_HOST_MEMORY;
    error = query_driver(device, name, old_size, text, NULL);
    if (error == CL_SUCCESS) {
        size_t length = strlen(text);
        char *at = strstr(text, word);
        if (!at) snprintf(text + length, strlen(word) + 2, "%s%s", length && text[length - 1] != ' ' ? " " : "", word);
        error = nf_cl_answer(text, strlen(text) + 1, size, value, size_ret);
    }
    free(text);
    return error;
}

/* Answers with the driver's list, whose elements have `unit` bytes. Appends those of the `more` elements of `wanted`
 * that the list lacks. */
static cl_int answer_list(cl_device_id device, cl_device_info name, const void *wanted, size_t more, size_t unit,
                          bool (*same)(const void *, const void *), size_t size, void *value, size_t *size_ret)
{
    size_t old_size = 0;
    cl_int error = query_driver(device, name, 0, NULL, &old_size);
    if (error != CL_SUCCESS) return error;
    size_t count = old_size / unit;
    char *list = calloc(count + more, unit);
    if (!list) return CL_OUT_OF_HOST_MEMORY;
    error = count ? query_driver(device, name, old_size, list, NULL) : CL_SUCCESS;
    for (size_t j = 0; j < more; j++) {
        const char *one = (const char *)wanted + j * unit;
        size_t i = 0;
        while (i < count && !same(list + i * unit, one))
            i++;
        if (i == count) memcpy(list + count++ * unit, one, unit);
    }
    if (error == CL_SUCCESS) error = nf_cl_answer(list, count * unit, size, value, size_ret);
    free(list);
    return error;
}

static bool same_name(const void *a, const void *b)
{
    return strncmp(((const cl_name_version *)a)->name, ((const cl_name_version *)b)->name,
                   CL_NAME_VERSION_MAX_NAME_SIZE) == 0;
}

static bool same_number(const void *a, const void *b)
{
    return *(const cl_uint *)a == *(const cl_uint *)b;
}

static cl_int answer_versions(cl_device_id device, cl_device_info name, const char *word, cl_version version,
                              size_t size, void *value, size_t *size_ret)
{
    cl_name_version wanted = {.version = version};
    strncpy(wanted.name, word, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
    return answer_list(device, name, &wanted, 1, sizeof wanted, same_name, size, value, size_ret);
}

static cl_int answer_capabilities(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    const cl_uint wanted = CAPABILITY_GENERIC_POINTER;
    return answer_list(device, SPIRV_CAPABILITIES, &wanted, 1, sizeof wanted, same_number, size, value, size_ret);
}

static cl_int answer_features(const struct nf_cl_device *known, cl_device_id device, size_t size, void *value,
                              size_t *size_ret)
{
    const char *names[2];
    cl_name_version wanted[2];
    size_t count = nf_cl_facts_supplied(known, names);
    memset(wanted, 0, sizeof wanted);
    for (size_t i = 0; i < count; i++) {
        wanted[i].version = CL_MAKE_VERSION(3, 0, 0);
        strncpy(wanted[i].name, names[i], CL_NAME_VERSION_MAX_NAME_SIZE - 1);
    }
    return answer_list(device, CL_DEVICE_OPENCL_C_FEATURES, wanted, count, sizeof *wanted, same_name, size, value,
                       size_ret);
}

/* Answers queries about OpenCL C. The layer answers for a device of OpenCL 3.0 or newer for which it compiles source;
 * for all others the driver does, because older devices without generic pointers have no such queries. */
static cl_int answer_source(const struct nf_cl_device *known, cl_device_id device, cl_device_info name, size_t size,
                            void *value, size_t *size_ret)
{
    const cl_bool yes = CL_TRUE;
    const size_t least = 64 << 10; /* the minimum that the specification requires of a device with variables */
    bool variables =
        name == CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE || name == CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE;
    bool by_layer =
        known->source && known->version >= 300 && (!variables || known->profile.flags & NF_PROFILE_NO_WRITABLE_GLOBALS);
    if (!by_layer) return query_driver(device, name, size, value, size_ret);
    if (variables) return nf_cl_answer(&least, sizeof least, size, value, size_ret);
    if (name == CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) return nf_cl_answer(&yes, sizeof yes, size, value, size_ret);
    return answer_features(known, device, size, value, size_ret);
}

static bool is_about_source(cl_device_info name)
{
    return name == CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT || name == CL_DEVICE_OPENCL_C_FEATURES ||
           name == CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE || name == CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE;
}

/* Answers queries about SPIR-V, with generic pointers added to the capabilities of a device that has none. */
static cl_int answer_spirv(const struct nf_cl_device *known, cl_device_id device, cl_device_info name, size_t size,
                           void *value, size_t *size_ret)
{
    if (!known->generic && name == SPIRV_CAPABILITIES) return answer_capabilities(device, size, value, size_ret);
    return query_driver(device, name, size, value, size_ret);
}

cl_int CL_API_CALL nf_cl_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                         size_t *size_ret)
{
    switch (name) {
    case SPIRV_CAPABILITIES:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    case CL_DEVICE_OPENCL_C_FEATURES:
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    case CL_DEVICE_IL_VERSION:
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_EXTENSIONS:
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: break;
    default: return query_driver(device, name, size, value, size_ret);
    }
    nf_cl_layers_list_restore_all();
    const struct nf_cl_device *known = nf_cl_device_find(device);
    if (!known || !known->served) return query_driver(device, name, size, value, size_ret);
    if (is_about_source(name)) return answer_source(known, device, name, size, value, size_ret);
    if (nf_cl_takes_il(known->delivery)) return answer_spirv(known, device, name, size, value, size_ret);
    switch (name) {
    case CL_DEVICE_IL_VERSION: return answer_il_version(size, value, size_ret);
    case CL_DEVICE_ILS_WITH_VERSION: return answer_ils(size, value, size_ret);
    case CL_DEVICE_EXTENSIONS: return answer_words(device, name, il_extension, size, value, size_ret);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return answer_versions(device, name, il_extension, CL_MAKE_VERSION(1, 0, 0), size, value, size_ret);
    default: return answer_spirv(known, device, name, size, value, size_ret);
    }
}
