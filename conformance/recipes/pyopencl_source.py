# SPDX-License-Identifier: Apache-2.0
"""pyopencl: OpenCL C 2.0 with pointers that have no address space. Runs in the pyopencl environment; without Nonflat it says:

    changes address space of pointer
    pocl-wheel: failed to build the program
"""
import pathlib

import pyopencl as cl

import twice

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
program = cl.Program(context, pathlib.Path(__file__).with_name("twice.cl").read_text()).build("-cl-std=CL2.0")
twice.double(context, program)
print("right")
