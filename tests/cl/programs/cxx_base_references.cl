// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++
// expect: 646091 646193 646295 646394 646496 646598 646697 646799
struct base {
    int b;
    int name() const
    {
        return b;
    }
    base() : b(1)
    {
    }
    ~base()
    {
        b = 0;
    }
};
struct left : base {
    int l;
    left(int x) : l(x)
    {
        b += x;
    }
};
struct right : left {
    right() : left(4)
    {
    }
    int total()
    {
        return l * 10 + b;
    }
};
template <typename T> void swap2(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}
template <typename T> T from(const T *p, int n)
{
    return p[n];
}
kernel void k(global int *out, global int *in)
{
    right r;
    int i = get_global_id(0);
    int x = i, y = 9;
    local int z;
    z = 8;
    swap2(x, y);
    {
        base tmp;
        r.b += tmp.name();
    }
    int arr[3] = {1, 2, 3};
    out[i] =
        r.total() * 1000 + x * 10 + y * 100 + from(arr, i % 3) + from(in, i) + static_cast<base &>(r).name() * 100000;
}
