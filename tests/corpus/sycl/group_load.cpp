// SPDX-License-Identifier: Apache-2.0
// group_load and group_store between private, local and global memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:1024", "buffer:int:{range(256)}", "zero:1024"],
 "expect": {"0": "int:{[i+1 for i in range(256)]}", "2": "int:{[2*(i+1) for i in range(256)]}"}, "ambiguous": 0}]}
*/
#include <sycl/ext/oneapi/experimental/group_load_store.hpp>
KERNEL k(int *out, int *in, int *twice) {
    LOCAL int tile[64];
    auto grp = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_group();
    int base = (gid() - lid()) * 4;
    int mine[4];
    syclex::group_load(grp, in + base, sycl::span<int, 4>(mine, 4));
    for (int &v : mine) v++;
    syclex::group_store(grp, sycl::span<int, 4>(mine, 4), (int *)tile);
    meet();
    int back[4];
    syclex::group_load(grp, (int *)tile, sycl::span<int, 4>(back, 4));
    syclex::group_store(grp, sycl::span<int, 4>(back, 4), out + base);
    for (int &v : back) v *= 2;
    syclex::group_store(grp, sycl::span<int, 4>(back, 4), twice + base);
}
