/* SPDX-License-Identifier: Apache-2.0 */
/* Masks off the high 16 bits of an address that may be local or global, where a program could store a counter. The low
 * 48 bits identify an address, so the result is the same address, and the store through it is dispatched.
 * expect: static 0, predicated 0, dispatched 1 */
kernel void mask(global int *in, global int *out, local int *tile, int which)
{
    int lid = (int)get_local_id(0);
    int *from = which ? (int *)tile : (int *)in;
    ulong bits = (ulong)from & 0xffffffffffffUL;
    *(int *)bits = lid;
    out[lid] = tile[lid];
}
