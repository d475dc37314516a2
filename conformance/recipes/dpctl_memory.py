# SPDX-License-Identifier: Apache-2.0
"""dpctl: memory that host and device share. Runs in the SYCL environment; without Nonflat it says:

    dpctl.memory._memory.USMAllocationError: USM allocation failed
"""
import dpctl.memory
import numpy

memory = dpctl.memory.MemoryUSMShared(64)
numpy.asarray(memory)[:] = 7
copy = dpctl.memory.MemoryUSMDevice(64)
copy.copy_from_device(memory)
assert bytes(copy.copy_to_host()) == b"\7" * 64
print("right")
