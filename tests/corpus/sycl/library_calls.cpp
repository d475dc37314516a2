// SPDX-License-Identifier: Apache-2.0
// Calls into the device library that take pointers: memcpy, memmove, memset of run-time sizes, modf, frexp.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 3 for i in range(64)]}"}, "ambiguous": 0}]}
*/
#include <cmath>
#include <cstring>
NOINLINE void gather(int *to, const int *from, int n) { std::memmove(to, from, n * sizeof(int)); }
KERNEL k(int *out, int *in) {
    LOCAL int scratch[64];
    int mine[4], exponent;
    float whole;
    std::memset(mine, 0, (in[gid()] & 3) * 4 + 4);
    gather(mine, in + gid(), 1);
    int *near = scratch + 4 * lid();
    std::memcpy(near, mine, sizeof(int) * ((in[gid()] & 1) + 1));
    float part = std::modf(near[0] + 0.5f, &whole);
    float fraction = std::frexp(1.0f, &exponent);
    out[gid()] = near[0] + static_cast<int>(whole) + static_cast<int>(4 * part * fraction) + exponent + 1;
}
