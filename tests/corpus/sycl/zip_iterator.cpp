// SPDX-License-Identifier: Apache-2.0
// Strided and zipped iterator classes that hold pointers of different spaces.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[sum((j * 2) * (j + 1) for j in range(4)) + i for i in range(64)]}"}, "ambiguous": 0}]}
*/
template <typename T> struct Strided {
    T *at;
    int step;
    T &operator*() const { return *at; }
    Strided &operator++() { at += step; return *this; }
};
template <typename A, typename B> struct Zip {
    A a;
    B b;
    int product() const { return *a * *b; }
    Zip &operator++() { ++a; ++b; return *this; }
};
template <typename Z> NOINLINE int dot(Z z, int n) {
    int s = 0;
    for (int i = 0; i < n; i++, ++z)
        s += z.product();
    return s;
}
KERNEL k(int *out, int *in) {
    int mine[4] = {1, 2, 3, 4};
    Zip<Strided<int>, Strided<int>> z{{in, 2}, {mine, 1}};
    out[gid()] = dot(z, 4) + in[gid()];
}
