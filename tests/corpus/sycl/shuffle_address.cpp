// SPDX-License-Identifier: Apache-2.0
// Local addresses sent through a sub-group shuffle as integers, in either half.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i for i in range(64)]}"}, "ambiguous": 0}]}
*/
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int *p = scratch + lid();
    *p = in[gid()];
    auto group = sycl::ext::oneapi::this_work_item::get_sub_group();
    int own = group.get_local_id()[0];
    uint64_t whole = sycl::select_from_group(group, reinterpret_cast<uint64_t>(p), own);
    uint32_t low = sycl::permute_group_by_xor(group, static_cast<uint32_t>(whole), 0);
    uint32_t high = sycl::permute_group_by_xor(group, static_cast<uint32_t>(whole >> 32), 0);
    out[gid()] = *reinterpret_cast<int *>(whole) + *reinterpret_cast<int *>(uint64_t(high) << 32 | low);
}
