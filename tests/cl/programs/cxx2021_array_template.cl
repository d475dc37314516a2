// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=clc++2021
// expect: 600 20706 40812 60918 81024 101130 121236 141342
template <typename T, int N> struct arr {
    T v[N];
    T &operator[](int i)
    {
        return v[i];
    }
    const T &operator[](int i) const
    {
        return v[i];
    }
    T sum() const
    {
        T s{};
        for (auto &x : v)
            s += x;
        return s;
    }
};
template <typename F> int apply(F f, int *p)
{
    return f(p);
}
__kernel void k(__global int *out, __global int *in)
{
    int i = get_global_id(0);
    arr<int, 4> a{{i, 1, 2, 3}};
    __local arr<int, 4> *l;
    __local arr<int, 4> ls[4];
    l = &ls[get_local_id(0)];
    for (int j = 0; j < 4; j++)
        (*l)[j] = j * i;
    out[i] = a.sum() * 100 + l->sum() + apply([=](int *p) { return *p + i; }, in + i) * 10000;
}
