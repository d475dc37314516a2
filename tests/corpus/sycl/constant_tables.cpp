// SPDX-License-Identifier: Apache-2.0
// A select between two constant lookup tables, and one between a table and a private array.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[([1, 2, 3, 4] if i % 2 else [5, 6, 7, 8])[i % 4] + ([1, 2, 3, 4] if i % 3 else [i, i, i, i])[i // 2 % 4] for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1, "O2-noinline": 1}, "why": "the second table is constant or private"}]}
*/
static constexpr int low[4] = {1, 2, 3, 4}, high[4] = {5, 6, 7, 8};
KERNEL k(int *out, int *in) {
    int i = in[gid()], mine[4] = {i, i, i, i};
    const int *table = i & 1 ? low : high;
    const int *mixed = i % 3 ? low : mine;
    out[gid()] = table[i & 3] + mixed[i / 2 & 3];
}
