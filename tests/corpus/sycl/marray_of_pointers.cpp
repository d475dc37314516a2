// SPDX-License-Identifier: Apache-2.0
// Pointers in std::array and sycl::marray, all of one space, indexed at run time.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i + i % 4) % 64 + 10 * (i % 3) for i in range(64)]}"}, "ambiguous": 0}]}
*/
#include <array>
KERNEL k(int *out, int *in) {
    int tens[3] = {0, 10, 20};
    std::array<int *, 4> far;
    std::array<int *, 3> near;
    for (int i = 0; i < 4; i++)
        far[i] = in + (gid() + i) % 64;
    for (int i = 0; i < 3; i++)
        near[i] = tens + i;
    out[gid()] = *far[gid() % 4] + *near[gid() % 3];
}
