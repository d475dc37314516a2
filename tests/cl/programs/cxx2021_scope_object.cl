// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 34 134 234 334 434 534 634 734
struct pt {
    int x, y;
    constexpr pt(int x, int y) : x(x), y(y)
    {
    }
};
constant int oxy[2] = {3, 4};
int get(const int &r)
{
    return r;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    pt p(i, 2);
    out[i] = get(p.x) * 100 + oxy[0] * 10 + oxy[1];
}
