// SPDX-License-Identifier: Apache-2.0
// memset clears as many bytes as an address has, the upper half of one address in memory and the lower half of the next one. Each is then
// a number, and the conversion to a pointer and back keeps all of its bits.
/* TRUTH
{"kernels": [
  {"name": "halves", "args": ["zero:16", "local:64"], "expect": {"0": "uint:1,1"}, "global": 1, "local": 1},
  {"name": "lowest_byte", "args": ["zero:16", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
struct pair {
    uint *first, *second;
};

kernel void halves(global uint *out, local uint *near)
{
    struct pair x;
    x.first = x.second = (uint *)near;
    ulong before = (ulong)(uint *)near;
    __builtin_memset((char *)&x + 4, 0, 8);
    volatile struct pair *y = &x;
    out[0] = (ulong)y->first == (before & 0xffffffff);
    out[1] = (ulong)y->second == (before >> 32 << 32);
}

/* The lowest byte of an address is cleared, which leads from an element of an array to the first one. */
kernel void lowest_byte(global uint *out, local uint *near)
{
    uint own = 50;
    uint *table[16] __attribute__((aligned(256)));
    uint **p = &table[5];
    near[0] = 70;
    table[0] = table[5] = &own;
    ((uchar *)&p)[0] = 0;
    *p = (uint *)near;
    out[0] = *table[0];
}
