// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=clc++2021
// expect: 1 1 1 1 1 1 1 1
struct counter {
    int n = 0;
    void up()
    {
        n++;
    }
    void up() __local
    {
        n += 2;
    }
    int read() const
    {
        return n;
    }
};
template <typename T> void swap_them(T &a, T &b)
{
    T c = a;
    a = b;
    b = c;
}
void both(int &a, __local int &b)
{
    a += b;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0), t = get_local_id(0);
    __local int l[4];
    __local counter c[4];
    c[t].n = 0;
    counter p;
    p.up();
    c[t].up();
    l[t] = 5;
    int x = 3;
    swap_them<int>(x, l[t]);
    both(x, l[t]);
    out[i] = x == 8 && l[t] == 3 && p.read() == 1 && c[t].n == 2;
}
