/* SPDX-License-Identifier: Apache-2.0 */
/* A select chooses between pointers to two address spaces: the access is split on its condition, and needs no tag.
 * expect: static 0, predicated 1, dispatched 0 */
kernel void choose(global const int *in, global int *out, local int *tile, int which)
{
    int lid = (int)get_local_id(0);
    tile[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int *from = which ? (const int *)tile : (const int *)in;
    out[lid] = from[lid + 1];
}
