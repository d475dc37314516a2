// SPDX-License-Identifier: Apache-2.0
// std::max_element over private, local and global arrays: an iterator comes back.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{[(37 * i) % 64 for i in range(64)]}"],
  "expect": {"0": "int:{[63 + max((37 * j) % 64 for j in range(i // 16 * 16, i // 16 * 16 + 16)) + max((37 * i) % 64, 30) for i in range(64)]}"},
  "ambiguous": 0}]}
*/
template <typename It> NOINLINE It biggest(It first, It last) {
    It best = first;
    for (; first != last; ++first)
        if (*best < *first) best = first;
    return best;
}
KERNEL k(int *out, const int *in) {
    LOCAL int scratch[16];
    int priv[2] = {in[gid()], 30};
    scratch[lid()] = in[gid()];
    meet();
    out[gid()] = *biggest(in, in + 64) + *biggest(scratch, scratch + 16) + *biggest(priv, priv + 2);
}
