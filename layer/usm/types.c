/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - the types of memory of cl_khr_unified_svm. Takes the SVM of a device; gives the capabilities of each type
 * on it, and the types of a platform, in an order that determines their indices.
 *
 *     coarse buffer, fine buffer, system  ->  the driver's own SVM, which the application maps where it must
 *     device, host, shared                ->  blocks (memory.c), as Intel's allocations of these types
 *
 * All memory of a context comes from the same SVM, so host and shared memory are accessible to every device of the
 * context. A type has the capabilities that the SVM can guarantee: concurrent access needs fine grain.
 */
#include "layer/usm/usm.h"

/* The kind of SVM that a device must have for a type of memory. */
enum need { ADDRESSES, BUFFERS, FINE_BUFFERS, SYSTEM };

enum {
    DEVICE = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
             CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR,
    HOST = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR,
    ANY_DEVICE = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR,
    MAP = CL_SVM_CAPABILITY_HOST_MAP_KHR,
    OWNED_BY_DEVICE = CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,
    OWNED_BY_HOST = CL_SVM_CAPABILITY_HOST_OWNED_KHR,
    ALLOCATED_BY_SYSTEM = CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR,
    INDIRECT = CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
    CONCURRENT = CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR,
    CONCURRENT_ATOMIC = CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR
};

static const struct {
    enum need need;
    cl_svm_capabilities_khr always;
    cl_unified_shared_memory_type_intel intel; /* 0: the driver's own SVM */
} types[NF_USM_TYPES] = {
    [NF_USM_TYPE_COARSE_BUFFER] = {BUFFERS, DEVICE | ANY_DEVICE | MAP, 0},
    [NF_USM_TYPE_FINE_BUFFER] = {FINE_BUFFERS, DEVICE | ANY_DEVICE | MAP | HOST, 0},
    [NF_USM_TYPE_DEVICE] = {ADDRESSES, DEVICE | OWNED_BY_DEVICE | INDIRECT, CL_MEM_TYPE_DEVICE_INTEL},
    [NF_USM_TYPE_HOST] = {BUFFERS, DEVICE | ANY_DEVICE | OWNED_BY_HOST | HOST | INDIRECT, CL_MEM_TYPE_HOST_INTEL},
    [NF_USM_TYPE_SHARED] = {BUFFERS, DEVICE | ANY_DEVICE | HOST | INDIRECT, CL_MEM_TYPE_SHARED_INTEL},
    [NF_USM_TYPE_SYSTEM] = {SYSTEM, DEVICE | ANY_DEVICE | MAP | HOST | ALLOCATED_BY_SYSTEM | INDIRECT, 0},
};

cl_unified_shared_memory_type_intel nf_usm_type_to_intel(enum nf_usm_type type)
{
    return types[type].intel;
}

enum nf_usm_type nf_usm_type_of_intel(cl_unified_shared_memory_type_intel intel)
{
    enum nf_usm_type type = NF_USM_TYPE_DEVICE;
    while (type < NF_USM_TYPES && types[type].intel != intel)
        type++;
    return type;
}

static bool has(const struct nf_usm_device *device, enum need need)
{
    switch (need) {
    case ADDRESSES: return true;
    case BUFFERS: return device->has_svm;
    case FINE_BUFFERS: return device->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    default: return device->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    }
}

bool nf_usm_device_accesses_all(const struct nf_usm_device *device)
{
    return (device->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ||
           (device->is_cpu && (device->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER));
}

cl_svm_capabilities_khr nf_usm_type_capabilities(const struct nf_usm_device *device, enum nf_usm_type type)
{
    cl_svm_capabilities_khr all = types[type].always;
    if (!device->served || !has(device, types[type].need)) return 0;
    if ((all & HOST) && (device->svm & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))) {
        all |= CONCURRENT;
        if (device->svm & CL_DEVICE_SVM_ATOMICS) all |= CONCURRENT_ATOMIC;
    }
    if (nf_usm_device_accesses_all(device)) all |= INDIRECT;
    return all;
}

cl_uint nf_usm_platform_types(cl_platform_id platform, enum nf_usm_type listed[NF_USM_TYPES],
                              cl_svm_capabilities_khr common[NF_USM_TYPES])
{
    cl_device_id devices[NF_USM_DEVICES_MAX];
    cl_uint device_count = nf_usm_platform_devices(platform, devices), count = 0;
    for (enum nf_usm_type type = 0; type < NF_USM_TYPES; type++) {
        common[count] = 0;
        for (cl_uint i = 0; i < device_count; i++) {
            const struct nf_usm_device *device = nf_usm_device_find(devices[i]);
            cl_svm_capabilities_khr here = device ? nf_usm_type_capabilities(device, type) : 0;
            if (here) common[count] = common[count] ? common[count] & here : here;
        }
        if (common[count]) listed[count++] = type;
    }
    return count;
}
