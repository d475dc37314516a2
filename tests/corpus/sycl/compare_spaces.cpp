// SPDX-License-Identifier: Apache-2.0
// Comparisons and differences of pointers of the same and of different spaces.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[1 + 4 + 8 * 3 + (32 if i % 2 else 64) for i in range(64)]}"}, "ambiguous": 0}]}
*/
NOINLINE bool same(const int *a, const int *b) { return a == b; }
NOINLINE int apart(const int *a, const int *b) { return static_cast<int>(b - a); }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int mine[4];
    int *p = in[gid()] & 1 ? in : mine;
    out[gid()] = (same(scratch, scratch) ? 1 : 2) + (same(scratch, in) || same(mine, in) || same(mine, scratch) ? 0 : 4) +
                 8 * apart(mine, mine + 3) + (same(p, in) ? 32 : 64);
}
