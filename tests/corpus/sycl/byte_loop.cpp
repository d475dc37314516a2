// SPDX-License-Identifier: Apache-2.0
// A struct of pointers copied byte by byte from private to private memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 9 for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 2, "O2": 2, "O2-noinline": 2}, "why": "bytes at a running offset may be of either pointer"}]}
*/
struct Two {
    int *a;
    int *b;
};
NOINLINE void bytes(void *to, const void *from, int n) {
    volatile unsigned char *t = static_cast<unsigned char *>(to);
    const unsigned char *f = static_cast<const unsigned char *>(from);
    for (int i = 0; i < n; i++)
        t[i] = f[i];
}
KERNEL k(int *out, int *in) {
    int nine = 9;
    Two from{&nine, in + gid()}, to;
    bytes(&to, &from, sizeof to);
    out[gid()] = *to.a + *to.b;
}
