// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: clang-22 compares integers of two types at -O2, which is not valid
// Comparison, difference and null tests of pointers of equal and of different spaces.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(1 if i % 2 else 2) + 4 + 8 + 16 * 3 for i in range(64)]}"},
  "ambiguous": 0}]}
*/
__attribute__((noinline)) int same(int *a, int *b) { return a == b; }
__attribute__((noinline)) int apart(int *a, int *b) { return (int)(b - a); }
__attribute__((noinline)) int nothing(int *a) { return a == 0; }
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0);
    int mine[4];
    int *p = in[i] & 1 ? (int *)&in[0] : mine;
    int *q = in[i] & 1 ? (int *)&in[0] : (int *)scratch;
    out[i] = (same(p, q) ? 1 : 2) + (same((int *)&scratch[0], (int *)&in[0]) ? 0 : 4) +
             (nothing(mine) || nothing((int *)scratch) || nothing(p) ? 0 : 8) + 16 * apart(mine, mine + 3);
}
