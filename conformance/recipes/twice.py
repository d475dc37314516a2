# SPDX-License-Identifier: Apache-2.0
"""The common part of pyopencl's recipes, however they create the program of twice.cl: each of 256 numbers must be doubled."""
import numpy
import pyopencl as cl


def double(context, program):
    """Runs the kernel and checks its results."""
    queue = cl.CommandQueue(context)
    values = numpy.arange(256, dtype=numpy.uint32)
    given = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, values.nbytes)
    program.twice(queue, values.shape, (64,), given, out, cl.LocalMemory(256))
    result = numpy.empty_like(values)
    cl.enqueue_copy(queue, result, out)
    assert (result == 2 * values).all(), result
