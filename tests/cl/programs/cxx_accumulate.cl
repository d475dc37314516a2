// SPDX-License-Identifier: Apache-2.0
// Iterators and lambdas over a private array and the host's memory.
// options: -cl-std=CLC++
// expect: 0 1 2 3 4 5 6 7

template <class T, int N> struct Array {
    T data[N];
    T *begin()
    {
        return data;
    }
    T *end()
    {
        return data + N;
    }
    const T &operator[](int i) const
    {
        return data[i];
    }
};
template <class It, class F> auto accumulate(It b, It e, F f)
{
    auto s = *b;
    for (++b; b != e; ++b)
        s = f(s, *b);
    return s;
}
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    Array<int, 4> a{{1, 2, 3, g}};
    auto s = accumulate(a.begin(), a.end(), [](int x, int y) { return x + y; });
    auto m = accumulate(in + g, in + g + 3, [&](int x, int y) { return x > y ? x : y; });
    out[g] = s == 6 + g && m == g + 2 ? g : -1;
}
