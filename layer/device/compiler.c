/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.c - queries the features of a device's OpenCL C compiler, for devices that get programs as OpenCL C. Takes
 * the record of the device as far as it was queried, and the device's list of extensions; gives the version and the
 * features for nf_options.
 *
 * The layer writes OpenCL C 1.2, because extensions exist in all versions; but 2.0 for a compiler of 2.x, and 3.0 for a
 * device of OpenCL 3.0 or newer whose compiler has the features __opencl_c_atomic_order_acq_rel and
 * __opencl_c_atomic_scope_device, because atomics of 1.2 have no memory orders and no scopes.
 */
#include "layer/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_int query(const struct nf_cl_device *device, cl_device_info name, size_t size, void *value)
{
    return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, name, size, value, NULL);
}

bool nf_cl_has_compiler(struct nf_cl_device *device)
{
    cl_bool available = CL_FALSE;
    char text[256] = "";
    query(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof available, &available);
    query(device, CL_DEVICE_OPENCL_C_VERSION, sizeof text - 1, text);
    return nf_cl_compiles_c(available, text);
}

static bool has_double(const struct nf_cl_device *device, const char *extensions)
{
    cl_device_fp_config can = 0;
    if (nf_cl_has_word(extensions, "cl_khr_fp64")) return true;
    return query(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof can, &can) == CL_SUCCESS && can;
}

static bool has_images(const struct nf_cl_device *device)
{
    cl_bool images = CL_FALSE;
    return query(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images) == CL_SUCCESS && images;
}

/* Returns the NF_C_* flags of the compiler's features for atomics. */
static uint32_t query_orders(struct nf_cl_device *device)
{
    static const struct {
        const char *name;
        uint32_t feature;
    } names[] = {{"__opencl_c_atomic_order_acq_rel", NF_C_ATOMIC_ORDER_ACQ_REL},
                 {"__opencl_c_atomic_order_seq_cst", NF_C_ATOMIC_ORDER_SEQ_CST},
                 {"__opencl_c_atomic_scope_device", NF_C_ATOMIC_SCOPE_DEVICE},
                 {"__opencl_c_atomic_scope_all_devices", NF_C_ATOMIC_SCOPE_ALL_DEVICES}};
    enum { NAMES = sizeof names / sizeof *names };
    uint32_t found = 0;
    size_t size = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &size) !=
        CL_SUCCESS)
        return 0;
    cl_name_version *list = calloc(1, size + sizeof *list);
    device->out_of_memory |= !list;
    bool told = list && query(device, CL_DEVICE_OPENCL_C_FEATURES, size, list) == CL_SUCCESS;
    for (size_t i = 0; told && i < size / sizeof *list * NAMES; i++)
        if (strncmp(list[i / NAMES].name, names[i % NAMES].name, CL_NAME_VERSION_MAX_NAME_SIZE) == 0)
            found |= names[i % NAMES].feature;
    free(list);
    return found;
}

/* Sets the version of OpenCL C in which the layer writes modules for the device, as the head of this file describes.
 * For 3.0, also adds the flags of the compiler's features for atomics to `c_features`. */
static void query_version(struct nf_cl_device *device)
{
    const uint32_t wanted = NF_C_ATOMIC_ORDER_ACQ_REL | NF_C_ATOMIC_SCOPE_DEVICE;
    char text[256] = "";
    unsigned major = 0;
    device->c_version = 120;
    query(device, CL_DEVICE_OPENCL_C_VERSION, sizeof text - 1, text);
    if (sscanf(text, "OpenCL C %u", &major) == 1 && major == 2) device->c_version = 200;
    if (device->version < 300) return;
    uint32_t orders = query_orders(device);
    if ((orders & wanted) != wanted) return;
    device->c_version = 300;
    device->c_features |= orders;
}

void nf_cl_query_compiler(struct nf_cl_device *device, const char *extensions)
{
    bool atomics = nf_cl_has_word(extensions, "cl_khr_int64_base_atomics") &&
                   nf_cl_has_word(extensions, "cl_khr_int64_extended_atomics");
    bool subgroups = nf_cl_has_word(extensions, "cl_khr_subgroups");
    device->c_features = (has_double(device, extensions) ? NF_C_FP64 : 0) |
                         (nf_cl_has_word(extensions, "cl_khr_fp16") ? NF_C_FP16 : 0) |
                         (atomics ? NF_C_INT64_ATOMICS : 0) | (has_images(device) ? NF_C_IMAGES : 0) |
                         (subgroups ? NF_C_SUBGROUPS : NF_C_SINGLE_SUBGROUPS);
    query_version(device);
}
