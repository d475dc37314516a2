// SPDX-License-Identifier: Apache-2.0
// A store through a select of a private and a local element.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + (100 + i if i % 2 else 1) for i in range(64)]}"},
  "ambiguous": {"O0": 2, "O2": 2, "O2-noinline": 2}, "why": "both accesses go to the selected element"}]}
*/
KERNEL k(int *out, const int *in) {
    LOCAL int scratch[16];
    int priv[2] = {1, 2};
    scratch[lid()] = in[gid()];
    int *p = in[gid()] & 1 ? &priv[in[gid()] & 1] : &scratch[lid()];
    int before = in[gid()] & 1 ? 0 : 1;
    *p += 98 * (1 - before);
    out[gid()] = scratch[lid()] + (before ? 1 : priv[1] + in[gid()]);
}
