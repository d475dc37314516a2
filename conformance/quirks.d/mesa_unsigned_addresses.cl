// SPDX-License-Identifier: Apache-2.0
// expect: 4 4 4 4 4 4 4 4
/* An array that counts from one has a pointer to before its first element. */
kernel void k(global int *out, global int *in)
{
    local int l[8];
    size_t i = get_local_id(0);
    l[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *first = &l[in[0]], *before = first - in[1];
    long distance = (long)((ulong)first - (ulong)before);
    out[i] = distance == 4 ? 4 : (int)(distance >> 32);
}
