// SPDX-License-Identifier: Apache-2.0
// A private array of pointers of two spaces, indexed at run time.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[[9, i, 9, i][i % 4] for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1, "O2-noinline": 1}, "why": "the element is private or global"}]}
*/
KERNEL k(int *out, int *in) {
    int nine = 9, *mixed[4];
    for (int i = 0; i < 4; i++)
        mixed[i] = i & 1 ? in + gid() : &nine;
    out[gid()] = *mixed[in[gid()] & 3];
}
