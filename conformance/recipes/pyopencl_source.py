# SPDX-License-Identifier: Apache-2.0
"""pyopencl: OpenCL C 2.0 with pointers that have no address space. Runs in the pyopencl environment; without Nonflat it says:

    changes address space of pointer
"""
import pathlib

import numpy
import pyopencl as cl

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
program = cl.Program(context, pathlib.Path(__file__).with_name("twice.cl").read_text()).build("-cl-std=CL2.0")
values = numpy.arange(256, dtype=numpy.uint32)
given = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, values.nbytes)
program.twice(queue, values.shape, (64,), given, out, cl.LocalMemory(256))
result = numpy.empty_like(values)
cl.enqueue_copy(queue, result, out)
assert (result == 2 * values).all(), result
print("right")
