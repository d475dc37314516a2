// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1538413753 754207069 -2094773884 239264340 -932679693 1659234413 1438292800 1121619220
// A kernel's parameter that points to integers of 128 bits, rotations and counts of such integers.
typedef unsigned long long ull;
ull rotated(ull x, uint n)
{
    return (x << (n & 127)) | (x >> (-n & 127));
}
kernel void k(global int *out, global ull *in)
{
    int i = get_global_id(0);
    atomic_int counter;
    atomic_init(&counter, i);
    uint n = (uint)atomic_load(&counter) * 37u + 5u;
    ull x = (in[i & 1] << (n & 31)) * 0x9e3779b97f4a7c15ull + i;
    ull y = rotated(x, n);
    uint h = (uint)y ^ (uint)(y >> 32) ^ (uint)(y >> 64) ^ (uint)(y >> 96);
    h = h * 31 + (uint)__builtin_clzll((y >> (n & 127)) | 1) + (uint)__builtin_popcountll(y);
    out[i] = (int)(h * 31 + (uint)__builtin_ctzll(x << (n & 63) | (ull)1 << 127));
}
