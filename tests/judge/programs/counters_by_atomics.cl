// SPDX-License-Identifier: Apache-2.0
// A word that begins with 0 and to which an atomic adds counts merges with an address.
/* TRUTH
{"kernels": [
 {"name": "atomic", "args": ["zero:16", "buffer:uint:1,2,3,5,7,8"], "expect": {"0": "uint:1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
NOINLINE ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void atomic(global uint *out, global const uint *in)
{
    uint x = 11;
    local ulong n;
    n = 0;
    atomic_fetch_add((volatile local atomic_ulong *)&n, (ulong)in[3]);
    atomic_fetch_add((volatile local atomic_ulong *)&n, 2ul);
    ulong v = n;
    uint *p = in[0] & 2 ? &x : (uint *)v;
    out[0] = number_of(p) == 7;
}
