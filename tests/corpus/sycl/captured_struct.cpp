// SPDX-License-Identifier: Apache-2.0
// A by-value struct argument contains pointers of the host: 64-bit integers from the host are global addresses.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}", "struct:@1,@1+16,ulong:5"],
  "expect": {"0": "int:{[i + (i + 4) % 64 + 5 for i in range(64)]}"}, "ambiguous": 0}],
 "run": "a by-value argument with addresses in it needs a host that can ask for them"}
*/
struct Views {
    int *a, *b;
    long n;
};
KERNEL k(int *out, int *, Views v) {
    int j = gid() < 60 ? gid() : gid() - 64;
    out[gid()] = v.a[gid()] + v.b[j] + v.n;
}
