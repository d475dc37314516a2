// SPDX-License-Identifier: Apache-2.0
// With debug information: variables that hold generic pointers, in inlined and other functions.
// OPTIONS: -g
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * i + 1 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Range {
    int *first, *last;
};
NOINLINE int total(const Range &r) {
    int sum = 0;
    for (int *at = r.first; at != r.last; ++at)
        sum += *at;
    return sum;
}
KERNEL k(int *out, int *in) {
    LOCAL int scratch[32];
    int pair[2] = {1, in[gid()]};
    int *near = scratch + 2 * lid();
    near[0] = near[1] = in[gid()];
    Range own{pair, pair + 2}, shared{near, near + 2};
    out[gid()] = total(own) + total(shared);
}
