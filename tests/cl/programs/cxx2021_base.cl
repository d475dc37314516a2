// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=clc++2021
// expect: 7 8 9 10 11 12 13 14
struct base {
    int v;
    constexpr base(int v) : v(v)
    {
    }
    int get() const
    {
        return v;
    }
};
struct derived : base {
    int w;
    constexpr derived(int v, int w) : base(v), w(w)
    {
    }
    int both() const
    {
        return get() + w;
    }
};
struct two {
    int v, w;
};
__constant constexpr two fixed{3, 4};
template <class F> int apply(F f, int x)
{
    return f(x);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    derived d(i, fixed.w);
    const base &b = d;
    int z = fixed.v;
    out[i] = apply([&](int x) { return x + b.get() + d.w; }, z);
}
