// SPDX-License-Identifier: Apache-2.0
// A pointer set by a switch over three spaces, then written and read.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}", "zero:512"],
  "expect": {"0": "int:{[[1, 2, 3][i % 3] * 2 + 10 for i in range(64)]}"},
  "ambiguous": {"O0": 4, "O2": 3, "O2-noinline": 3}, "why": "private, local or global by work-item"}]}
*/
KERNEL k(int *out, int *in, int *room) {
    LOCAL int scratch[32];
    int mine[2] = {1, 1}, *near = scratch + 2 * lid(), *far = room + 2 * gid(), *p;
    near[0] = near[1] = 2;
    far[0] = far[1] = 3;
    switch (in[gid()] % 3) {
    case 0: p = mine; break;
    case 1: p = near; break;
    default: p = far; break;
    }
    p[0] += 10;
    out[gid()] = p[0] + p[1];
}
