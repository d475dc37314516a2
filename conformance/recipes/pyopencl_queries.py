# SPDX-License-Identifier: Apache-2.0
"""pyopencl: the queries by which two other programs decide whether they use a device, according to their sources (ILGPU b4fd8b3, OpenCL.jl
ab07ea3): ILGPU
for generic pointers in OpenCL C, which it then builds as version 3.0, and OpenCL.jl for SPIR-V. Without Nonflat, ILGPU says:

    GenericAddressSpace feature is not supported on this device.

and OpenCL.jl, if it is told to use SPIR-V, "Device ... does not support SPIR-V IL programs".
"""
import pathlib

import pyopencl as cl

import twice

device = cl.get_platforms()[0].get_devices()[0]
if not device.get_info(cl.device_info.GENERIC_ADDRESS_SPACE_SUPPORT):
    raise SystemExit("GenericAddressSpace feature is not supported on this device.")
assert "cl_khr_il_program" in device.extensions.split()
context = cl.Context([device])
program = cl.Program(context, pathlib.Path(__file__).with_name("twice.cl").read_text()).build("-cl-std=CL3.0")
twice.double(context, program)
print("right")
