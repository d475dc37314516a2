/* SPDX-License-Identifier: Apache-2.0 */
/* A local pointer is kept in a buffer of the host's: from then on a pointer out of any buffer may be local or global.
 * expect: static 0, predicated 0, dispatched 1 */
struct view {
    int *data;
};

kernel void stash(global struct view *views, global int *out, local int *tile)
{
    int lid = (int)get_local_id(0);
    tile[lid] = lid;
    views[lid].data = tile;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[lid] = views[lid ^ 1].data[lid];
}
