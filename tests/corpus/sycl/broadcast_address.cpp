// SPDX-License-Identifier: Apache-2.0
// A local address broadcast to the group as an integer.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i // 16 * 16 + 5 for i in range(64)]}"}, "ambiguous": 0}]}
*/
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int *p = scratch + lid();
    *p = in[gid()];
    auto group = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_group();
    uint64_t from = sycl::group_broadcast(group, reinterpret_cast<uint64_t>(p), 5);
    meet();
    out[gid()] = *reinterpret_cast<int *>(from);
}
