// SPDX-License-Identifier: Apache-2.0
// A private address goes through an atomic exchange on a local integer.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i for i in range(64)]}"}, "ambiguous": 0}], "needs": "atomics64"}
*/
KERNEL k(int *out, int *in) {
    LOCAL uint64_t slots[16];
    int mine = in[gid()];
    uint64_t *slot = slots + lid();
    *slot = 0;
    sycl::atomic_ref<uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group> ref(*slot);
    ref.exchange(reinterpret_cast<uint64_t>(&mine));
    int *p = reinterpret_cast<int *>(ref.exchange(0));
    out[gid()] = *p + in[gid()];
}
