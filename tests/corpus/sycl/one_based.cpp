// SPDX-License-Identifier: Apache-2.0
// Arrays with indices from one: their pointer is an address before their memory, and
// is subtracted. On some devices the first variable of each memory is at address 0.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(64)]}"],
  "expect": {"0": "int:{[6 * (4 + i % 3) + 19000 + sorted((37 * (5 * i + j)) % 64 for j in range(1, 9))[2] + (5 + i % 3) // 2 * 10000 for i in range(64)]}"},
  "ambiguous": 0},
 {"name": "__sycl_kernel_l", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(64)]}"],
  "expect": {"0": "int:{[6 * (4 + i % 3) + 19000 + sorted((37 * j) % 64 for j in range(i // 16 * 16, i // 16 * 16 + 16))[i % 16] + (5 + i % 3) // 2 * 10000 for i in range(64)]}"},
  "ambiguous": 0}]}
*/
NOINLINE int apart(const int *from, const int *to) { return int(to - from); }
NOINLINE int *before(int *array) { return array - 1; }
NOINLINE int after(const int *a, const int *b) { return (a - b > 0) * 2 + (a - b >= 0) + (b == a) * 8 + (a != b) * 16; }
/* A heap in array[1] to array[n]. */
NOINLINE void sift(int *array, int root, int n) {
    for (int child; (child = 2 * root) <= n; root = child) {
        if (child < n && array[child] < array[child + 1]) child++;
        if (array[root] >= array[child]) return;
        int v = array[root];
        array[root] = array[child], array[child] = v;
    }
}
NOINLINE void sort(int *array, int n) {
    for (int i = n / 2; i; i--)
        sift(array, i, n);
    for (int i = n; i > 1; i--) {
        int v = array[1];
        array[1] = array[i], array[i] = v;
        sift(array, 1, i - 1);
    }
}
NOINLINE int steps(const int *first, const int *last) {
    int n = 0;
    for (const int *p = last; p - first > 0; p -= 2)
        n++;
    return n;
}
KERNEL k(int *out, const int *in) {
    int mine[8];
    int *array = before(mine);
    for (int i = 1; i <= 8; i++)
        array[i] = in[(gid() * 5 + i) % 64];
    sort(array, 8);
    int *middle = array + 4 + gid() % 3;
    out[gid()] = apart(array, middle) * 7 + apart(middle, array) + after(middle, array) * 1000 + array[3] +
                 steps(array, middle) * 10000;
}
KERNEL l(int *out, const int *in) {
    LOCAL int all[16];
    int *whole = all;
    whole[lid()] = in[gid()];
    meet();
    int *array = before(whole);
    if (lid() == 0) sort(array, 16);
    meet();
    int *middle = array + 4 + gid() % 3;
    out[gid()] = apart(array, middle) * 7 + apart(middle, array) + after(middle, array) * 1000 + array[1 + lid()] +
                 steps(array, middle) * 10000;
}
