// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 1104 6013 3114 99025 5124 99037 7134
uint first(uint *v, uint n, uint want)
{
    for (uint i = 0; i < n; i++) {
        uint pair[2] = {v[i], v[i] * 3};
        if (pair[want & 1] == want) return i;
    }
    return 99;
}
kernel void k(global int *out, global int *in)
{
    local uint l[8];
    uint i = get_global_id(0);
    for (uint n = 0; n < 8; n++)
        if (get_local_id(0) == 0) l[n] = in[n] + 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = first((uint *)in, 8, i * 3) * 1000 + first(l, 8, i + 6) + (uint)(5ull * i);
}
