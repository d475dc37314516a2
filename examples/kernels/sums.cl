/* SPDX-License-Identifier: Apache-2.0 */
/* A function is called with pointers to two address spaces: it is cloned for each, and all accesses are static.
 * expect: static 1, predicated 0, dispatched 0 */
__attribute__((noinline)) int total(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

kernel void sums(global const int *in, global int *out, local int *tile, int n)
{
    int lid = (int)get_local_id(0);
    tile[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = total(in, n) + total(tile, n);
}
