// SPDX-License-Identifier: Apache-2.0
// Differences of pointers, one of which is sometimes null, so that the difference is the other one.
/* TRUTH
{"kernels": [
  {"name": "null_pointer_difference", "args": ["zero:64", "local:64", "uint:3"], "expect": {"0": "long:11"}, "global": 1, "local": 1}]}
*/
__attribute__((noinline)) ulong distance_of(void *a, void *b) { return (ulong)a - (ulong)b; }
__attribute__((noinline)) ulong pick(uint c, ulong a, ulong b) { return c ? a : b; }
kernel void null_pointer_difference(global ulong *out, local ulong *loc, uint n)
{
    ulong own[2] = {10, 11};
    loc[0] = 20;
    ulong *p = &own[1], *last = n > 9 ? &own[0] : 0;
    ulong d = distance_of(p, last);          // the first delta of a stream
    ulong at = pick(n, d, (ulong)(ulong *)loc); // a cell or a value that may also hold a local address
    out[0] = *(ulong *)at;                   // 11
}
