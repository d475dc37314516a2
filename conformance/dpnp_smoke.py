# SPDX-License-Identifier: Apache-2.0
"""dpnp_smoke.py - compares results of dpnp, which are computed by shipped SYCL kernels, with NumPy's.

Run it with the Python of the SYCL environment; OCL_ICD_VENDORS and OPENCL_LAYERS select the device. Prints one line per
operation. Exit status: 0 all results equal NumPy's, 1 one differs or fails. A driver that crashes ends the process.
"""
import sys

import numpy

import dpnp


def fancy(xp, a, index):
    a = a.copy()
    a[index] = xp.asarray([100, 200, 300], dtype=a.dtype)
    return a


OPERATIONS = {
    "sum": lambda xp, a, b: xp.sum(a),
    "sum of an axis": lambda xp, a, b: xp.sum(a.reshape(32, 32), axis=0),
    "sort": lambda xp, a, b: xp.sort(b),
    "argsort": lambda xp, a, b: xp.argsort(b),
    "dot": lambda xp, a, b: xp.dot(a, b),
    "cumsum": lambda xp, a, b: xp.cumsum(a),
    "choose": lambda xp, a, b: xp.choose(xp.asarray([0, 1, 1, 0]), [a[:4], b[:4]]),
    "fancy-indexed assignment": lambda xp, a, b: fancy(xp, a, xp.asarray([3, 1, 7])),
    "where": lambda xp, a, b: xp.where(a > b, a, b),
    "argmax": lambda xp, a, b: xp.argmax(b),
    "unique": lambda xp, a, b: xp.unique(a % 17),
    "matmul of integers": lambda xp, a, b: xp.matmul(a.reshape(32, 32), b.reshape(32, 32)),
    "boolean mask": lambda xp, a, b: b[b > 500],
    "searchsorted": lambda xp, a, b: xp.searchsorted(a, b),
}


def main():
    a = numpy.arange(1024, dtype=numpy.int64)
    b = (a * 389) % 1024
    device_a, device_b = dpnp.asarray(a), dpnp.asarray(b)
    print(f"device: {device_a.sycl_device.name}")
    failed = 0
    for name, operation in OPERATIONS.items():
        want = operation(numpy, a, b)
        try:
            got = dpnp.asnumpy(operation(dpnp, device_a, device_b))
        except Exception as error:  # any exception of the run-time is a failure
            print(f"FAILED {name}: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
            failed += 1
            continue
        equal = numpy.array_equal(numpy.asarray(want), numpy.asarray(got))
        failed += not equal
        print(f"{'equal ' if equal else 'FAILED'} {name}", flush=True)
    print(f"{len(OPERATIONS) - failed} of {len(OPERATIONS)} equal NumPy's")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
