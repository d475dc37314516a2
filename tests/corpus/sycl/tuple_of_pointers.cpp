// SPDX-License-Identifier: Apache-2.0
// std::tuple and std::pair of pointers of different spaces, structured bindings.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 11 for i in range(64)]}"}, "ambiguous": 0}]}
*/
#include <tuple>
NOINLINE std::tuple<int *, int *, int> pack(int *a, int *b) { return {a, b, 4}; }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int seven = 7, *mine = scratch + lid();
    *mine = in[gid()];
    auto [p, q, four] = pack(&seven, mine);
    std::pair<int *, int *> pair(in + gid(), p);
    out[gid()] = *p + *q + four + *pair.first + *pair.second - 7;
}
