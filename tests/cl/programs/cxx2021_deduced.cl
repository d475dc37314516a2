// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 10 11 12 13 14 15 16 17
/* All address spaces are deduced, so no pointer is generic; but drivers do not support C++. */
template <typename... T> int sum(const T &...t)
{
    return (0 + ... + t);
}
template <int N> struct factorial {
    static constexpr int value = N * factorial<N - 1>::value;
};
template <> struct factorial<0> {
    static constexpr int value = 1;
};
template <typename T> int kind(T *)
{
    if constexpr (sizeof(T) == 4)
        return 1;
    else
        return 2;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), a = 1, b = 2;
    char c;
    auto [x, y] = [] {
        struct pair {
            int x, y;
        };
        return pair{3, 4};
    }();
    out[i] = sum(a, b, x, y) + i + factorial<3>::value - 6 + kind(&c) - 2 * kind(&a);
}
