// SPDX-License-Identifier: Apache-2.0
// An address kept as an integer in a private struct next to plain numbers.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 5 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Handle {
    unsigned flags;
    uint64_t address;
    uint64_t count;
};
NOINLINE void open(Handle &h, int *p) {
    h.flags = 1;
    h.address = reinterpret_cast<uint64_t>(p);
    h.count = 5;
}
NOINLINE int read(const Handle &h) { return *reinterpret_cast<int *>(h.address) + static_cast<int>(h.count) * h.flags; }
KERNEL k(int *out, int *in) {
    int mine = in[gid()];
    Handle near, far;
    open(near, &mine);
    open(far, in + gid());
    out[gid()] = read(near) + read(far) - 5;
}
