# SPDX-License-Identifier: Apache-2.0
"""pyopencl: the product of a matrix quantized as Q4_K and one of floats, by the kernel of llama.cpp's OpenCL back end, which is fetched from
PyPI's llama-cpp-python. It is the only file of that back end that needs generic pointers, and the back end ends the process if it is refused.
A device needs half; without Nonflat it says:

    sid-rusticl: changes address space of pointer
"""
import pathlib
import sys

import numpy
import pyopencl as cl

ROWS, COLUMNS, LENGTH = 96, 40, 512  # of the first matrix; of the second; of both: two blocks of 256
KERNEL = "mul_mm_q4_k_f32_l4_lm"


def block_values(quants, scales, d, dmin):
    """Returns the 256 values of a block: eight groups of 32 nibbles, with a scale and a minimum of six bits each."""
    low, high = numpy.arange(4), numpy.arange(4, 8)
    scale = numpy.concatenate([scales[low] & 63, (scales[high + 4] & 15) | (scales[low] >> 6 << 4)])
    minimum = numpy.concatenate([scales[low + 4] & 63, (scales[high + 4] >> 4) | (scales[high] >> 6 << 4)])
    nibbles = numpy.stack([quants.reshape(4, 32) & 15, quants.reshape(4, 32) >> 4], axis=1).reshape(8, 32)
    return (float(d) * scale[:, None] * nibbles - float(dmin) * minimum[:, None]).reshape(256)


def first_matrix(random):
    """Returns the four arrays that describe the matrix, and its values."""
    blocks = ROWS * LENGTH // 256
    quants, scales = (random.integers(0, 256, (blocks, size), numpy.uint8) for size in (128, 12))
    factors = [random.uniform(0.001, 0.01, blocks).astype(numpy.float16) for _ in range(2)]
    values = [block_values(*block) for block in zip(quants, scales, *factors)]
    return (quants, scales, *factors), numpy.array(values).reshape(ROWS, LENGTH)


def multiply(context, source, arrays, second):
    """Returns the product, computed by the kernel with the arguments that the back end gives it."""
    device = context.devices[0]
    options = "-cl-std=CL3.0 -cl-mad-enable -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math"
    kernel = getattr(cl.Program(context, source).build(options), f"kernel_{KERNEL}")
    queue, items = cl.CommandQueue(context), 64 if "cl_intel_required_subgroup_size" in device.extensions else 128
    product = numpy.empty((COLUMNS, ROWS), numpy.float32)
    buffers = [cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=array) for array in (*arrays, second, product)]
    numbers = map(numpy.int32, (LENGTH, ROWS, 1, COLUMNS, 1, LENGTH, LENGTH, ROWS, LENGTH * ROWS, LENGTH * COLUMNS, ROWS * COLUMNS, 1, 1))
    offset = numpy.uint64(0)
    kernel(queue, (-(-ROWS // 64) * items, -(-COLUMNS // 64), 1), (items, 1, 1), *buffers[:5], offset, buffers[5], offset, *numbers)
    cl.enqueue_copy(queue, product, buffers[5])
    return product


random = numpy.random.default_rng(1)
source = (pathlib.Path(sys.argv[1]).parent / "llamacpp" / f"{KERNEL}.cl").read_text()
arrays, first = first_matrix(random)
second = random.uniform(-1, 1, (COLUMNS, LENGTH)).astype(numpy.float32)
product = multiply(cl.Context([cl.get_platforms()[0].get_devices()[0]]), source, arrays, second)
assert numpy.allclose(product, second @ first.T, rtol=1e-4, atol=1e-3), abs(product - second @ first.T).max()
print("right")
