// SPDX-License-Identifier: Apache-2.0
// atomic_ref of the generic space over local bins, then over global ones.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:32", "buffer:int:{[(i * i) % 8 for i in range(64)]}"],
  "expect": {"0": "int:{[[(i * i) % 8 for i in range(64)].count(b) for b in range(8)]}"}, "ambiguous": 0}]}
*/
NOINLINE void count(int *bin, int by) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> ref(*bin);
    ref += by;
}
KERNEL k(int *out, const int *in) {
    LOCAL int bins[8];
    int *b = bins;
    if (lid() < 8) b[lid()] = 0;
    meet();
    count(b + in[gid()], 1);
    meet();
    if (lid() < 8) count(out + lid(), b[lid()]);
}
