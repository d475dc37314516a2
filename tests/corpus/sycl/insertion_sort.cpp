// SPDX-License-Identifier: Apache-2.0
// One insertion sort over private and over local arrays, with reverse iteration.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(64)]}"],
  "expect": {"0": "int:{[sorted((37 * j) % 64 for j in range(i // 16 * 16, i // 16 * 16 + 16))[i % 16] + min((37 * j) % 64 for j in range(i // 4 * 4, i // 4 * 4 + 4)) for i in range(64)]}"},
  "ambiguous": 0}]}
*/
NOINLINE void sort(int *first, int *last) {
    for (int *i = first + 1; i < last; ++i) {
        int v = *i, *j = i;
        for (; j > first && v < j[-1]; --j)
            *j = j[-1];
        *j = v;
    }
}
KERNEL k(int *out, const int *in) {
    LOCAL int scratch[16];
    int mine[4], first = gid() / 4 * 4, *all = scratch;
    for (int i = 0; i < 4; i++)
        mine[i] = in[first + i];
    all[lid()] = in[gid()];
    meet();
    if (lid() == 0) sort(all, all + 16);
    sort(mine, mine + 4);
    meet();
    out[gid()] = all[lid()] + mine[0];
}
