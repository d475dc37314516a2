// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 10368890 10368890 10368890 10368890 10368890 10368890 10368990 10368990
inline ulong mix(ulong *p) { return (*p ^ 0x9e3779b97f4a7c15ull) + (1ull << 40); }
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    ulong x = in[i];
    out[i] = (int)(mix(&x) >> 40) + (x > 5ull ? 100 : 0);
}
