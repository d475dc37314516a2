/* SPDX-License-Identifier: Apache-2.0 */
/* As stash.cl, but the pointers are stored in local memory, which the host cannot write: the loaded pointer is static.
 * expect: static 1, predicated 0, dispatched 0 */
struct view {
    int *data;
};

kernel void stash(global int *out, local int *tile, local struct view *views)
{
    int lid = (int)get_local_id(0);
    tile[lid] = lid;
    views[lid].data = tile;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = views[lid ^ 1].data[lid];
}
