// SPDX-License-Identifier: Apache-2.0
// Insertion sort of a private window of global memory.
/* TRUTH
{"kernels": [{"name": "sort_generic", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(80)]}", "int:16"], "expect": {"0": "int:{[sorted((37 * j) % 64 for j in range(i, i + 16))[8] for i in range(64)]}"}, "ambiguous": 0},
 {"name": "sort_explicit", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(80)]}", "int:16"], "expect": {"0": "int:{[sorted((37 * j) % 64 for j in range(i, i + 16))[8] for i in range(64)]}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) void sort(int *first, int *last) {
    for (int *i = first + 1; i < last; ++i) {
        int v = *i, *j = i;
        for (; j > first && v < j[-1]; --j) *j = j[-1];
        *j = v;
    }
}
__attribute__((noinline)) void sort_near(private int *first, private int *last) {
    for (private int *i = first + 1; i < last; ++i) {
        int v = *i;
        private int *j = i;
        for (; j > first && v < j[-1]; --j) *j = j[-1];
        *j = v;
    }
}
kernel void sort_generic(global int *out, global int *in, int n) {
    int window[64];
    for (int j = 0; j < n; j++) window[j] = in[get_global_id(0) + j];
    sort(window, window + n);
    out[get_global_id(0)] = window[n / 2];
}
kernel void sort_explicit(global int *out, global int *in, int n) {
    int window[64];
    for (int j = 0; j < n; j++) window[j] = in[get_global_id(0) + j];
    sort_near(window, window + n);
    out[get_global_id(0)] = window[n / 2];
}
