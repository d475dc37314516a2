// SPDX-License-Identifier: Apache-2.0
// A function that returns its pointer argument, called with three spaces.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * i + 3 for i in range(64)]}"}, "ambiguous": 0}]}
*/
template <typename T> NOINLINE T *next(T *p) { return p + 1; }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[32];
    int priv[2] = {0, in[gid()] + 1};
    scratch[2 * lid() + 1] = in[gid()] + 2;
    out[gid()] = *next(priv) + *next(scratch + 2 * lid()) + *next(in + gid() - 1);
}
