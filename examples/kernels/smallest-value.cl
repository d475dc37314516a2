/* SPDX-License-Identifier: Apache-2.0 */
/* The loop keeps the value instead of a pointer to it, so the compiler emits no generic pointer.
 * expect: static 0, predicated 0, dispatched 0 */
kernel void smallest(global const int *in, global int *out, local int *tile)
{
    int lid = (int)get_local_id(0), size = (int)get_local_size(0);
    tile[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    int best = in[lid] / 2;
    for (int i = 0; i < size; i++)
        if (tile[i] < best) best = tile[i];
    out[lid] = best;
}
