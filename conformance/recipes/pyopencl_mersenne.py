# SPDX-License-Identifier: Apache-2.0
"""pyopencl: a program of the kind of gpuowl and PRPLL, which test Mersenne numbers: OpenCL C 2.0 in several files, 64-bit integers, doubles
where the device has them, atomic operations through unnamed pointers, and a link with -cl-finite-math-only. Without Nonflat it says:

    changes address space of pointer
    pocl-wheel: failed to build the program
    debian12-rusticl: InvalidBitWidth: Invalid bit width in input: 128
    debian13-rusticl: InvalidBitWidth: Invalid bit width in input: 128
    sid-rusticl: error: unknown type name 'atomic_store'
"""
import pathlib

import numpy
import pyopencl as cl

HERE = pathlib.Path(__file__).parent
DIGITS = 8
# The Lucas-Lehmer test, which ends with 0 for a prime number, and squares of 3.
START, MINUS = (4, 3), (2, 0)


def begin_of(digit, exponent):
    return -(-digit * exponent // DIGITS)


def kernel_of(context, exponent, text):
    """Returns the kernel of a program, which is compiled and linked as PRPLL does."""
    header, source = (cl.Program(context, part) for part in ((HERE / "mersenne_digits.h").read_text(), text))
    options = f"-cl-finite-math-only -cl-std=CL2.0 -DEXPONENT={exponent}u -DDIGITS={DIGITS}u"
    try:
        part = source.compile(options, headers=[("mersenne_digits.h", header)])
    except cl.Error as error:
        raise SystemExit(source.get_build_info(context.devices[0], cl.program_build_info.LOG)) from error
    return cl.link_program(context, [part], "-cl-finite-math-only ").all_kernels()[0]


def square_often(context, exponent):
    """Returns the two numbers after exponent - 2 steps, computed on the device."""
    square = kernel_of(context, exponent, (HERE / "mersenne.cl").read_text())
    begin = kernel_of(context, exponent, "kernel void begin(global int *number, int first) { *number = first; }")
    numbers, state, hashes = numpy.zeros((2, DIGITS), numpy.int32), numpy.zeros(4, numpy.uint32), numpy.zeros((2, 2), numpy.uint64)
    numbers[1, 0] = START[1]
    queue, flags = cl.CommandQueue(context), cl.mem_flags
    buffers = [cl.Buffer(context, flags.COPY_HOST_PTR, hostbuf=array) for array in (numbers, state, hashes, numpy.array(MINUS, numpy.int32))]
    begin(queue, (1,), None, buffers[0], numpy.int32(START[0]))
    square(queue, (2 * DIGITS,), (DIGITS,), *buffers, numpy.uint32(exponent - 2), cl.LocalMemory(4 * DIGITS), cl.LocalMemory(8 * DIGITS))
    for array, buffer in zip((numbers, state, hashes), buffers):
        cl.enqueue_copy(queue, array, buffer)
    assert list(state) == [2, 0, 1 + DIGITS, 1 + DIGITS], state
    assert (hashes[:, 0] == hashes[:, 1]).all() and hashes[0, 0] != hashes[1, 0], hashes
    return [sum(int(word) << begin_of(i, exponent) for i, word in enumerate(row)) % (2**exponent - 1) for row in numbers]


def expected(start, minus, exponent):
    for _ in range(exponent - 2):
        start = (start * start - minus) % (2**exponent - 1)
    return start


device = cl.get_platforms()[0].get_devices()[0]
for exponent in (61, 67, 89, 127):
    numbers = square_often(cl.Context([device]), exponent)
    assert numbers == [expected(*pair, exponent) for pair in zip(START, MINUS)], (exponent, numbers)
    assert (numbers[0] == 0) == (exponent != 67)
print("right", "with" if "cl_khr_fp64" in device.extensions else "without", "doubles")
