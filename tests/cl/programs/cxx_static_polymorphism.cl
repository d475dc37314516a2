// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=clc++
// expect: 2320 12382 22444 32506 42568 52630 62692 72754
template <class D> struct base {
    int twice()
    {
        return static_cast<D *>(this)->get() * 2;
    }
};
struct one : base<one> {
    int x;
    int get()
    {
        return x;
    }
};
struct two : base<two> {
    int x;
    int get()
    {
        return x + 100;
    }
};
enum class kind : uchar { a = 1, b = 200 };
namespace n
{
constexpr int f(int x)
{
    return x <= 1 ? 1 : x * f(x - 1);
}
} // namespace n
__kernel void k(__global int *out, __global int *in)
{
    int i = get_global_id(0);
    one o;
    two t;
    o.x = i;
    t.x = i * 3;
    auto *p = in + i;
    constexpr int c = n::f(5);
    out[i] = o.twice() + t.twice() * 10 + *p * 10000 + c + static_cast<int>(kind::b);
}
