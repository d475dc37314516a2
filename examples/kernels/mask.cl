/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of an address that may be local or global are taken off: with a tag, nothing could say which memory it was.
 * expect: refused */
kernel void mask(global int *in, global int *out, local int *tile, int which)
{
    int lid = (int)get_local_id(0);
    int *from = which ? (int *)tile : (int *)in;
    ulong bits = (ulong)from & 0xffffffffffffUL;
    *(int *)bits = lid;
    out[lid] = tile[lid];
}
