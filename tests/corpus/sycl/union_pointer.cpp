// SPDX-License-Identifier: Apache-2.0
// A pointer that goes into a union as a pointer and comes out as an integer and as bytes.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i + 5 for i in range(64)]}"}, "ambiguous": 0}]}
*/
union Word {
    int *pointer;
    uint64_t bits;
    unsigned char bytes[8];
};
NOINLINE uint64_t bits_of(const Word &w) { return w.bits; }
NOINLINE void copy_bytes(Word &to, const Word &from) {
    for (int i = 0; i < 8; i++)
        to.bytes[i] = from.bytes[i];
}
KERNEL k(int *out, int *in) {
    int five = 5;
    Word a, b;
    a.pointer = &five;
    copy_bytes(b, a);
    out[gid()] = *reinterpret_cast<int *>(bits_of(b));
    a.pointer = in + gid();
    out[gid()] += *reinterpret_cast<int *>(bits_of(a));
}
