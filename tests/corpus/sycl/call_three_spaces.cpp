// SPDX-License-Identifier: Apache-2.0
// One function not inlined, called with a private, a local and a global pointer: instances, nothing ambiguous.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}", "local:192"],
  "expect": {"0": "int:{[3 * i + 3 + 3 * (i // 2) + 3 + i for i in range(64)]}"}, "ambiguous": 0}]}
*/
NOINLINE int sum3(const int *p) { return p[0] + p[1] + p[2]; }
NOINLINE void fill3(int *p, int v) {
    p[0] = v;
    p[1] = v + 1;
    p[2] = v + 2;
}
KERNEL k(int *out, const int *in, shared<int, 48> mem) {
    int priv[3];
    fill3(&mem[3 * lid()], in[gid()]);
    fill3(priv, in[gid()] / 2);
    int sum = sum3(&mem[3 * lid()]) + sum3(priv);
    if (gid() < 62) sum += sum3(in + gid()) - 2 * gid() - 3;
    else sum += in[gid()];
    out[gid()] = sum;
}
