// SPDX-License-Identifier: Apache-2.0
// Local memory of the kernel, and a table.
constant int table[4] = {1, 2, 3, 4};
kernel void k(global int *out)
{
    local int kept[16];
    kept[get_local_id(0)] = table[get_local_id(0) & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = kept[0];
}
