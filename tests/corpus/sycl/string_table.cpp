// SPDX-License-Identifier: Apache-2.0
// A constant table of string pointers, measured by a function that also measures a private string.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[[3, 5, 4][i % 3] + 2 for i in range(64)]}"}, "ambiguous": 0}]}
*/
static constexpr const char *names[3] = {"abc", "abcde", "abcd"};
NOINLINE int length(const char *s) {
    int n = 0;
    while (s[n])
        n++;
    return n;
}
KERNEL k(int *out, int *in) {
    char mine[3] = {'a', static_cast<char>('b' + (in[gid()] & 1)), 0};
    out[gid()] = length(names[in[gid()] % 3]) + length(mine);
}
