/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info.c - device and platform queries of served devices. The platform reports the extension as well: the SYCL run-time
 * queries the platform before it sets a kernel's indirect-access flags, and silently omits the flags if the name is
 * missing.
 *
 * The library reports the capabilities that the device's SVM can guarantee: concurrent access needs fine grain and
 * atomics, system memory needs fine-grained system SVM. On a device that has only cl_khr_unified_svm, it reports the
 * capabilities of the driver's own types of memory.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

/* The extensions that the library may provide. */
static const struct extension {
    unsigned offer;
    cl_version version;
    char name[CL_NAME_VERSION_MAX_NAME_SIZE];
} extensions[] = {
    {NF_USM_OFFERS_INTEL, CL_MAKE_VERSION(1, 0, 0), "cl_intel_unified_shared_memory"},
    {NF_USM_OFFERS_KHR, CL_MAKE_VERSION(0, 9, 0), "cl_khr_unified_svm"},
};
enum { EXTENSIONS = sizeof extensions / sizeof extensions[0] };

/* The arguments of clGetDeviceInfo (device) or of clGetPlatformInfo (platform); the other handle is NULL. */
struct query {
    cl_device_id device;
    cl_platform_id platform;
    cl_uint name;
    unsigned offers; /* the extensions to add */
};

static cl_int query_driver(const struct query *q, size_t size, void *value, size_t *size_ret)
{
    if (q->device) return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, q->device, q->name, size, value, size_ret);
    return NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, q->platform, q->name, size, value, size_ret);
}

/* Returns a copy of the driver's answer, followed by `room` zero bytes, which the caller frees; NULL and `*error` on
 * failure. */
static char *query_all(const struct query *q, size_t room, size_t *size, cl_int *error)
{
    *error = query_driver(q, 0, NULL, size);
    if (*error != CL_SUCCESS) return NULL;
    char *answer = calloc(1, *size + room);
    *error = !answer ? CL_OUT_OF_HOST_MEMORY : *size ? query_driver(q, *size, answer, NULL) : CL_SUCCESS;
    if (*error == CL_SUCCESS) return answer;
    free(answer);
    return NULL;
}

/* Answers with the driver's list of extensions, to which it appends those extensions of the library that are offered
 * here and that the list lacks. */
static cl_int answer_words(const struct query *q, size_t size, void *value, size_t *size_ret)
{
    cl_int error;
    size_t length;
    char *text = query_all(q, EXTENSIONS * (CL_NAME_VERSION_MAX_NAME_SIZE + 1) + 1, &length, &error);
    if (!text) return error;
    for (size_t i = 0; i < EXTENSIONS; i++) {
        if (!(q->offers & extensions[i].offer) || nf_cl_has_word(text, extensions[i].name)) continue;
        length = strlen(text);
        if (length && text[length - 1] != ' ') text[length++] = ' ';
        memcpy(text + length, extensions[i].name, strlen(extensions[i].name) + 1);
    }
    error = nf_cl_answer(text, strlen(text) + 1, size, value, size_ret);
    free(text);
    return error;
}

static bool lists(const cl_name_version *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(list[i].name, name, sizeof list[i].name) == 0) return true;
    return false;
}

/* Answers with the driver's list of names and versions, to which it appends those extensions of the library that are
 * offered here and that the list lacks. */
static cl_int answer_versions(const struct query *q, size_t size, void *value, size_t *size_ret)
{
    cl_int error;
    size_t bytes;
    char *answer = query_all(q, EXTENSIONS * sizeof(cl_name_version), &bytes, &error);
    if (!answer) return error;
    cl_name_version *list = (cl_name_version *)(void *)answer;
    size_t count = bytes / sizeof *list;
    for (size_t i = 0; i < EXTENSIONS; i++) {
        if (!(q->offers & extensions[i].offer) || lists(list, count, extensions[i].name)) continue;
        list[count].version = extensions[i].version;
        memcpy(list[count++].name, extensions[i].name, sizeof extensions[i].name);
    }
    error = nf_cl_answer(list, count * sizeof *list, size, value, size_ret);
    free(answer);
    return error;
}

/* ---- capabilities ---- */

enum {
    ACCESS = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL,
    ATOMIC = CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL,
    CONCURRENT = CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL,
    CONCURRENT_ATOMIC = CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL
};

/* Returns the capabilities of one of the driver's own types. */
static cl_device_unified_shared_memory_capabilities_intel native_capabilities(cl_svm_capabilities_khr native)
{
    cl_device_unified_shared_memory_capabilities_intel all = ACCESS;
    if (native & CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR) all |= ATOMIC;
    if (native & CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR) all |= CONCURRENT;
    if (native & CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR) all |= CONCURRENT_ATOMIC;
    return all;
}

/* Returns the type of allocations that the query concerns. */
static cl_unified_shared_memory_type_intel type_of(cl_device_info name)
{
    switch (name) {
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL: return CL_MEM_TYPE_HOST_INTEL;
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL: return CL_MEM_TYPE_DEVICE_INTEL;
    default: return CL_MEM_TYPE_SHARED_INTEL;
    }
}

static cl_int answer_capabilities(const struct nf_usm_device *device, cl_device_info name, size_t size, void *value,
                                  size_t *size_ret)
{
    bool fine = device->svm & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    bool system = device->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    cl_device_unified_shared_memory_capabilities_intel all = ACCESS;
    if (fine && (device->svm & CL_DEVICE_SVM_ATOMICS)) all |= ATOMIC | CONCURRENT | CONCURRENT_ATOMIC;
    if (name == CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) all |= ATOMIC; /* among the work-items of the device */
    if (name != CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL && !device->has_svm) all = 0;
    if (device->is_typed) all = native_capabilities(device->native[NF_USM_TYPE_NUMBER(type_of(name))].capabilities);
    if (name == CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL && !system) all = 0;
    return nf_cl_answer(&all, sizeof all, size, value, size_ret);
}

/* ---- the types of cl_khr_unified_svm ---- */

/* Answers with the capabilities of each type of the platform: on the device, or if `device` is NULL on all devices that
 * support the type. */
static cl_int answer_types(cl_platform_id platform, const struct nf_usm_device *device, size_t size, void *value,
                           size_t *size_ret)
{
    enum nf_usm_type types[NF_USM_TYPES];
    cl_svm_capabilities_khr list[NF_USM_TYPES];
    const cl_uint count = nf_usm_platform_types(platform, types, list);
    for (cl_uint i = 0; device && i < count; i++)
        list[i] = nf_usm_type_capabilities(device, types[i]);
    return nf_cl_answer(list, count * sizeof list[0], size, value, size_ret);
}

/* Answers a query of cl_khr_unified_svm for any device of a platform that has it: a device that is not served supports
 * none of the types. Returns true with the result of the query in `*error`, or false if the query must be passed to the
 * driver. */
static bool answer_unified(cl_device_id id, cl_device_info name, size_t size, void *value, size_t *size_ret,
                           cl_int *error)
{
    const struct nf_usm_device *device = nf_usm_device_find(id);
    cl_platform_id platform = NULL;
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    if (!device || !platform || !(nf_usm_platform_offers(platform) & NF_USM_OFFERS_KHR)) return false;
    const size_t atom = nf_usm_type_capabilities(device, NF_USM_TYPE_HOST) & CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR;
    const size_t bytes = atom != 0;
    *error = name == CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR ? answer_types(platform, device, size, value, size_ret)
                                                         : nf_cl_answer(&bytes, sizeof bytes, size, value, size_ret);
    return true;
}

/* ---- queries of devices and platforms ---- */

cl_int CL_API_CALL nf_usm_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    struct query query = {device, NULL, name, 0};
    const struct nf_usm_device *known = NULL;
    cl_int error;
    switch (name) {
    case CL_DEVICE_EXTENSIONS:
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
        nf_cl_layers_list_restore_all();
        known = nf_usm_device_find(device);
        break;
    case CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR:
    case NF_USM_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE:
        nf_cl_layers_list_restore_all();
        if (answer_unified(device, name, size, value, size_ret, &error)) return error;
        break;
    default: break;
    }
    if (!known || !known->served)
        return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, size, value, size_ret);
    if (name != CL_DEVICE_EXTENSIONS && name != CL_DEVICE_EXTENSIONS_WITH_VERSION)
        return answer_capabilities(known, name, size, value, size_ret);
    query.offers = nf_usm_device_offers(device);
    return name == CL_DEVICE_EXTENSIONS ? answer_words(&query, size, value, size_ret)
                                        : answer_versions(&query, size, value, size_ret);
}

cl_int CL_API_CALL nf_usm_get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    struct query query = {NULL, platform, name, 0};
    bool lists_extensions = name == CL_PLATFORM_EXTENSIONS || name == CL_PLATFORM_EXTENSIONS_WITH_VERSION ||
                            name == CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR;
    if (lists_extensions && platform) query.offers = nf_usm_platform_offers(platform);
    if (name == CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR && (query.offers & NF_USM_OFFERS_KHR))
        return answer_types(platform, NULL, size, value, size_ret);
    if (!query.offers || name == CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR)
        return NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, platform, name, size, value, size_ret);
    if (name == CL_PLATFORM_EXTENSIONS) return answer_words(&query, size, value, size_ret);
    return answer_versions(&query, size, value, size_ret);
}
