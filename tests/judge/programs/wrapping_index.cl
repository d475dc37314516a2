// SPDX-License-Identifier: Apache-2.0
// An unsigned product that wraps is no longer a multiple of its factor; a multiple of six is a multiple of two, and not necessarily of
// four.
/* TRUTH
{"kernels": [
  {"name": "k", "args": ["zero:16", "buffer:int:7,8,1431655766,10", "local:64"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "sixth", "args": ["zero:16", "buffer:int:7,8,9,10", "local:64"], "expect": {"0": "int:42"}, "global": 1, "local": 1}]}
*/
kernel void k(global int *out, global int *in, local ulong *lp)
{
    int x = 42;
    lp[0] = (ulong)(int *)in;
    lp[2] = (ulong)(int *)&x;
    uint i = (uint)in[2] * 3u;
    int *q = (int *)lp[i];
    out[0] = *q;
}
kernel void sixth(global int *out, global int *in, local ulong *lp)
{
    int x = 42;
    lp[0] = (ulong)(int *)in;
    lp[6] = (ulong)(int *)&x;
    int *q = (int *)lp[(out[1] + 1) * 6];
    out[0] = *q;
}
