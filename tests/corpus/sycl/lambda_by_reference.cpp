// SPDX-License-Identifier: Apache-2.0
// Lambdas that capture by reference, passed to a template that is not inlined.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 12 for i in range(64)]}"}, "ambiguous": 0}]}
*/
template <typename F> NOINLINE void each(int n, const F &f) {
    for (int i = 0; i < n; i++)
        f(i);
}
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int sum = 0, *g = in + gid(), *l = scratch + lid();
    *l = *g;
    each(4, [&](int i) { sum += 2 * i; });
    each(1, [&](int) { sum += *l + *g; });
    out[gid()] = sum;
}
