// SPDX-License-Identifier: Apache-2.0
// A quicksort with a stack of pointer pairs in private memory, over global memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["buffer:int:{[(37 * i + 5) % 64 for i in range(64)]}"],
  "expect": {"0": "int:{[sorted((37 * j + 5) % 64 for j in range(i // 8 * 8, i // 8 * 8 + 8))[i % 8] for i in range(64)]}"},
  "ambiguous": 0, "global": 8, "local": 8}]}
*/
struct Range {
    int *first, *last;
};
NOINLINE int *partition(int *first, int *last) {
    int pivot = last[-1], *to = first;
    for (int *p = first; p < last - 1; ++p)
        if (*p < pivot) {
            int t = *p;
            *p = *to;
            *to++ = t;
        }
    last[-1] = *to;
    *to = pivot;
    return to;
}
KERNEL k(int *data) {
    Range stack[16];
    int top = 0;
    stack[top++] = {data + 8 * gid(), data + 8 * gid() + 8};
    while (top) {
        Range r = stack[--top];
        if (r.last - r.first < 2) continue;
        int *middle = partition(r.first, r.last);
        stack[top++] = {r.first, middle};
        stack[top++] = {middle + 1, r.last};
    }
}
