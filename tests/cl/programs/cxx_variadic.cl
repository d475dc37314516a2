// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 1514 1415 2716 2217 3918 3019 5120 3821
template <typename... T> int sum(const T &...values)
{
    return (0 + ... + values);
}
template <typename F, typename T> auto apply(F f, T *from, T *to)
{
    for (; from != to; ++from) f(*from);
}
constexpr int power(int b, int e)
{
    return e ? b * power(b, e - 1) : 1;
}
static_assert(power(2, 5) == 32, "constants");
enum class color : int { red = 1, green = 2 };
struct counter {
    int n = 0;
    void add(int v) { n += v; }
    int get() const { return n; }
};
__kernel void k(__global int *out, __global int *in)
{
    __local int l[4][3];
    int i = get_global_id(0), me = get_local_id(0), p[3] = {1, 2, i};
    for (int n = 0; n < 3; n++) l[me][n] = in[n + i];
    constexpr int nine = power(3, 2);
    counter c;
    apply([&c](int &v) { c.add(v); v *= 2; }, &p[0], &p[3]);
    apply([&](int &v) { v += c.get(); }, &l[me][0], &l[me][0] + 3);
    int *which = p;
    if (i % 2 == 0) which = l[me];
    int a = p[0], b = p[1], d = p[2];
    out[i] = sum(a, b, d, which[1], which[2]) * 100 + c.get() + static_cast<int>(color::green) + nine;
}
