// SPDX-License-Identifier: Apache-2.0
// Pointers that an earlier kernel put into a buffer: host provenance says global.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_link+__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}", "zero:512"],
  "expect": {"0": "int:{[(63 - i) * 2 for i in range(64)]}"}, "ambiguous": 0}]}
*/
KERNEL link(int *out, int *in, int **table) { table[gid()] = in + (63 - gid()); }
KERNEL k(int *out, int *in, int **table) {
    int *p = table[gid()];
    out[gid()] = *p + in[63 - gid()];
}
