/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.c - determines the served devices: devices with addresses of the host's width that have SVM, by the core, by
 * cl_arm_shared_virtual_memory or by cl_khr_unified_svm, or at least buffers that report their address, but no working
 * cl_intel_unified_shared_memory. Each device is queried once per loader, and its record is kept. A sub-device is
 * served if its root device is served. Only root devices have records, because sub-devices are created and released,
 * and their handles are reused.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

enum { PLATFORMS_MAX = 64, NATIVE_TYPES_MAX = 64 };

static struct nf_usm_device *devices;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

static cl_int query(cl_device_id device, cl_device_info name, size_t size, void *value)
{
    return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, size, value, NULL);
}

nf_cl_function nf_usm_native_of_context(cl_context context, const char *name)
{
    cl_uint count = 0;
    cl_device_id *devices = context ? nf_cl_context_devices(context, &count) : NULL;
    nf_cl_function found = devices ? nf_cl_platform_extension(devices[0], name) : NULL;
    free(devices);
    return found;
}

nf_cl_function nf_usm_native_of_queue(cl_command_queue queue, const char *name)
{
    cl_device_id device = NULL;
    if (queue)
        NF_CL_CALL(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, queue, CL_QUEUE_DEVICE, sizeof device, &device,
                   NULL);
    return nf_cl_platform_extension(device, name);
}

nf_cl_function nf_usm_native_of_kernel(cl_kernel kernel, const char *name)
{
    cl_context context = NULL;
    if (kernel)
        NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL);
    return nf_usm_native_of_context(context, name);
}

/* Returns true if the device reports the extension `word`. */
static bool has_extension(cl_device_id device, const char *word)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
        return false;
    char *text = calloc(1, size + 1);
    bool found = text && query(device, CL_DEVICE_EXTENSIONS, size, text) == CL_SUCCESS && nf_cl_has_word(text, word);
    free(text);
    return found;
}

/* Returns the version of an extension that the device reports, 0 if it reports none. */
static cl_version version_of(cl_device_id device, const char *word)
{
    size_t size = 0;
    cl_version version = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &size) !=
        CL_SUCCESS)
        return 0;
    cl_name_version *list = calloc(1, size + sizeof *list);
    if (list && query(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, list) == CL_SUCCESS)
        for (size_t i = 0; i < size / sizeof *list; i++)
            if (strncmp(list[i].name, word, sizeof list[i].name) == 0) version = list[i].version;
    free(list);
    return version;
}

/* ---- the SVM functions of the core and of Arm's extension ---- */

/* The core's functions. Each uses the newest table at the time of the call, because a record may outlive its loader. */

static void *CL_API_CALL core_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint align)
{
    return NF_CL_CALL(clSVMAlloc, NULL, context, flags, size, align);
}

static void CL_API_CALL core_free(cl_context context, void *memory)
{
    const cl_icd_dispatch *next = nf_cl_next();
    if (next->clSVMFree) next->clSVMFree(context, memory);
}

static cl_int CL_API_CALL core_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                    size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    return NF_CL_CALL(clEnqueueSVMMemcpy, CL_INVALID_OPERATION, queue, blocking, target, source, size, wait_count, wait,
                      event);
}

static cl_int CL_API_CALL core_fill(cl_command_queue queue, void *target, const void *pattern, size_t pattern_size,
                                    size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    return NF_CL_CALL(clEnqueueSVMMemFill, CL_INVALID_OPERATION, queue, target, pattern, pattern_size, size, wait_count,
                      wait, event);
}

static cl_int CL_API_CALL core_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *memory,
                                   size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    return NF_CL_CALL(clEnqueueSVMMap, CL_INVALID_OPERATION, queue, blocking, flags, memory, size, wait_count, wait,
                      event);
}

static cl_int CL_API_CALL core_unmap(cl_command_queue queue, void *memory, cl_uint wait_count, const cl_event *wait,
                                     cl_event *event)
{
    return NF_CL_CALL(clEnqueueSVMUnmap, CL_INVALID_OPERATION, queue, memory, wait_count, wait, event);
}

static cl_int CL_API_CALL core_set_argument(cl_kernel kernel, cl_uint index, const void *value)
{
    return NF_CL_CALL(clSetKernelArgSVMPointer, CL_INVALID_OPERATION, kernel, index, value);
}

static cl_int CL_API_CALL core_set_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, kernel, name, size, value);
}

static const struct nf_usm_svm core_calls = {
    core_alloc,
    core_free,
    core_copy,
    core_fill,
    core_map,
    core_unmap,
    core_set_argument,
    core_set_info,
    CL_KERNEL_EXEC_INFO_SVM_PTRS,
    NULL,
};

static bool find_core(struct nf_usm_device *device)
{
    device->calls = core_calls;
    return query(device->id, CL_DEVICE_SVM_CAPABILITIES, sizeof device->svm, &device->svm) == CL_SUCCESS &&
           device->svm != 0 && nf_cl_next()->clSVMAlloc != NULL;
}

/* Finds the SVM of Arm's extension. The extension has the constants and signatures of the core; only function names and
 * pointers_info differ. */
static bool find_arm(struct nf_usm_device *device)
{
    struct nf_usm_svm *calls = &device->calls;
    if (query(device->id, CL_DEVICE_SVM_CAPABILITIES_ARM, sizeof device->svm, &device->svm) != CL_SUCCESS ||
        device->svm == 0 || !has_extension(device->id, "cl_arm_shared_virtual_memory"))
        return false;
#define FIND(member, name) calls->member = (__typeof__(calls->member))nf_cl_platform_extension(device->id, name)
    FIND(alloc, "clSVMAllocARM");
    FIND(free, "clSVMFreeARM");
    FIND(copy, "clEnqueueSVMMemcpyARM");
    FIND(fill, "clEnqueueSVMMemFillARM");
    FIND(map, "clEnqueueSVMMapARM");
    FIND(unmap, "clEnqueueSVMUnmapARM");
    FIND(set_argument, "clSetKernelArgSVMPointerARM");
    FIND(set_info, "clSetKernelExecInfoARM");
#undef FIND
    calls->pointers_info = CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM;
    return calls->alloc && calls->free && calls->copy && calls->fill && calls->map && calls->unmap &&
           calls->set_argument && calls->set_info;
}

/* ---- the driver's own cl_khr_unified_svm ---- */

enum {
    DEVICE_ACCESS = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
                    CL_SVM_CAPABILITY_DEVICE_WRITE_KHR,
    HOST_ACCESS = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR,
    ALL_DEVICES = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR
};

/* The capabilities that a type of Intel's allocations requires of the driver's memory, and the capabilities that it
 * prefers. */
static const struct {
    cl_svm_capabilities_khr required, desired;
} requirements[NF_USM_INTEL_TYPES] = {
    {0, 0},
    {DEVICE_ACCESS | HOST_ACCESS | ALL_DEVICES,
     CL_SVM_CAPABILITY_HOST_OWNED_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR},
    {DEVICE_ACCESS, CL_SVM_CAPABILITY_DEVICE_OWNED_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR},
    {DEVICE_ACCESS | HOST_ACCESS, CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR},
};

/* Chooses the native types for host, device and shared allocations. Returns false if one is missing. */
static bool find_native_types(struct nf_usm_device *device)
{
    cl_svm_capabilities_khr list[NATIVE_TYPES_MAX];
    size_t size = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof list,
                   list, &size) != CL_SUCCESS)
        return false;
    const cl_uint count = (cl_uint)(size / sizeof list[0]);
    for (int i = 1; i < NF_USM_INTEL_TYPES; i++) {
        struct nf_usm_native_type *type = &device->native[i];
        type->index = nf_usm_best_type(list, count, requirements[i].required, requirements[i].desired);
        if (type->index >= count) return false;
        type->capabilities = list[type->index];
    }
    return true;
}

/* Sets the calls of a device whose driver has cl_khr_unified_svm, 0.9 or later. Returns false if the driver lacks the
 * extension, or a type of memory for one of Intel's types. The core's commands work on memory of these types. */
static bool find_unified(struct nf_usm_device *device)
{
    if (version_of(device->id, "cl_khr_unified_svm") < CL_MAKE_VERSION(0, 9, 0) || !find_native_types(device))
        return false;
    nf_cl_function alloc = nf_cl_platform_extension(device->id, "clSVMAllocWithPropertiesKHR");
    if (!alloc) return false;
    device->calls = core_calls;
    device->calls.alloc_of_type = (clSVMAllocWithPropertiesKHR_fn)alloc;
    return true;
}

/* ---- records of devices ---- */

/* Returns true if the driver's own extension works. Measured with PoCL 7.1: it reports host and shared allocations for
 * devices of other machines, but the host reads other data than the device has written. Such a device has only
 * coarse-grained buffer SVM, which the host must map. */
static bool has_shared_memory(cl_device_id id)
{
    char builder[NF_CL_BUILDER];
    cl_device_svm_capabilities svm = 0;
    if (!has_extension(id, "cl_intel_unified_shared_memory")) return false;
    query(id, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm);
    bool coarse = svm == CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    return !(coarse && nf_cl_query_builder(id, builder));
}

static struct nf_usm_device *query_device(cl_device_id id)
{
    struct nf_usm_device *device = calloc(1, sizeof *device);
    if (!device) return NULL;
    cl_device_type type = 0;
    cl_uint bits = 0;
    device->id = id;
    device->epoch = nf_cl_epoch();
    query(id, CL_DEVICE_TYPE, sizeof type, &type);
    query(id, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits);
    query(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof device->largest, &device->largest);
    device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    device->has_unified = has_extension(id, "cl_khr_unified_svm");
    if (bits != 8 * sizeof(void *) || has_shared_memory(id)) return device;
    device->has_svm = find_core(device);
    device->is_typed = find_unified(device);
    if (!device->has_svm && !device->is_typed) device->has_svm = find_arm(device);
    /* Before version 1.0 the extension had other constants. */
    device->served = device->has_svm || device->is_typed ||
                     version_of(id, "cl_ext_buffer_device_address") >= CL_MAKE_VERSION(1, 0, 0);
    if (!device->has_svm) device->svm = 0;
    return device;
}

cl_device_id nf_usm_device_parent(cl_device_id device)
{
    cl_device_id parent = NULL;
    return query(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent) == CL_SUCCESS ? parent : NULL;
}

/* Returns the root device of `device`: its parent's root if it is a sub-device, else `device` itself. */
static cl_device_id whole(cl_device_id device)
{
    for (cl_device_id parent = device; parent; parent = nf_usm_device_parent(device))
        device = parent;
    return device;
}

/* Returns the record of the device `id` that was made in the current epoch (nf_cl_epoch()), or NULL. needs: the
 * lock. */
static struct nf_usm_device *find(cl_device_id id)
{
    struct nf_usm_device *device = devices;
    while (device && (device->id != id || device->epoch != nf_cl_epoch()))
        device = device->next;
    return device;
}

/* Returns true if two records have the same contents. */
static bool same(const struct nf_usm_device *one, const struct nf_usm_device *other)
{
    return one->id == other->id && one->served == other->served && one->is_cpu == other->is_cpu &&
           one->has_svm == other->has_svm && one->has_unified == other->has_unified &&
           one->is_typed == other->is_typed && one->svm == other->svm && one->largest == other->largest &&
           memcmp(&one->calls, &other->calls, sizeof one->calls) == 0 &&
           memcmp(&one->native, &other->native, sizeof one->native) == 0;
}

/* Returns a record of an earlier epoch with the same contents, for the current epoch; or else `record`, after adding it
 * to the list. needs: the lock. */
static struct nf_usm_device *insert(struct nf_usm_device *record)
{
    struct nf_usm_device *device = devices;
    while (device && !same(device, record))
        device = device->next;
    if (device) {
        device->epoch = record->epoch;
        return device;
    }
    record->next = devices;
    devices = record;
    return record;
}

const struct nf_usm_device *nf_usm_device_find(cl_device_id id)
{
    if (!id) return NULL;
    id = whole(id);
    nf_cl_lock_acquire(&lock);
    struct nf_usm_device *device = find(id);
    nf_cl_lock_release(&lock);
    if (device) return device;
    struct nf_usm_device *queried = query_device(id); /* without the lock, as it calls the driver */
    if (!queried) return NULL;
    nf_cl_lock_acquire(&lock);
    device = find(id); /* another thread may have added it in the meantime */
    if (!device) device = insert(queried);
    nf_cl_lock_release(&lock);
    if (device != queried) free(queried);
    return device;
}

cl_uint nf_usm_platform_devices(cl_platform_id platform, cl_device_id devices[NF_USM_DEVICES_MAX])
{
    cl_uint count = 0;
    if (NF_CL_CALL(clGetDeviceIDs, CL_INVALID_PLATFORM, platform, CL_DEVICE_TYPE_ALL, NF_USM_DEVICES_MAX, devices,
                   &count) != CL_SUCCESS)
        return 0;
    return count < NF_USM_DEVICES_MAX ? count : NF_USM_DEVICES_MAX;
}

unsigned nf_usm_platform_offers(cl_platform_id platform)
{
    cl_device_id list[NF_USM_DEVICES_MAX];
    cl_uint count = nf_usm_platform_devices(platform, list);
    bool served = false, has_unified = false;
    for (cl_uint i = 0; i < count; i++) {
        const struct nf_usm_device *device = nf_usm_device_find(list[i]);
        served = served || (device && device->served);
        has_unified = has_unified || (device && device->has_unified);
    }
    if (!served) return 0;
    return has_unified ? NF_USM_OFFERS_INTEL : NF_USM_OFFERS_INTEL | NF_USM_OFFERS_KHR;
}

unsigned nf_usm_device_offers(cl_device_id id)
{
    const struct nf_usm_device *device = nf_usm_device_find(id);
    cl_platform_id platform = NULL;
    if (!device || !device->served) return 0;
    query(id, CL_DEVICE_PLATFORM, sizeof platform, &platform);
    return nf_usm_platform_offers(platform);
}

unsigned nf_usm_any_offers(void)
{
    cl_platform_id list[PLATFORMS_MAX];
    cl_uint count = 0;
    unsigned offers = 0;
    if (NF_CL_CALL(clGetPlatformIDs, CL_INVALID_VALUE, PLATFORMS_MAX, list, &count) != CL_SUCCESS) return 0;
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++)
        offers |= nf_usm_platform_offers(list[i]);
    return offers;
}
