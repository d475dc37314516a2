// SPDX-License-Identifier: Apache-2.0
// The address of a private variable is put together of constants, which exposed bits of it choose: in a variable that
// holds counts before, of a table of powers that was made by sums, of constants of a switch. Where it merges with the
// address of local memory, the pointer may be private as well.
/* TRUTH
{"kernels": [
  {"name": "of_bits", "args": ["zero:8", "buffer:uint:7,9,1,0", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "of_high_bits", "args": ["zero:8", "buffer:uint:7,9,1,0", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "of_powers", "args": ["zero:8", "buffer:uint:7,9,1,0", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "of_cases", "args": ["zero:8", "buffer:uint:7,9,1,0", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
#define NOINLINE __attribute__((noinline))

/* The result of `make` is the address of `own`, and merges with that of `near`. */
#define KERNEL(name, make)                                                                                             \
    NOINLINE ulong name##_or(ulong p, ulong other, uint choice)                                                        \
    {                                                                                                                  \
        return choice ? make(p) : other;                                                                               \
    }                                                                                                                  \
    kernel void name(global uint *out, global const uint *in, local uint *near)                                        \
    {                                                                                                                  \
        uint own = in[0], *p = &own, *other = (uint *)near;                                                            \
        near[0] = in[1];                                                                                               \
        out[0] = *(uint *)name##_or((ulong)p, (ulong)other, in[2]);                                                    \
        out[1] = *(uint *)name##_or((ulong)p, (ulong)other, in[3]);                                                    \
    }

/* `last` keeps compilers from making a vector of all bits. */
#define BIT(b) if (p & 1ul << (b)) x |= 1ul << (b), last = b;
#define BYTE(b) BIT(b) BIT(b + 1) BIT(b + 2) BIT(b + 3) BIT(b + 4) BIT(b + 5) BIT(b + 6) BIT(b + 7)
NOINLINE ulong bits(ulong p)
{
    volatile uint last = 0;
    ulong x = 0;
    BYTE(0) BYTE(8) BYTE(16) BYTE(24) BYTE(32) BYTE(40) BYTE(48) BYTE(56) return x;
}
KERNEL(of_bits, bits)

NOINLINE ulong high_bits(ulong p)
{
    volatile uint last = 0;
    ulong x = (uint)p;
    BYTE(32) BYTE(40) BYTE(48) BYTE(56) return x;
}
KERNEL(of_high_bits, high_bits)

NOINLINE ulong powers(ulong p)
{
    ulong table[64], x = 0;
    table[0] = 1;
    for (uint i = 1; i < 64; i++)
        table[i] = table[i - 1] + table[i - 1];
    for (uint i = 0; i < 64; i++)
        if (p & table[i]) x += table[i];
    return x;
}
KERNEL(of_powers, powers)

/* The bits from 40 on are chosen by cases; what is below them is a count, as is each sum without a constant. */
NOINLINE uint four_bits(uint x)
{
    return x & 15;
}
#define CASE(n, unit) case n: return (ulong)n * unit;
#define CASES(name, unit)                                                                                              \
    NOINLINE ulong name(uint x)                                                                                        \
    {                                                                                                                  \
        switch (four_bits(x)) {                                                                                        \
            CASE(1, unit) CASE(2, unit) CASE(3, unit) CASE(4, unit) CASE(5, unit) CASE(6, unit) CASE(7, unit)          \
            CASE(8, unit) CASE(9, unit) CASE(10, unit) CASE(11, unit) CASE(12, unit) CASE(13, unit) CASE(14, unit)     \
            CASE(15, unit)                                                                                             \
        }                                                                                                              \
        return 0;                                                                                                      \
    }
CASES(case_of_40, (1ul << 40))
CASES(case_of_44, (1ul << 44))
NOINLINE ulong sum(ulong x, ulong y)
{
    return x + y;
}
NOINLINE ulong cases(ulong p)
{
    uint high = (uint)(p >> 32);
    return sum(sum(case_of_44(high >> 12), case_of_40(high >> 8)), sum((ulong)(high & 255) << 32, (uint)p));
}
KERNEL(of_cases, cases)
