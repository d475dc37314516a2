// SPDX-License-Identifier: Apache-2.0
// A pointer is stored as the bits of a double.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 3 for i in range(64)]}"}, "ambiguous": 0}], "needs": "fp64",
 "wrong_on": {"native": "the vectoriser loses stores to private arrays whose address escapes as an integer"}}
*/
NOINLINE double hide(int *p) { return sycl::bit_cast<double>(p); }
NOINLINE int *show(double d) { return sycl::bit_cast<int *>(d); }
KERNEL k(int *out, int *in) {
    int three = 3;
    out[gid()] = *show(hide(&three)) + *show(hide(in + gid()));
}
