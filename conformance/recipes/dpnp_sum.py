# SPDX-License-Identifier: Apache-2.0
"""dpnp: NumPy with SYCL kernels. Runs in the SYCL environment; without Nonflat it says:

    Fatal Python error: PyThreadState_Get: the function must be called with the GIL held, but the GIL is released
"""
import dpnp

assert int(dpnp.arange(10).sum()) == 45
print("right")
