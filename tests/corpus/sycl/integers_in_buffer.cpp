// SPDX-License-Identifier: Apache-2.0
// Addresses that are stored in a buffer as integers are global as well.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_link+__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}", "zero:512"],
  "expect": {"0": "int:{[3 * ((i + 7) % 64) for i in range(64)]}"}, "ambiguous": 0}]}
*/
KERNEL link(int *out, int *in, uint64_t *table) { table[gid()] = reinterpret_cast<uint64_t>(in) + 4 * ((gid() + 7) % 64); }
KERNEL k(int *out, int *in, uint64_t *table) {
    int *p = reinterpret_cast<int *>(table[gid()]);
    out[gid()] = *p * 3;
}
