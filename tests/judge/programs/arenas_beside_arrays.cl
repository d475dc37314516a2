// SPDX-License-Identifier: Apache-2.0
// One pointer points to a declared array of pointers, or to an arena of numbers, in which the program keeps a longer array: the pointer
// walks beyond the length of the declared array. The arena is an array of words, of vectors, a member behind another one, and a buffer.
/* TRUTH
{"kernels": [
  {"name": "words", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "vectors", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "member", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "later_member", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "in_callee", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "array_first", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "buffer", "args": ["zero:16", "buffer:uint:0,1,2,7,50,50,70,70", "zero:1024", "local:128"], "expect": {"0": "uint:70"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong4 __attribute__((ext_vector_type(4)));
struct pool {
    ulong used, words[16];
    uint *first;
};
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local uint *near)
/* The numbers at G are 50, those at L 70. */
#define START                                                                                                          \
    global uint *gx = (global uint *)(far + 100);                                                                      \
    for (uint i = 0; i < 2; i++)                                                                                       \
        gx[i] = in[4 + i], near[i] = in[6 + i];                                                                        \
    uint *G = (uint *)gx, *L = (uint *)near;
/* Stores L into the element 7 of the arena, through a pointer that may also point to an array of four pointers to G, and loads it. */
#define MEET(arena)                                                                                                    \
    void *slot[2];                                                                                                     \
    for (uint i = 0; i < 8; i++)                                                                                       \
        ((uint **)(arena))[i] = G;                                                                                     \
    for (uint i = 0; i < 4; i++)                                                                                       \
        v[in[i] & 3] = G;                                                                                              \
    slot[0] = v;                                                                                                       \
    slot[1] = (void *)(arena);                                                                                         \
    uint **p = slot[in[1]];                                                                                            \
    p[in[3]] = L;                                                                                                      \
    out[0] = *((uint **)(arena))[7];
#define WALK(arena)                                                                                                    \
    uint *v[4];                                                                                                        \
    MEET(arena)

KERNEL(words)
{
    START
    ulong arena[16];
    WALK(arena)
}

KERNEL(vectors)
{
    START
    ulong4 arena[4];
    WALK(arena)
}

KERNEL(member)
{
    START
    struct pool x;
    x.first = G;
    WALK(x.words)
}

/* The pointer that may point to both is the address of an inner element, so the declared array is shifted. */
KERNEL(later_member)
{
    START
    struct pool x;
    x.first = G;
    WALK((char *)x.words + 8)
}

__attribute__((noinline)) void put(void *array, uint i, uint *p)
{
    ((uint **)array)[i] = p;
}

KERNEL(in_callee)
{
    START
    ulong arena[16];
    uint *v[4];
    void *slot[2];
    for (uint i = 0; i < 4; i++)
        v[in[i] & 3] = G;
    for (uint i = 0; i < 8; i++)
        ((uint **)arena)[i] = G;
    slot[0] = v;
    slot[1] = arena;
    put(slot[in[1]], in[3], L);
    out[0] = *((uint **)arena)[7];
}

KERNEL(array_first)
{
    START
    uint *v[4];
    ulong arena[16];
    MEET(arena)
}

/* The arena is the local buffer, and both addresses are of variables, not of buffers. */
KERNEL(buffer)
{
    uint x = in[4];
    local uint y;
    uint *G = &x, *L = (uint *)&y;
    y = in[6];
    WALK((local ulong *)near)
}
