// SPDX-License-Identifier: Apache-2.0
// Null or a pointer, tested before use, in a struct and as a result.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i if i % 2 else -1) + (7 if i % 3 else -2) for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Maybe {
    int *p = nullptr;
    NOINLINE int or_else(int v) const { return p ? *p : v; }
};
KERNEL k(int *out, int *in) {
    int seven = 7;
    Maybe a, b;
    if (in[gid()] & 1) a.p = in + gid();
    if (in[gid()] % 3) b.p = &seven;
    out[gid()] = a.or_else(-1) + b.or_else(-2);
}
