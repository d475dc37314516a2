// SPDX-License-Identifier: Apache-2.0
// Constants replace some bytes of an address in memory, or are added to a half of it: the address moves in its object, or out of its
// window. A copy inside one array of bytes moves a part of an address to a word.
/* TRUTH
{"kernels": [
  {"name": "low_byte", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "low_byte_at_index", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "high_bytes_at_index", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "zeros_at_index", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "copied_byte", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "or_of_half", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "incremented_low_half", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "incremented_high_half", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "two_gigabytes_further", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "moved_in_place", "args": ["zero:8", "buffer:ulong:10,1,30,8"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define ARGUMENTS global ulong *out, global const ulong *in
/* The members of `links`, at an address whose lowest byte is 0, point to private and to local memory. */
#define BEGIN                                                                                                          \
    local struct {                                                                                                     \
        ulong *own, *near;                                                                                             \
    } links __attribute__((aligned(256)));                                                                             \
    local ulong near[2];                                                                                               \
    ulong own = in[0], x = 0, p = (ulong)(ulong *)&near[in[1]];                                                        \
    near[0] = in[0], near[1] = in[2];                                                                                  \
    links.own = &own, links.near = &near[in[1]];
/* The word is moved from the first member to the second one. */
#define END_LINK out[0] = **(ulong **)w;
/* The result is chosen at run time: the address, or one of private memory. */
#define END                                                                                                            \
    *(ulong *)(in[1] ? x : (ulong)(ulong *)&own) = in[2] + 1;                                                          \
    out[0] = near[1] - 1;

__attribute__((noinline)) ulong *kept(ulong *p)
{
    return p;
}

kernel void low_byte(ARGUMENTS)
{
    BEGIN
    volatile ulong w = (ulong)(ulong **)&links.own;
    *(volatile uchar *)&w = 8;
    END_LINK
}
kernel void low_byte_at_index(ARGUMENTS)
{
    ulong words[2];
    BEGIN
    words[1] = (ulong)(ulong **)&links.own;
    ((uchar *)words)[in[3]] = 8;
    ulong w = words[1];
    END_LINK
}
kernel void high_bytes_at_index(ARGUMENTS)
{
    ulong words[2];
    BEGIN
    words[1] = p;
    ((ushort *)words)[in[3] - 1] = 5;
    x = (ulong)kept((ulong *)words[1]) - (5ul << 48);
    END
}
kernel void zeros_at_index(ARGUMENTS)
{
    ulong words[2];
    BEGIN
    words[1] = p;
    ((uint *)words)[in[3] - 5] = 0;
    x = (ulong)kept((ulong *)words[1]) + (p >> 32 << 32);
    END
}
kernel void copied_byte(ARGUMENTS)
{
    const uchar bytes[1] = {8};
    BEGIN
    ulong w = (ulong)(ulong **)&links.own;
    __builtin_memcpy(&w, bytes, 1);
    END_LINK
}
kernel void or_of_half(ARGUMENTS)
{
    BEGIN
    local ulong w;
    w = (ulong)(ulong **)&links.own;
    atomic_or((volatile local uint *)&w, 8u);
    END_LINK
}
kernel void incremented_low_half(ARGUMENTS)
{
    BEGIN
    local ulong w;
    w = (ulong)(ulong **)&links.own;
    for (int i = 0; i < 8; i++)
        atomic_inc((volatile local uint *)&w);
    END_LINK
}
kernel void incremented_high_half(ARGUMENTS)
{
    BEGIN
    local ulong w;
    w = p;
    atomic_inc((volatile local uint *)&w + 1);
    x = (ulong)kept((ulong *)w) - (1ul << 32);
    END
}
kernel void two_gigabytes_further(ARGUMENTS)
{
    BEGIN
    int count = (int)in[1] * 0x7fffffff;
    x = (ulong)kept((ulong *)(p + count)) - count;
    END
}
kernel void moved_in_place(ARGUMENTS)
{
    uchar bytes[40] __attribute__((aligned(8)));
    BEGIN
    *(ulong *)bytes = p;
#define BYTE(i)                                                                                                        \
    __builtin_memcpy(bytes + 16, bytes + i, 8);                                                                        \
    x |= (*(volatile ulong *)(bytes + 16) & 0xff) << 8 * i;
    BYTE(0) BYTE(1) BYTE(2) BYTE(3) BYTE(4) BYTE(5) END
}
