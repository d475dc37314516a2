// SPDX-License-Identifier: Apache-2.0
// A by-value struct argument that is written through a pointer: each work-item has its own copy.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "bytes:0100000002000000"],
  "expect": {"0": "int:{[i + 1 + 2 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Two {
    int a, b;
};
NOINLINE void bump(int *p, int by) { *p += by; }
KERNEL k(int *out, Two t) {
    bump(&t.a, gid());
    meet();
    out[gid()] = t.a + t.b;
}
