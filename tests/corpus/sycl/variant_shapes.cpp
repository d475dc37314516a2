// SPDX-License-Identifier: Apache-2.0
// std::variant of integers and of pointers to private, local and global memory: the code that would throw an exception is in the module,
// although no device can throw; without optimization and inlining it contains calls of the host's C++ library, and the table of its exception.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(80)}"],
  "expect": {"0": "int:{[(7 * 100 + 12) * 100 + sum(range(i, i + 5)) + (1 + 2 + i + 4) * 3 + 16 * 5 for i in range(64)]}"}, "ambiguous": {"O0": 1, "O2": 1, "O2-noinline": 1},
  "why": "the span of the loop over all shapes is of each memory in turn"}]}
*/
#include <variant>
struct One { int v; };
struct Box { int w, h; };
struct Row { const int *p; int n; };
using Shape = std::variant<One, Box, Row>;
struct Sum {
    int operator()(const One &o) const { return o.v; }
    int operator()(const Box &b) const { return b.w * b.h; }
    int operator()(const Row &r) const {
        int s = 0;
        for (int i = 0; i < r.n; i++)
            s += r.p[i];
        return s;
    }
};
NOINLINE int sum(const Shape &s) {
    if (std::holds_alternative<One>(s)) return Sum()(std::get<One>(s));
    return s.index() == 1 ? Sum()(std::get<1>(s)) : Sum()(std::get<2>(s));
}
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int *l = scratch, own[4] = {1, 2, in[gid()], 4};
    l[lid()] = 5;
    meet();
    Shape all[5];
    all[0] = One{7};
    all[1] = Box{3, 4};
    all[2] = Row{in + gid(), 5};
    all[3] = Row{own, 4};
    all[4] = Row{l, 16};
    out[gid()] = (sum(all[0]) * 100 + sum(all[1])) * 100 + sum(all[2]) + sum(all[3]) * 3 + sum(all[4]);
}
