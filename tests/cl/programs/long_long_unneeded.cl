// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1022 524285 268435452 -5 -6 -7 -8
ulong2 __attribute__((overloadable)) both(ulong a, ulong b)
{
    return (ulong2)(a, b);
}
ulong2 __attribute__((overloadable)) both(unsigned long long a, unsigned long long b)
{
    return (ulong2)((ulong)a, (ulong)b);
}
ulong low(long u, uint bits)
{
    return u & ((1LL << bits) - 1);
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    atomic_store((atomic_int *)&out[i], 7);
    ulong2 pair = both((ulong)i, (ulong)(i * 9 + 1));
    out[i] = (int)low(-1 - (long)pair.x, (uint)pair.y);
}
