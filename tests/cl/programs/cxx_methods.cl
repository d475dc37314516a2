// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 11 12 13 14 15 16 17 18
struct counter {
    int value;
    counter(int v) : value(v) {}
    int next() { return ++value; }
    int operator+(const counter &other) const { return value + other.value; }
};
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    counter a(in[i]), b(10);
    b.next();
    out[i] = a + b;
}
