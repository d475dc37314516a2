// SPDX-License-Identifier: Apache-2.0
// Iteration from begin to end pointers over global memory: a phi cycle.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[sum(range(i + 1)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
template <typename It> NOINLINE int accumulate(It first, It last) {
    int sum = 0;
    for (; first != last; ++first)
        sum += *first;
    return sum;
}
KERNEL k(int *out, const int *in) { out[gid()] = accumulate(in, in + gid() + 1); }
