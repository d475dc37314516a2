// SPDX-License-Identifier: Apache-2.0
// Whole words that begin between the bytes of an address, or to which a copy moves a part of it: their lowest and highest bytes are any
// bytes of the address, and a program puts them together.
/* TRUTH
{"kernels": [
  {"name": "by_loads", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64", "zero:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "by_constant_loads", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64", "zero:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "by_copies", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64", "zero:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "by_copied_parts", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64", "zero:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "in_host_memory", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64", "zero:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "above_in_host_memory", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64", "zero:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
typedef unsigned char uchar;
typedef unsigned long ulong;
typedef ulong __attribute__((aligned(1))) anywhere;
#define ARGUMENTS global ulong *out, global const ulong *in, local ulong *near, global ulong *words
/* The result is chosen at run time: the address, or one of local memory. */
#define BEGIN                                                                                                          \
    ulong own[2] = {in[0], in[0]}, x = 0, p = (ulong)(ulong *)&own[in[1]];                                             \
    near[0] = in[0];
#define END                                                                                                            \
    *(ulong *)(in[1] ? x : (ulong)(ulong *)near) = in[2];                                                              \
    out[0] = own[1];
#define SIX BYTE(0) BYTE(1) BYTE(2) BYTE(3) BYTE(4) BYTE(5)

kernel void by_loads(ARGUMENTS)
{
    BEGIN
    volatile ulong pair[2];
    pair[0] = p, pair[1] = 0;
    for (int i = 0; i < 6; i++) {
        ulong word = *(volatile anywhere *)((volatile uchar *)pair + i);
        x |= (ulong)(uchar)word << 8 * i;
    }
    END
}
kernel void by_constant_loads(ARGUMENTS)
{
    BEGIN
    volatile ulong pair[2];
    pair[0] = p, pair[1] = 0;
#define BYTE(i) x |= (ulong)(uchar) * (volatile anywhere *)((volatile uchar *)pair + i) << 8 * i;
    SIX
#undef BYTE
    END
}
kernel void by_copies(ARGUMENTS)
{
    BEGIN
    ulong pair[2] = {p, 0}, word;
#define BYTE(i)                                                                                                        \
    __builtin_memcpy(&word, (uchar *)pair + i, 8);                                                                     \
    x |= (ulong)(uchar)word << 8 * i;
    SIX
#undef BYTE
    END
}
kernel void by_copied_parts(ARGUMENTS)
{
    BEGIN
    ulong word = 0;
#define BYTE(i)                                                                                                        \
    __builtin_memcpy(&word, (uchar *)&p + i, 8 - i);                                                                   \
    x |= (ulong)(uchar)word << 8 * i;
    SIX
#undef BYTE
    END
}
kernel void in_host_memory(ARGUMENTS)
{
    BEGIN
    words[0] = p;
    for (int i = 0; i < 6; i++) {
        ulong word = *(volatile global anywhere *)((volatile global uchar *)words + i);
        x |= (ulong)(uchar)word << 8 * i;
    }
    END
}
kernel void above_in_host_memory(ARGUMENTS)
{
    BEGIN
    words[1] = p;
    for (int i = 0; i < 6; i++) {
        ulong word = *(volatile global anywhere *)((volatile global uchar *)words + i + 1);
        x |= word >> 56 << 8 * i;
    }
    END
}
