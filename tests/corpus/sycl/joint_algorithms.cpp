// SPDX-License-Identifier: Apache-2.0
// Group algorithms over ranges in local and global memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{[(i*7)%23 for i in range(64)]}", "zero:256"],
 "expect": {"0": "int:{(lambda v: [sum(v) + 10*sum(v[g-g%16:g-g%16+16]) + max(v)*10000 + 1000000 + sum(v[:g%16+1])*0 for g in range(64)])([(i*7)%23 for i in range(64)])}",
  "2": "int:{(lambda v: [sum(v[g-g%16:g+1]) + sum(v[g-g%16:g]) for g in range(64)])([(i*7)%23 for i in range(64)])}"}, "ambiguous": 0}]}
*/
KERNEL k(int *out, int *in, int *scan) {
    LOCAL int tile[16];
    LOCAL int sums[16];
    auto grp = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_group();
    int g = gid(), l = lid(), base = g - l;
    int *t = tile, *s = sums;
    t[l] = in[g];
    meet();
    int r = sycl::joint_reduce(grp, in, in + 64, sycl::plus<>());
    r += 10 * sycl::joint_reduce(grp, t, t + 16, sycl::plus<int>());
    r += 10000 * sycl::reduce_over_group(grp, sycl::joint_reduce(grp, in, in + 64, sycl::maximum<>()), sycl::maximum<>());
    r += sycl::joint_any_of(grp, t, t + 16, [=](int v) { return v == t[3]; }) ? 1000000 : 0;
    sycl::joint_inclusive_scan(grp, in + base, in + base + 16, scan + base, sycl::plus<>());
    sycl::joint_exclusive_scan(grp, t, t + 16, s, 0, sycl::plus<>());
    meet();
    scan[g] += s[l];
    out[g] = r;
}
