// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 300020 403040 506060 609080 712100 815120 918140 1021160
struct base {
    int x;
    base(int x) : x(x)
    {
    }
    int get() const
    {
        return x;
    }
};
struct derived : base {
    int y;
    derived(int x, int y) : base(x), y(y)
    {
    }
    int get() const
    {
        return base::get() * 10 + y;
    }
    operator int() const
    {
        return get();
    }
};
void twice(int &x)
{
    x *= 2;
}
int def(const base &b, int by = 3)
{
    return b.get() * by;
}
template <typename T, typename... R> int sum(T t, R... r)
{
    if constexpr (sizeof...(r) == 0)
        return t;
    else
        return t + sum(r...);
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    derived d(i, 5);
    l[j] = d;
    twice(l[j]);
    twice(d.y);
    int &r = out[i];
    r = l[j] + def(d) * 1000 + sum(1, 2, (int)i) * 100000 + d.y;
}
