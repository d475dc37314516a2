/* SPDX-License-Identifier: Apache-2.0 */
/* A loop phi merges pointers to two address spaces, which needs a run-time tag. smallest-value.cl does not need one.
 * expect: static 0, predicated 0, dispatched 2 */
kernel void smallest(global const int *in, global int *out, local int *tile)
{
    int lid = (int)get_local_id(0), size = (int)get_local_size(0);
    int mine = in[lid] / 2;
    tile[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int *best = &mine;
    for (int i = 0; i < size; i++)
        if (tile[i] < *best) best = &tile[i];
    out[lid] = *best;
}
