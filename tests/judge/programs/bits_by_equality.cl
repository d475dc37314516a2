// SPDX-License-Identifier: Apache-2.0
// Each bit of an address is read by a comparison of the address with itself after a constant has changed it, an equality
// test except in by_order: no shift and no number exposes it. The bits are put together as a number, which is the address.
/* TRUTH
{"kernels": [
  {"name": "by_or", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "by_mask", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "by_order", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "by_sum", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "by_choice", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "by_pointers", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "in_callee", "args": ["zero:8", "buffer:uint:7,9", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
#define NOINLINE __attribute__((noinline))

#define BYTE(b) BIT(b) BIT(b + 1) BIT(b + 2) BIT(b + 3) BIT(b + 4) BIT(b + 5) BIT(b + 6) BIT(b + 7)
#define WORD BYTE(0) BYTE(8) BYTE(16) BYTE(24) BYTE(32) BYTE(40) BYTE(48) BYTE(56)
/* Reads the address `p` by the macro BIT. It notes the last bit that is set, so that no compiler makes a vector of all. */
#define READER(name)                                                                                                   \
    NOINLINE ulong name(ulong p)                                                                                       \
    {                                                                                                                  \
        volatile uint last = 0;                                                                                        \
        ulong x = 0;                                                                                                   \
        void *pair[2];                                                                                                 \
        WORD return x;                                                                                                 \
    }
/* A private and a local variable, each in a function of its own, so that a number of neither may be both. */
#define KERNEL(name, read)                                                                                             \
    NOINLINE uint name##_near(local uint *near)                                                                        \
    {                                                                                                                  \
        return *(uint *)read((ulong)(uint *)near);                                                                     \
    }                                                                                                                  \
    kernel void name(global uint *out, global const uint *in, local uint *near)                                        \
    {                                                                                                                  \
        uint own = in[0], *p = &own;                                                                                   \
        near[0] = in[1];                                                                                               \
        out[0] = *(uint *)read((ulong)p);                                                                              \
        out[1] = name##_near(near);                                                                                    \
    }

#define BIT(b) if ((p | 1ul << (b)) == p) x |= 1ul << (b), last = b;
READER(or_equal)
KERNEL(by_or, or_equal)

/* The low bits cannot tell the spaces; a mask that clears a high one makes no number. */
#undef BIT
#define BIT(b) if ((b) < 40 ? (p | 1ul << (b)) == p : (p & ~(1ul << (b))) != p) x |= 1ul << (b), last = b;
READER(mask_equal)
KERNEL(by_mask, mask_equal)

#undef BIT
#define BIT(b) if ((b) < 40 ? (p | 1ul << (b)) <= p : (p & ~(1ul << (b))) < p) x |= 1ul << (b), last = b;
READER(mask_ordered)
KERNEL(by_order, mask_ordered)

#undef BIT
#define BIT(b) if ((p ^ 1ul << (b)) != p + (1ul << (b))) x |= 1ul << (b), last = b;
READER(sum_equal)
KERNEL(by_sum, sum_equal)

/* The greater and the lesser of two equal words are one. */
NOINLINE ulong greater(ulong a, ulong b)
{
    return a > b ? a : b;
}
#undef BIT
#define BIT(b) if (greater(p | 1ul << (b), p) == p) x |= 1ul << (b), last = b;
READER(choice_equal)
KERNEL(by_choice, choice_equal)

#undef BIT
#define BIT(b)                                                                                                         \
    pair[0] = (void *)(p | 1ul << (b));                                                                                \
    pair[1] = (void *)p;                                                                                               \
    if (pair[0] == pair[1]) x |= 1ul << (b), last = b;
READER(pointers_equal)
KERNEL(by_pointers, pointers_equal)

/* The comparison is in a function that does not know of the change. */
NOINLINE bool same(char *a, char *b)
{
    return a == b;
}
#undef BIT
#define BIT(b) if (same((char *)(p | 1ul << (b)), (char *)p)) x |= 1ul << (b), last = b;
READER(callee_equal)
KERNEL(in_callee, callee_equal)
