// SPDX-License-Identifier: Apache-2.0
// One buffer as two arguments: a private address stored through one is read through the other.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:512", "same:1", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i if i % 2 else 3 * i for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1, "O2-noinline": 1}, "why": "the slot holds a private or a global address"}]}
*/
KERNEL k(int *out, int *volatile *a, int *volatile *b, int *in) {
    int mine = 3 * in[gid()];
    a[gid()] = in[gid()] & 1 ? in + gid() : &mine;
    out[gid()] = *b[gid()];
}
