// SPDX-License-Identifier: Apache-2.0
// Two pointers that change places in a loop, both local: a phi cycle of two.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[sum(range(i // 16 * 16, i // 16 * 16 + i % 16 + 1)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
KERNEL k(int *out, const int *in) {
    LOCAL int first[16], second[16];
    int *from = first, *to = second;
    from[lid()] = in[gid()];
    meet();
    for (int step = 1; step < 16; step *= 2) {
        to[lid()] = from[lid()] + (lid() >= step ? from[lid() - step] : 0);
        meet();
        int *t = from;
        from = to;
        to = t;
    }
    out[gid()] = from[lid()];
}
