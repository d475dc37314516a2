// SPDX-License-Identifier: Apache-2.0
// A function that calls itself with a number where its caller has passed an address.
/* TRUTH
{"kernels": [
  {"name": "recursion", "args": ["zero:16", "uint:3"], "expect": {"0": "int:1,1,7"}, "global": 1, "local": 1}]}
*/
#define NUMBER 0x123456789abcdeful
ulong descended(ulong word, uint n)
{
    int *p = (int *)word;
    if (n == 0) return (ulong)p;
    return descended((ulong)p == NUMBER ? -5ul : NUMBER, n - 1) + n;
}
kernel void recursion(global uint *out, uint n)
{
    int x = 7;
    out[0] = descended((ulong)&x, 1) == NUMBER + 1;
    out[1] = descended((ulong)&x, 2) == -5ul + 3;
    out[2] = *(int *)descended((ulong)&x, n - 3);
}
