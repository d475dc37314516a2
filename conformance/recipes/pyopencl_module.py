# SPDX-License-Identifier: Apache-2.0
"""pyopencl: a SPIR-V module with generic pointers. Runs in the pyopencl environment; without Nonflat it says:

    pyopencl._cl.LogicError: clCreateProgramWithIL failed: INVALID_VALUE
"""
import sys

import numpy
import pyopencl as cl

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
with open(sys.argv[1], "rb") as file:
    program = cl.Program(context, file.read()).build()
values = numpy.arange(256, dtype=numpy.uint32)
given = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, values.nbytes)
program.twice(queue, values.shape, (64,), given, out, cl.LocalMemory(256))
result = numpy.empty_like(values)
cl.enqueue_copy(queue, result, out)
assert (result == 2 * values).all(), result
print("right")
