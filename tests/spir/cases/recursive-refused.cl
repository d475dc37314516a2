// SPDX-License-Identifier: Apache-2.0
// Recursion, which SPIR-V forbids: an interpreter with one set of values for each function computes wrong results, and a driver that
// inlines every function crashes.
// REFUSED: , which is recursive
int even(int x);

__attribute__((noinline)) int down(int x)
{
    if (x <= 0) return (int)get_local_id(0);
    return even(x - 1) + even(x - 2) + 1;
}

__attribute__((noinline)) int even(int x)
{
    return x > 5 ? x : down(x - 1);
}

kernel void caller(global int *v)
{
    v[get_global_id(0)] = down(v[get_global_id(0)]);
}
