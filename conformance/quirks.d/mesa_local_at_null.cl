// SPDX-License-Identifier: Apache-2.0
// expect: 1 1 1 1 1 1 1 1
/* A pointer to a variable is not null. */
kernel void k(global int *out, global int *in)
{
    local int l[8];
    size_t i = get_local_id(0);
    l[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (ulong)&l[in[0]] ? l[0] + 1 : 77;
}
