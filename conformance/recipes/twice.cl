/* SPDX-License-Identifier: Apache-2.0 */
/* Each number twice: once through a pointer to global memory, once through one to local memory. */
uint read_it(const uint *from)
{
    return *from;
}

kernel void twice(global const uint *in, global uint *out, local uint *tile)
{
    const size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = read_it(&in[i]) + read_it(&tile[l]);
}
