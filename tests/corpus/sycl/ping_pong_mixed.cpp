// SPDX-License-Identifier: Apache-2.0
// Two pointers that change places in a loop, one local and one global: ambiguous in truth.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}", "zero:256"],
  "expect": {"0": "int:{[i + 3 for i in range(64)]}"},
  "ambiguous": {"O0": 3, "O2": 1, "O2-noinline": 1}, "why": "from and to are local and global in turn"}]}
*/
KERNEL k(int *out, const int *in, int *spare) {
    LOCAL int scratch[16];
    int *from = scratch + lid(), *to = spare + gid();
    *from = in[gid()];
    for (int step = 0; step < in[3]; step++) {
        *to = *from + 1;
        int *t = from;
        from = to;
        to = t;
    }
    out[gid()] = *from;
}
