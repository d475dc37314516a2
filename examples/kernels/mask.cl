/* SPDX-License-Identifier: Apache-2.0 */
/* The high 16 bits of an address that may be local or global are masked off: a count could be there. The low 48 bits say all of an
 * address, so it is the same address, and dispatched.
 * expect: static 0, predicated 0, dispatched 1 */
kernel void mask(global int *in, global int *out, local int *tile, int which)
{
    int lid = (int)get_local_id(0);
    int *from = which ? (int *)tile : (int *)in;
    ulong bits = (ulong)from & 0xffffffffffffUL;
    *(int *)bits = lid;
    out[lid] = tile[lid];
}
