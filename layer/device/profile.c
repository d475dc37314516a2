/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profile.c - determines the SPIR-V that a device accepts. Takes the record of the device as far as it was queried;
 * gives its profile, except for addresses and faults.
 *
 * A device with cl_khr_spirv_queries, or of OpenCL 3.1 or newer, lists the extensions and capabilities that it
 * guarantees. For other devices, unless measured, the SPIR-V extensions are derived from the OpenCL extensions. These
 * lists decide only about hints; other instructions are left for the driver to accept or reject: Mesa 26.2 does not
 * list 64-bit and float atomics and double, and compiles them correctly on llvmpipe. Drivers that are known to accept
 * everything that compilers emit need no lists.
 *
 * Some restrictions are not reported by any query. Every device that takes SPIR-V, except the measured devices, is
 * assumed to have those whose workaround costs almost nothing: scopes must be constants; the driver validates modules;
 * LLVM intrinsics are missing.
 */
#include "layer/device/device.h"

#include <stdlib.h>
#include <string.h>

/* Queries of cl_khr_spirv_queries, which the headers of some distributions lack. */
enum { SPIRV_EXTENSIONS = 0x12BA, SPIRV_CAPABILITIES = 0x12BB };

/* The SPIR-V extension that an OpenCL extension implies. */
static const struct implied {
    const char *opencl, *spirv;
} implied[] = {
    {"cl_khr_expect_assume", "SPV_KHR_expect_assume"},
    {"cl_khr_extended_bit_ops", "SPV_KHR_bit_instructions"},
    {"cl_khr_integer_dot_product", "SPV_KHR_integer_dot_product"},
    {"cl_khr_kernel_clock", "SPV_KHR_shader_clock"},
    {"cl_khr_spirv_linkonce_odr", "SPV_KHR_linkonce_odr"},
    {"cl_khr_spirv_no_integer_wrap_decoration", "SPV_KHR_no_integer_wrap_decoration"},
    {"cl_khr_subgroup_rotate", "SPV_KHR_subgroup_rotate"},
    {"cl_khr_work_group_uniform_arithmetic", "SPV_KHR_uniform_group_instructions"},
    {"cl_ext_float_atomics", "SPV_EXT_shader_atomic_float_add"},
    {"cl_ext_float_atomics", "SPV_EXT_shader_atomic_float_min_max"},
    {"cl_ext_float_atomics", "SPV_EXT_shader_atomic_float16_add"},
    {"cl_intel_subgroups", "SPV_INTEL_subgroups"},
    {"cl_intel_spirv_subgroups", "SPV_INTEL_subgroups"},
};
enum { IMPLIED = sizeof implied / sizeof *implied };

static bool takes_all(const struct nf_cl_device *device)
{
    return nf_cl_takes_all(&(struct nf_cl_driver_names){device->builder, "", 0, ""});
}

/* Returns a list that the driver reports, which the caller frees, or NULL; `*count` is in elements of `unit` bytes. */
static void *query_list(struct nf_cl_device *device, cl_device_info name, size_t unit, size_t *count)
{
    size_t size = 0;
    *count = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, name, 0, NULL, &size) != CL_SUCCESS) return NULL;
    void *list = calloc(1, size + unit);
    device->out_of_memory |= !list;
    if (!list ||
        (size && NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, name, size, list, NULL) != CL_SUCCESS)) {
        free(list);
        return NULL;
    }
    *count = size / unit;
    return list;
}

/* Fills the lists from cl_khr_spirv_queries. Returns false if a query fails, or no capability is listed. The driver
 * owns the strings, which live as long as the driver. */
static bool read_spirv_queries(struct nf_cl_device *device)
{
    nf_profile *profile = &device->profile;
    size_t extensions, capabilities;
    const char **names = query_list(device, SPIRV_EXTENSIONS, sizeof *names, &extensions);
    uint32_t *numbers = query_list(device, SPIRV_CAPABILITIES, sizeof *numbers, &capabilities);
    if (!names || !numbers || !capabilities) {
        free(names);
        free(numbers);
        return false;
    }
    profile->extensions = names;
    profile->extension_count = extensions ? extensions : SIZE_MAX;
    profile->capabilities = numbers;
    profile->capability_count = capabilities;
    profile->flags |= NF_PROFILE_PARTIAL_LISTS;
    return true;
}

static bool read_implied_extensions(struct nf_cl_device *device, const char *extensions)
{
    const char **names = calloc(IMPLIED, sizeof *names);
    device->out_of_memory |= !names;
    if (!names) return false;
    size_t count = 0;
    for (size_t i = 0; i < IMPLIED; i++)
        if (nf_cl_has_word(extensions, implied[i].opencl)) names[count++] = implied[i].spirv;
    device->profile.extensions = names;
    device->profile.extension_count = count ? count : SIZE_MAX;
    device->profile.flags |= NF_PROFILE_PARTIAL_LISTS;
    return true;
}

/* Returns true if the device reports that its atomics are not visible to other devices and the host while a kernel
 * runs. */
static bool lacks_all_devices_scope(const struct nf_cl_device *device)
{
    cl_device_atomic_capabilities can = 0;
    cl_int error = NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
                              sizeof can, &can, NULL);
    return error == CL_SUCCESS && device->version >= 300 && !(can & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
}

/* Returns true if the device lacks work-group collectives: OpenCL 1 lacks them, 2 has them, 3 is queried. */
static bool lacks_collectives(const struct nf_cl_device *device)
{
    cl_bool has = CL_FALSE;
    if (device->version < 300) return device->version < 200;
    cl_int error = NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id,
                              CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof has, &has, NULL);
    return error != CL_SUCCESS || !has;
}

/* Returns true for Mesa's rusticl, which accepts only constant format strings for printf. */
static bool is_rusticl(const struct nf_cl_device *device)
{
    return nf_cl_is_rusticl(&(struct nf_cl_driver_names){device->builder, "", 0, ""});
}

static void query_work_group_size(struct nf_cl_device *device)
{
    size_t most = 0;
    cl_int error = NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
                              sizeof most, &most, NULL);
    if (error == CL_SUCCESS && most <= UINT32_MAX) device->profile.max_work_group_size = (uint32_t)most;
}

/* Returns the sizes of sub-groups, which are powers of two, combined by OR. Mesa's rusticl ignores a size that a kernel
 * requires and the device does not have, and supports the query of cl_intel_required_subgroup_size, although it does
 * not list that extension. A device without sub-groups that takes bitcode gets sub-groups of one work-item. Returns 0
 * if the driver, or the emission of OpenCL C, decides about required sizes. */
static uint64_t query_subgroup_sizes(struct nf_cl_device *device, const char *extensions)
{
    const cl_device_info sub_group_sizes = 0x4108; /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */
    bool has = nf_cl_has_word(extensions, "cl_khr_subgroups");
    size_t count = 0;
    uint64_t set = 0;
    if (device->delivery == NF_CL_DELIVER_SPIR && !has) return 1;
    size_t *sizes = is_rusticl(device) ? query_list(device, sub_group_sizes, sizeof *sizes, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        if (sizes[i] && !(sizes[i] & (sizes[i] - 1))) set |= sizes[i];
    free(sizes);
    return set;
}

bool nf_cl_query_profile(struct nf_cl_device *device, const char *extensions)
{
    nf_profile *profile = &device->profile;
    profile->subgroup_sizes = query_subgroup_sizes(device, extensions);
    if (!nf_cl_takes_il(device->delivery)) {
        query_work_group_size(device);
        return true;
    }
    profile->max_version = device->il_version;
    if (takes_all(device)) return true;
    profile->flags |= NF_PROFILE_CONSTANT_SCOPES | NF_PROFILE_VALIDATES | NF_PROFILE_NO_INTRINSICS;
    if (lacks_collectives(device)) {
        profile->flags |= NF_PROFILE_NO_COLLECTIVES;
        query_work_group_size(device);
    }
    if (is_rusticl(device)) profile->flags |= NF_PROFILE_CONSTANT_FORMATS;
    if (lacks_all_devices_scope(device)) profile->flags |= NF_PROFILE_DEVICE_SCOPE;
    bool lists = nf_cl_has_word(extensions, "cl_khr_spirv_queries") || device->version >= 301;
    return (lists && read_spirv_queries(device)) || read_implied_extensions(device, extensions);
}

void nf_cl_profile_free(const nf_profile *profile)
{
    free((void *)profile->extensions);
    free((void *)profile->capabilities);
}

static bool same_extensions(const nf_profile *a, const nf_profile *b)
{
    if (a->extension_count != b->extension_count) return false;
    for (size_t i = 0; a->extensions && b->extensions && a->extension_count != SIZE_MAX && i < a->extension_count; i++)
        if (strcmp(a->extensions[i], b->extensions[i]) != 0) return false;
    return true;
}

bool nf_cl_profile_same_lists(const nf_profile *a, const nf_profile *b)
{
    const uint32_t partial = NF_PROFILE_PARTIAL_LISTS;
    size_t bytes = a->capability_count * sizeof *a->capabilities;
    return (a->flags & partial) == (b->flags & partial) && same_extensions(a, b) &&
           a->capability_count == b->capability_count && (!bytes || !memcmp(a->capabilities, b->capabilities, bytes));
}
