// SPDX-License-Identifier: Apache-2.0
// The address of a local variable is recovered: by comparisons, bit by bit, as a sum of words that are no addresses,
// by a difference. For each rule about integers there is a kernel that is miscompiled without the rule (wrong_rules.py).
/* TRUTH
{"kernels": [
  {"name": "bits",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "known_bits",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "below",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "below_constants",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "powers_of_host",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "below_in_callee",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "powers_in_callee",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "powers_in_atomics",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "nothing_known",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "short_words",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "out_of_window",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "above",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "flipped",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "cut",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "cut_by_count",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "with_high_bytes",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "added_atomically",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "count_or_pointer",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "beside_count",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "from_theirs",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "from_number",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "bytes_of_host",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "halves",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "unknown_halves",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "short_word",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "short_pointer",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:64"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "fill+below_theirs",
    "args": ["zero:16", "buffer:ulong:10,20,30,40,2,2000000000,1", "buffer:ulong:{[2**i for i in range(48)]}", "buffer:ptr:4", "zero:2097152"],
    "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ARGUMENTS                                                                                                      \
    global ulong *out, global const ulong *in, global const ulong *powers, global const ulong *theirs,                 \
        global ulong *words
#define BEGIN                                                                                                          \
    local ulong near[4];                                                                                               \
    ulong mine = 7;                                                                                                    \
    for (int i = 0; i < 4; i++)                                                                                        \
        near[i] = in[i];                                                                                               \
    ulong *at = &near[in[4]];                                                                                          \
    ulong p = (ulong)at, x = 0;
/* A condition chooses the result or a private address, whose space is known. */
#define END out[0] = *(ulong *)(out[1] ? (ulong)(ulong *)&mine : x);
/* The same, but only stores through the result, so that no unknown value is stored to the host's memory. */
#define END_STORED                                                                                                     \
    *(ulong *)(out[1] ? (ulong)(ulong *)&mine : x) = 30;                                                               \
    out[0] = near[in[4]];

#define FOUR(i) 1ul << i, 1ul << (i + 1), 1ul << (i + 2), 1ul << (i + 3)
constant ulong constant_powers[48] = {FOUR(0),  FOUR(4),  FOUR(8),  FOUR(12), FOUR(16), FOUR(20),
                                      FOUR(24), FOUR(28), FOUR(32), FOUR(36), FOUR(40), FOUR(44)};
__attribute__((noinline)) ulong sum(ulong a, ulong b)
{
    return a + b;
}
__attribute__((noinline)) bool is_below(ulong a, ulong b)
{
    return a < b;
}
__attribute__((noinline)) ulong *kept(ulong *p)
{
    return p;
}

kernel void bits(ARGUMENTS)
{
    BEGIN
    for (int i = 0; i < 48; i++)
        if (p & 1ul << i) x |= 1ul << i;
    END
}
#define BIT(i)                                                                                                         \
    if (p & 1ul << i) x |= in[6] << i;
#define BITS(i) BIT(i) BIT(i + 1) BIT(i + 2) BIT(i + 3) BIT(i + 4) BIT(i + 5) BIT(i + 6) BIT(i + 7)
kernel void known_bits(ARGUMENTS){BEGIN BITS(0) BITS(8) BITS(16) BITS(24) BITS(32) BITS(40) END} kernel
    void below(ARGUMENTS)
{
    uint high = 0;
    ushort low = 0;
    BEGIN
    for (int i = 31; i >= 0; i--)
        if (p >= (ulong)(high | 1u << i) << 16) high |= 1u << i;
    for (int i = 15; i >= 0; i--)
        if (p >= ((ulong)high << 16 | (ushort)(low | 1u << i))) low |= 1u << i;
    x = (ulong)high << 16 | low;
    END
}
kernel void below_constants(ARGUMENTS)
{
    ulong found = 0;
    BEGIN
    for (int i = 47; i >= 0; i--)
        if (p >= found + constant_powers[i]) found += constant_powers[i], x += in[6] << i;
    END
}
kernel void powers_of_host(ARGUMENTS)
{
    BEGIN
    for (int i = 0; i < 48; i++)
        if (p >> i & 1) x += powers[i];
    END_STORED
}
kernel void below_in_callee(ARGUMENTS)
{
    BEGIN
    for (int i = 47; i >= 0; i--)
        if (!is_below(p, x + powers[i])) x += powers[i];
    END_STORED
}
kernel void powers_in_callee(ARGUMENTS)
{
    BEGIN
    for (int i = 0; i < 48; i++)
        if (p >> i & 1) x = sum(x, powers[i]);
    END_STORED
}
kernel void powers_in_atomics(ARGUMENTS)
{
    BEGIN
    local ulong cell;
    cell = 0;
    for (int i = 0; i < 48; i++)
        if (p >> i & 1) atom_xor(&cell, powers[i]);
    x = cell;
    END_STORED
}
/* The result alone, without evidence of its space: the sum of Fibonacci numbers, which are counts in variables. */
kernel void nothing_known(ARGUMENTS)
{
    ulong small = 1, great = 1;
    BEGIN
    while (great <= p) {
        ulong next = small + great;
        small = great, great = next;
    }
    for (ulong rest = p; rest;) {
        if (rest >= great) rest -= great, x += great;
        ulong last = great - small;
        great = small, small = last;
    }
    out[0] = *(ulong *)x;
}
kernel void short_words(ARGUMENTS)
{
    BEGIN
    uint high = p >> 16;
    x = (ulong)high << 16 | (p & 0xffff);
    END
}
#define FAR ((ulong)(uint)in[5] * 128)
kernel void out_of_window(ARGUMENTS)
{
    BEGIN
    x = (ulong)kept((ulong *)(p + FAR)) - FAR;
    END
}
#define ABOVE ((ulong)(uint)in[4] << 48)
kernel void above(ARGUMENTS)
{
    BEGIN
    x = (ulong)kept((ulong *)(p + ABOVE)) - ABOVE;
    END
}
kernel void flipped(ARGUMENTS)
{
    BEGIN
    x = ~(ulong)kept((ulong *)~p);
    END
}
kernel void cut(ARGUMENTS)
{
    BEGIN
    x = (ulong)kept((ulong *)(p & 0xfffffffffful)) + (p >> 40 << 40);
    END
}
kernel void cut_by_count(ARGUMENTS)
{
    BEGIN
    uint mask = (uint)in[5];
    x = (ulong)kept((ulong *)(p & mask)) + (p & ~(ulong)mask);
    END
}
kernel void with_high_bytes(ARGUMENTS)
{
    BEGIN
    union {
        ulong word;
        ushort parts[4];
    } u;
    u.word = p;
    u.parts[3] = (ushort)in[4];
    x = (ulong)kept((ulong *)u.word) - ABOVE;
    END
}
/* The count leads from one window of local memory to the other. */
kernel void added_atomically(ARGUMENTS)
{
    const ulong count = (1ul << 61) - (1ul << 45) - (1ul << 32);
    BEGIN
    local ulong cell;
    cell = p;
    atom_add(&cell, count);
    x = (ulong)kept((ulong *)cell) - count;
    END
}
kernel void count_or_pointer(ARGUMENTS)
{
    BEGIN
    uint count = (uint)in[5];
    ulong *either = in[4] == 2 ? (ulong *)(ulong)count : at;
    x = p + (ulong)kept(either) - count;
    END
}
kernel void beside_count(ARGUMENTS)
{
    BEGIN
    x = (ulong)kept((ulong *)(p | ABOVE)) ^ ABOVE;
    END
}
kernel void from_theirs(ARGUMENTS)
{
    local ulong near[4];
    near[2] = 30;
    ulong p = (ulong)(ulong *)&near[2], base = theirs[0], distance = p - base, x = base + distance;
    *(ulong *)x = 40;
    out[0] = 30;
}
kernel void from_number(ARGUMENTS)
{
    BEGIN
    ulong base = in[5] << 16, distance = p - base;
    x = base + distance;
    END
}
kernel void bytes_of_host(ARGUMENTS)
{
    local ulong near[4];
    ulong p = (ulong)(ulong *)&near[2], x = 0;
    global ulong *cell = (global ulong *)(theirs[0] >> 4 << 4);
    *cell = p;
    for (int i = 0; i < 8; i++)
        x |= (ulong)((global uchar *)cell)[i] << 8 * i;
    *(ulong *)x = 40;
    out[0] = 30;
}
kernel void halves(ARGUMENTS)
{
    BEGIN
    uint2 v = as_uint2(p);
    x = (ulong)v.y << 32 | v.x;
    END
}
kernel void unknown_halves(ARGUMENTS)
{
    BEGIN
    uint2 v = as_uint2(p);
    for (int i = 0; i < 2; i++)
        x |= (ulong)v[i] << 32 * i;
    END
}
/* Two pointers to different memories; the lower half of an address selects one of them. */
#define BEGIN_TWO                                                                                                      \
    BEGIN                                                                                                              \
    ulong *volatile one = at, *volatile other = (ulong *)in;                                                           \
    ulong *volatile *to_one = &one, *volatile *to_other = &other;                                                      \
    volatile ulong address_of_one = (ulong)to_one, address_of_other = (ulong)to_other;
#define END_TWO                                                                                                        \
    ulong *volatile *found = (ulong *volatile *)x;                                                                     \
    out[0] = **found;
kernel void short_word(ARGUMENTS)
{
    BEGIN_TWO
    uint low = (uint)address_of_one;
    x = address_of_other >> 32 << 32 | low;
    END_TWO
}
kernel void short_pointer(ARGUMENTS)
{
    BEGIN_TWO
    uint low = (uint)to_one;
    x = address_of_other >> 32 << 32 | low;
    END_TWO
}
/* Writes the words with which the next kernel compares. */
kernel void fill(ARGUMENTS)
{
    for (int i = 0; i < 1 << 18; i++)
        words[i] = (ulong)i << 30;
}
/* The sum with a word of the host stays near it, so that the word alone makes the comparison one that exposes. */
#define LOW(n) ((ulong)(n)&0x3fffffff)
kernel void below_theirs(ARGUMENTS)
{
    uint high = 0, low = 0;
    BEGIN
    for (int i = 17; i >= 0; i--)
        if (p >= words[high | 1u << i]) high |= 1u << i;
    for (int i = 29; i >= 0; i--)
        if (p >= words[high] + LOW(low | 1u << i)) low |= 1u << i;
    x = (ulong)high << 30 | low;
    END_STORED
}
