// SPDX-License-Identifier: Apache-2.0
// SYCL mathematics with results through pointers: modf, fract, frexp, sincos.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:float:{[j + 0.25 for j in range(64)]}"],
  "expect": {"0": "float:{[2 * (j + 0.25) + (j + 0.25) for j in range(64)]}"}, "ambiguous": 0}]}
*/
using sycl::access::address_space;
KERNEL k(float *out, float *in) {
    LOCAL float scratch[16];
    float whole, *near = scratch + lid();
    int e;
    auto p = sycl::address_space_cast<address_space::private_space, sycl::access::decorated::no>(&whole);
    auto q = sycl::address_space_cast<address_space::local_space, sycl::access::decorated::no>(near);
    auto x = sycl::address_space_cast<address_space::private_space, sycl::access::decorated::no>(&e);
    float a = sycl::modf(in[gid()], p);
    float b = sycl::fract(in[gid()], q);
    float c = sycl::frexp(in[gid()], x);
    out[gid()] = a + whole + b + *near + sycl::ldexp(c, e);
}
