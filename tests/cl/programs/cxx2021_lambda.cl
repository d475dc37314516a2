// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 4084 4090 4096 4102 4108 4114 4120 4126
template <class F> int apply(F f, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += f(i);
    return r;
}
template <int N> struct arr {
    int v[N];
    int &operator[](int i)
    {
        return v[i];
    }
    const int *begin() const
    {
        return v;
    }
    const int *end() const
    {
        return v + N;
    }
};
constexpr int square(int x)
{
    return x * x;
}
enum class kind : int { a = 3, b = 4 };
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    arr<4> a{{1, 2, 3, square(3)}};
    a[0] = (int)i;
    int s = 0;
    for (auto x : a)
        s += x;
    auto f = [&](int x) { return x * s; };
    out[i] = apply(f, 4) + static_cast<int>(kind::b) * 1000;
}
