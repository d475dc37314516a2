// SPDX-License-Identifier: Apache-2.0
// An address is rounded down to a multiple of 4096 and assembled again from the two parts, where the null pointer is 0, which is also the
// first address.
/* TRUTH
{"kernels": [
  {"name": "cage_of_an_address", "args": ["zero:16", "uint:3"], "expect": {"0": "int:7"}, "global": 1, "local": 1}]}
*/
#define NUMBER 0x123456789abcdeful
__attribute__((noinline)) int *kept(int *p)
{
    int *volatile q = p;
    return q;
}
kernel void cage_of_an_address(global uint *out, uint n)
{
    int x = 7;
    ulong base = (ulong)&x & ~4095ul, rest = (ulong)&x & 4095;
    int *cage = kept((int *)base);
    out[0] = *(int *)((ulong)cage | rest);
}
