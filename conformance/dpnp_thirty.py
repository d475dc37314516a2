# SPDX-License-Identifier: Apache-2.0
"""dpnp_thirty.py - runs thirty different operations of dpnp once each, and prints the time as one line of JSON.

Run it with the Python of the SYCL environment. `seconds` is the time from the first array to the last result, `processor`
the CPU time of all threads in that time, `first` the time to the first result; `sum` shows whether two runs have equal results.
"""
import json
import time

import numpy

import dpnp

OPERATIONS = [
    lambda a, b: dpnp.sum(a), lambda a, b: dpnp.prod(a[:8] + 1), lambda a, b: dpnp.mean(a), lambda a, b: dpnp.var(a),
    lambda a, b: dpnp.max(b), lambda a, b: dpnp.argmin(b), lambda a, b: dpnp.sort(b), lambda a, b: dpnp.argsort(b),
    lambda a, b: dpnp.cumsum(a), lambda a, b: dpnp.dot(a, b), lambda a, b: dpnp.matmul(a.reshape(32, 32), b.reshape(32, 32)),
    lambda a, b: dpnp.where(a > b, a, b), lambda a, b: dpnp.unique(a % 17), lambda a, b: b[b > 500],
    lambda a, b: dpnp.searchsorted(a, b), lambda a, b: dpnp.take(a, dpnp.asarray([3, 1, 7])), lambda a, b: dpnp.sqrt(a),
    lambda a, b: dpnp.exp(a / 1024), lambda a, b: dpnp.sin(a), lambda a, b: dpnp.floor_divide(a, b + 1),
    lambda a, b: dpnp.maximum(a, b), lambda a, b: dpnp.logical_and(a > 3, b > 3), lambda a, b: dpnp.bitwise_xor(a, b),
    lambda a, b: dpnp.concatenate([a, b]), lambda a, b: dpnp.repeat(a, 2), lambda a, b: dpnp.roll(a, 5),
    lambda a, b: dpnp.tril(a.reshape(32, 32)), lambda a, b: dpnp.diff(a), lambda a, b: dpnp.histogram(a, 8)[0],
    lambda a, b: dpnp.nonzero(a > 1000)[0],
]


def main():
    a = numpy.arange(1024, dtype=numpy.int64)
    start, processor = time.perf_counter(), time.process_time()
    device_a = dpnp.asarray(a)
    device_b = dpnp.asarray((a * 389) % 1024)
    total, first = 0.0, None
    for operation in OPERATIONS:
        total += float(numpy.sum(dpnp.asnumpy(operation(device_a, device_b)), dtype=numpy.float64))
        first = first or time.perf_counter() - start
    print(json.dumps({"operations": len(OPERATIONS), "seconds": time.perf_counter() - start,
                      "processor": time.process_time() - processor, "first": first, "sum": total}))


if __name__ == "__main__":
    main()
