// SPDX-License-Identifier: Apache-2.0
// multi_ptr and address_space_cast: explicit casts to the space that the pointer has.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 2 for i in range(64)]}"}, "ambiguous": 0}]}
*/
using sycl::access::address_space;
using sycl::access::decorated;
template <address_space S> NOINLINE auto cast(int *p) { return sycl::address_space_cast<S, decorated::yes>(p); }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int priv = 2, *mine = scratch + lid();
    *mine = in[gid()];
    auto g = cast<address_space::global_space>(in);
    auto l = cast<address_space::local_space>(scratch);
    auto p = cast<address_space::private_space>(&priv);
    out[gid()] = g[gid()] + l[lid()] + *p;
}
