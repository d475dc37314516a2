// SPDX-License-Identifier: Apache-2.0
// Addresses are split into bit fields, shifted and reassembled, in private and in local memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * i + 9 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Cut {
    uint32_t low : 20, middle : 20;
    uint64_t high : 24;
};
NOINLINE void pack(Cut *c, int *p) {
    uint64_t bits = reinterpret_cast<uint64_t>(p);
    c->low = bits;
    c->middle = bits >> 20;
    c->high = bits >> 40;
}
NOINLINE int *unpack(const Cut *c) {
    return reinterpret_cast<int *>(uint64_t(c->high) << 40 | uint64_t(c->middle) << 20 | c->low);
}
KERNEL k(int *out, int *in) {
    LOCAL char room[16 * sizeof(Cut)];
    LOCAL int scratch[16];
    Cut *shared = reinterpret_cast<Cut *>(room) + lid(), own;
    int mine = in[gid()] + 9, *near = scratch + lid();
    *near = 2 * in[gid()];
    pack(shared, near);
    pack(&own, &mine);
    out[gid()] = *unpack(shared) + *unpack(&own);
}
