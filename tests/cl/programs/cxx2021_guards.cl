// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=clc++2021
// expect: 11330101 13340302 15350503 17360704 19370905 21381106 23391307 25401508
struct guard {
    int *n;
    guard(int *n) : n(n)
    {
        *n += 1;
    }
    ~guard()
    {
        *n += 10;
    }
    guard(const guard &) = delete;
};
int use(int *p)
{
    guard g(p);
    return *p;
}
__kernel void k(__global int *out, __global int *in)
{
    int i = get_global_id(0);
    int x = i;
    __local int l[4];
    l[get_local_id(0)] = 2 * i;
    int a = use(&x), b = use(&l[get_local_id(0)]);
    {
        guard g(&x);
        guard h(&x);
    }
    out[i] = a + b * 100 + x * 10000 + l[get_local_id(0)] * 1000000;
}
