// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 11346 24355 43364 68373 99382 136391 179400 228409
namespace shapes
{
template <typename T, int N> struct vec {
    T at[N];
    vec()
    {
        for (int i = 0; i < N; i++) at[i] = T();
    }
    explicit vec(T v)
    {
        for (auto &x : at) x = v++;
    }
    T &operator[](int i)
    {
        return at[i];
    }
    const T &operator[](int i) const
    {
        return at[i];
    }
    vec &operator+=(const vec &o)
    {
        for (int i = 0; i < N; i++) at[i] += o.at[i];
        return *this;
    }
};
template <typename T, int N> T dot(const vec<T, N> &a, const vec<T, N> &b)
{
    T s{};
    for (int i = 0; i < N; i++) s += a[i] * b[i];
    return s;
}
} // namespace shapes
static int where(__global int *)
{
    return 1;
}
static int where(__local int *)
{
    return 2;
}
static int where(__private int *)
{
    return 3;
}
__kernel void k(__global int *out, __global int *in)
{
    using vec3 = shapes::vec<int, 3>;
    __local int l[4];
    int i = get_global_id(0), p = 0;
    vec3 a(i), b(2), c;
    c += a;
    c += b;
    c[1] -= 5;
    out[i] = dot(a, c) * 1000 + dot(b, c) + where(&p) * 100 + where(l) * 10 + where(in);
}
