/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info.c - device and platform queries of served devices. The platform reports the extension as well: the SYCL run-time
 * looks there before it sets a kernel's indirect-access flags, and silently omits the flags if the name is missing.
 *
 * The capabilities are those that the device's SVM can guarantee: concurrent access needs fine grain and atomics,
 * system memory needs fine-grained system SVM.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

static const char extension[] = "cl_intel_unified_shared_memory";

/* The arguments of clGetDeviceInfo (device) or of clGetPlatformInfo (platform); the other handle is NULL. */
struct question {
    cl_device_id device;
    cl_platform_id platform;
    cl_uint name;
};

static cl_int ask(const struct question *q, size_t size, void *value, size_t *size_ret)
{
    if (q->device) return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, q->device, q->name, size, value, size_ret);
    return NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, q->platform, q->name, size, value, size_ret);
}

/* Returns a copy of the driver's answer, followed by `room` zero bytes, which the caller frees; NULL and `*error` on
 * failure. */
static char *ask_all(const struct question *q, size_t room, size_t *size, cl_int *error)
{
    *error = ask(q, 0, NULL, size);
    if (*error != CL_SUCCESS) return NULL;
    char *answer = calloc(1, *size + room);
    *error = !answer ? CL_OUT_OF_HOST_MEMORY : *size ? ask(q, *size, answer, NULL) : CL_SUCCESS;
    if (*error == CL_SUCCESS) return answer;
    free(answer);
    return NULL;
}

/* Answers with the driver's list of extensions plus this one, without duplicating it. */
static cl_int answer_words(const struct question *q, size_t size, void *value, size_t *size_ret)
{
    cl_int error;
    size_t length;
    char *text = ask_all(q, sizeof extension + 2, &length, &error);
    if (!text) return error;
    if (!strstr(text, extension)) {
        length = strlen(text);
        if (length && text[length - 1] != ' ') text[length++] = ' ';
        memcpy(text + length, extension, sizeof extension);
    }
    error = nf_cl_answer(text, strlen(text) + 1, size, value, size_ret);
    free(text);
    return error;
}

/* Answers with the driver's list of names and versions plus this extension, without duplicating it. */
static cl_int answer_versions(const struct question *q, size_t size, void *value, size_t *size_ret)
{
    cl_int error;
    size_t bytes;
    char *answer = ask_all(q, sizeof(cl_name_version), &bytes, &error);
    if (!answer) return error;
    cl_name_version *list = (cl_name_version *)(void *)answer;
    size_t count = bytes / sizeof *list, at = 0;
    while (at < count && strncmp(list[at].name, extension, sizeof list[at].name) != 0)
        at++;
    if (at == count) {
        list[count].version = CL_MAKE_VERSION(1, 0, 0);
        memcpy(list[count++].name, extension, sizeof extension);
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

static cl_int answer_capabilities(const struct nf_usm_device *device, cl_device_info name, size_t size, void *value,
                                  size_t *size_ret)
{
    bool fine = device->svm & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    bool system = device->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    cl_device_unified_shared_memory_capabilities_intel all = ACCESS;
    if (fine && (device->svm & CL_DEVICE_SVM_ATOMICS)) all |= ATOMIC | CONCURRENT | CONCURRENT_ATOMIC;
    if (name == CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) all |= ATOMIC; /* among the work-items of the device */
    if (name == CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL && !system) all = 0;
    if (name != CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL && !device->has_svm) all = 0;
    return nf_cl_answer(&all, sizeof all, size, value, size_ret);
}

/* ---- the calls ---- */

cl_int CL_API_CALL nf_usm_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const struct question question = {device, NULL, name};
    const struct nf_usm_device *known = NULL;
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
    default: break;
    }
    if (!known || !known->served)
        return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS) return answer_words(&question, size, value, size_ret);
    if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION) return answer_versions(&question, size, value, size_ret);
    return answer_capabilities(known, name, size, value, size_ret);
}

cl_int CL_API_CALL nf_usm_get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    const struct question question = {NULL, platform, name};
    bool extensions = name == CL_PLATFORM_EXTENSIONS || name == CL_PLATFORM_EXTENSIONS_WITH_VERSION;
    if (!extensions || !platform || !nf_usm_platform_served(platform))
        return NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, platform, name, size, value, size_ret);
    if (name == CL_PLATFORM_EXTENSIONS) return answer_words(&question, size, value, size_ret);
    return answer_versions(&question, size, value, size_ret);
}
