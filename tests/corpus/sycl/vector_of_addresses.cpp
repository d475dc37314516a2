// SPDX-License-Identifier: Apache-2.0
// Addresses in the lanes of a vector, swizzled.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + (i ^ 1) * 2 for i in range(64)]}"}, "ambiguous": 0}]}
*/
KERNEL k(int *out, int *in) {
    sycl::vec<uint64_t, 2> both(reinterpret_cast<uint64_t>(in + gid()), reinterpret_cast<uint64_t>(in + (gid() ^ 1)));
    sycl::vec<uint64_t, 2> turned = both.swizzle<1, 0>();
    out[gid()] = *reinterpret_cast<int *>(static_cast<uint64_t>(turned.y())) +
                 2 * *reinterpret_cast<int *>(static_cast<uint64_t>(turned.x()));
}
