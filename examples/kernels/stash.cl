/* SPDX-License-Identifier: Apache-2.0 */
/* Stores a local pointer in a buffer: a pointer loaded from any buffer may then be local, as buffers may be the same.
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
