/* SPDX-License-Identifier: Apache-2.0 */
/* The value walks, not the pointer: nothing generic is left by the compiler.
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
