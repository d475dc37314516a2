// SPDX-License-Identifier: Apache-2.0
// A loop with a variable index stores zeros of 64 bits at addresses that are no multiple of 8. Each clears the high half of
// a word and the low half of the next, so that no word is known to hold a whole address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:1,11,12"}, "global": 1, "local": 1}]}
*/
typedef ulong half_aligned __attribute__((aligned(4)));
__attribute__((noinline)) ulong number_of(uint *p)
{
    return (ulong)p;
}
kernel void k(global uint *out, global const uint *in)
{
    uint x = 11, z = 12;
    local ulong a[8];
    for (uint i = 0; i < 8; i++) a[i] = 0;
    a[2] = (ulong)(uint *)&x;
    a[5] = (ulong)(uint *)&z;
    ulong whole = a[5], low = (uint)whole;
    local half_aligned *p = (local half_aligned *)((local uint *)a + 1);
    for (uint i = 0; i < in[0]; i++) p[i + in[2] + 2] = 0; /* bytes 44 to 51: the high half of a[5], the low half of a[6] */
    out[0] = number_of((uint *)a[5]) == low;
    out[1] = *(uint *)a[2];
    out[2] = *(uint *)(a[5] | whole >> 32 << 32);
}
