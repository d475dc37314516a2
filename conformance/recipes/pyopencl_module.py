# SPDX-License-Identifier: Apache-2.0
"""pyopencl: a SPIR-V module with generic pointers. Runs in the pyopencl environment; without Nonflat it says:

    pyopencl._cl.LogicError: clCreateProgramWithIL failed: INVALID_VALUE
"""
import sys

import pyopencl as cl

import twice

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
with open(sys.argv[1], "rb") as file:
    program = cl.Program(context, file.read()).build()
twice.double(context, program)
print("right")
