// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 4 11 18 25 32 39 46 53
template <class T, int N> struct box {
    T item[N];
    T &operator[](int i) { return item[i]; }
    template <class F> T fold(F f) const { T r = 0; for (int i = 0; i < N; i++) r = f(r, item[i]); return r; }
};
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    box<int, 3> b;
    for (int j = 0; j < 3; j++) b[j] = in[i + j];
    int scale = 2;
    out[i] = b.fold([&](int r, int x) { return r * scale + x; });
}
