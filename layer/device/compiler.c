/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.c - queries the features of a device's OpenCL C compiler, for devices that get programs in that language.
 * In: the record so far, and the device's list of extensions; out: features for nf_options.c_features.
 *
 * The text is OpenCL C 1.2 even if the compiler supports a newer version, because extensions exist in all versions, and
 * because from 2.0 on a pointer without an address space may be a generic one.
 */
#include "layer/device/device.h"

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

uint32_t nf_cl_query_compiler(struct nf_cl_device *device, const char *extensions)
{
    bool atomics = nf_cl_has_word(extensions, "cl_khr_int64_base_atomics") &&
                   nf_cl_has_word(extensions, "cl_khr_int64_extended_atomics");
    bool subgroups = nf_cl_has_word(extensions, "cl_khr_subgroups");
    return (has_double(device, extensions) ? NF_C_FP64 : 0) |
           (nf_cl_has_word(extensions, "cl_khr_fp16") ? NF_C_FP16 : 0) | (atomics ? NF_C_INT64_ATOMICS : 0) |
           (has_images(device) ? NF_C_IMAGES : 0) | (subgroups ? NF_C_SUBGROUPS : NF_C_SINGLE_SUBGROUPS);
}
