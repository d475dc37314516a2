# SPDX-License-Identifier: Apache-2.0
"""demands.py - the features that llama.cpp's back ends query before they use a device, or cannot run without, in the order of its sources:
prints one JSON object {demand: met?}."""
import ctypes
import json

import pyopencl as cl

SUB_GROUP_SIZES = 0x4108  # pyopencl has no name for CL_DEVICE_SUB_GROUP_SIZES_INTEL


def sub_group_sizes(device):
    """Queries the device through the loader that pyopencl uses. Returns the sizes, or [] if the query is an error."""
    loader, sizes, size = ctypes.CDLL(cl._cl.__file__), (ctypes.c_size_t * 16)(), ctypes.c_size_t()
    handle = ctypes.c_void_p(device.int_ptr)
    error = loader.clGetDeviceInfo(handle, SUB_GROUP_SIZES, ctypes.c_size_t(ctypes.sizeof(sizes)), sizes, ctypes.byref(size))
    return [] if error else sizes[:size.value // ctypes.sizeof(ctypes.c_size_t)]


device = cl.get_platforms()[0].get_devices()[0]
extensions = device.extensions.split()
versions = [device.get_info(cl.device_info.OPENCL_C_ALL_VERSIONS)] if device.version >= "OpenCL 3.0" else []
newest = max((version.version >> 22 for each in versions for version in each), default=int(device.opencl_c_version.split()[2][0]))
print(json.dumps({
    "OpenCL: OpenCL C 2.0 or newer": newest >= 2,
    "both: half (`cl_khr_fp16`)": "cl_khr_fp16" in extensions,
    "OpenCL: `cl_khr_subgroups` or `cl_intel_subgroups`": bool({"cl_khr_subgroups", "cl_intel_subgroups"} & set(extensions)),
    "OpenCL: `cl_intel_required_subgroup_size` or Qualcomm's, for matrices and vectors":
        bool({"cl_intel_required_subgroup_size", "cl_qcom_reqd_sub_group_size"} & set(extensions)),
    "SYCL: a GPU": bool(device.type & cl.device_type.GPU),
    "SYCL: `cl_intel_device_attribute_query`": "cl_intel_device_attribute_query" in extensions,
    "SYCL: sub-groups of 16": 16 in sub_group_sizes(device),
}))
