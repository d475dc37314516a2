// SPDX-License-Identifier: Apache-2.0
// Addresses as integers, with offsets added, and back.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i + 3) % 64 + 40 + 8 for i in range(64)]}"}, "ambiguous": 0}],
 "wrong_on": {"native": "the vectoriser loses stores to private arrays whose address escapes as an integer"}}
*/
NOINLINE uintptr_t at(const void *base, int index) { return reinterpret_cast<uintptr_t>(base) + 4 * index; }
KERNEL k(int *out, int *in) {
    int priv[4] = {10, 20, 30, 40};
    int i = (gid() + 3) % 64;
    int *g = reinterpret_cast<int *>(at(in, i));
    int *p = reinterpret_cast<int *>(at(priv, (in[gid()] & 0) + 3));
    uintptr_t first = at(priv, 0), last = at(priv, 2);
    out[gid()] = *g + *p + static_cast<int>(last - first);
}
