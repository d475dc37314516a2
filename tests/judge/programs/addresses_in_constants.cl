// SPDX-License-Identifier: Apache-2.0
// The address of an array of local memory is a constant expression. Optimized code converts it to shorter integers and to vectors in
// constant expressions, and stores constants that have parts of it.
/* TRUTH
{"kernels": [
  {"name": "halves", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "halves_in_vectors", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "halves_in_memory", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "link_in_vector", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "digits", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "lower_half", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint uint2 __attribute__((ext_vector_type(2)));
#define ARGUMENTS global ulong *out, global const ulong *in
/* The result is chosen at run time: the address, or one of private memory. */
#define BEGIN                                                                                                          \
    local ulong near[2];                                                                                               \
    ulong own = in[0], x = 0, p = (ulong)(ulong *)&near[1];                                                            \
    near[0] = in[0], near[1] = in[0];
#define END                                                                                                            \
    *(ulong *)(in[1] ? x : (ulong)(ulong *)&own) = in[2];                                                              \
    out[0] = near[1];

__attribute__((noinline)) ulong joined(uint low, uint high)
{
    return (ulong)high << 32 | low;
}

kernel void halves(ARGUMENTS)
{
    BEGIN
    x = joined((uint)p, (uint)(p >> 32));
    END
}
kernel void halves_in_vectors(ARGUMENTS)
{
    BEGIN
    union {
        ulong word;
        uint2 halves;
    } u;
    u.word = p;
    u.halves.x &= ~7u;
    x = u.word;
    END
}
kernel void halves_in_memory(ARGUMENTS)
{
    BEGIN
    volatile uint halves[2] __attribute__((aligned(8)));
    p = (ulong)&near[1];
    halves[0] = (uint)p, halves[1] = (uint)(p >> 32);
    x = *(volatile ulong *)halves;
    END
}
kernel void link_in_vector(ARGUMENTS)
{
    local struct {
        ulong *near, *own;
    } links __attribute__((aligned(16)));
    union {
        ulong word;
        uint2 halves;
    } u;
    BEGIN
    near[0] = in[2], links.near = near, links.own = &own;
    u.word = (ulong)&links.own;
    u.halves.x &= ~15u;
    out[0] = **(ulong **)u.word;
}
kernel void digits(ARGUMENTS)
{
    BEGIN
    uchar digits[22];
    for (int i = 0; i < 22; i++)
        digits[i] = 48 + (p >> 3 * i & 7);
    for (int i = 21; i >= 0; i--)
        x = x * 8 + digits[i] - 48;
    END
}
/* Optimized code converts a pointer to local memory to 32 bits. */
kernel void lower_half(ARGUMENTS)
{
    BEGIN
    uint *halves = (uint *)&p;
    p = (ulong)&near[1];
    halves[0] -= 8;
    x = p + 8;
    END
}
