// SPDX-License-Identifier: Apache-2.0
// std::min by reference of a private and a local value, the commonest true merge in real code.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(64)]}"],
  "expect": {"0": "int:{[min((37 * i) % 64, 20) for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 0, "O2-noinline": 1}, "why": "the reference is to the private or to the local value"}]}
*/
KERNEL k(int *out, const int *in) {
    LOCAL int scratch[16];
    int limit = 20, *mine = scratch + lid();
    *mine = in[gid()];
    out[gid()] = std::min(*mine, limit);
}
