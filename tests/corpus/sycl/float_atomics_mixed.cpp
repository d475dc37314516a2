// SPDX-License-Identifier: Apache-2.0
// Atomic additions of floats to a sum that is local for some items and global for others.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:16"],
  "expect": {"0": "int:{[8 for i in range(64)]}", "1": "float:{[64, 0, 0, 0]}"},
  "ambiguous": 1, "why": "odd items add locally, even ones globally"}]}
*/
NOINLINE void add(float *to, float what) {
    sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device> ref(*to);
    ref.fetch_add(what);
}
KERNEL k(int *out, float *sums) {
    LOCAL float near[1];
    if (lid() == 0)
        near[0] = 0;
    meet();
    add(gid() & 1 ? near : sums, gid() & 1 ? 1.0f : 2.0f);
    meet();
    out[gid()] = static_cast<int>(near[0]);
}
