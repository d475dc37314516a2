// SPDX-License-Identifier: Apache-2.0
// An access or an array begins in the last element of an array that is indexed by values that are not constant, and ends in the members
// behind it: words of four numbers, and an array of pointers laid over both members, in the kernel and in a function. An access that
// begins before such an array ends in its first element, and its last element is copied to and from a buffer.
/* TRUTH
{"kernels": [
  {"name": "words", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:50"}, "global": 1, "local": 1},
  {"name": "overlaid", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "overlaid_in_callee", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "before_to_buffer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "before_from_buffer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:50"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef ulong ulong2 __attribute__((ext_vector_type(2)));
struct four {
    uint *v[3], *q;
};
struct rest {
    uint *q, *v[3];
};
struct one {
    uint *p;
};
struct small {
    ulong n;
    uint *p;
};
struct outer {
    struct small a[4];
    uint *q[4];
};
struct five {
    uint *v[5];
};
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local uint *near)
/* The numbers at G are 50, those at L 70. */
#define START                                                                                                          \
    global uint *gx = (global uint *)(far + 100);                                                                      \
    for (uint i = 0; i < 2; i++)                                                                                       \
        gx[i] = in[4 + i], near[i] = in[6 + i];                                                                        \
    uint *G = (uint *)gx, *L = (uint *)near;

KERNEL(words)
{
    START
    struct four x __attribute__((aligned(16)));
    union {
        ulong2 pair;
        uint4 words;
    } both;
    x.q = L;
    for (uint i = 0; i < 3; i++)
        x.v[in[i]] = L;
    both.pair = (ulong2)((ulong)L, (ulong)G);
    *(uint4 *)&x.v[2] = both.words;
    out[0] = *x.q;
}

KERNEL(overlaid)
{
    START
    struct outer x;
    x.q[2] = G;
    for (uint i = 0; i < 4; i++)
        x.a[in[i]].p = G;
    struct five *f = (struct five *)&x.a[3].p;
    f->v[in[3]] = L;
    out[0] = *x.q[2];
}

__attribute__((noinline)) void put(struct five *f, uint i, uint *p)
{
    f->v[i] = p;
}

KERNEL(overlaid_in_callee)
{
    START
    struct outer x;
    x.q[2] = G;
    for (uint i = 0; i < 4; i++)
        x.a[in[i]].p = G;
    put((struct five *)&x.a[3].p, in[3], L);
    out[0] = *x.q[2];
}

/* Fills x with `p`: q and v[0] by one access, v[2] once more behind it. */
#define FILL(p)                                                                                                        \
    struct rest x __attribute__((aligned(16)));                                                                        \
    union {                                                                                                            \
        ulong2 pair;                                                                                                   \
        uint4 words;                                                                                                   \
    } both;                                                                                                            \
    both.pair = (ulong2)((ulong)(p), (ulong)(p));                                                                      \
    for (uint i = 0; i < 3; i++)                                                                                       \
        x.v[in[i]] = p;                                                                                                \
    *(uint4 *)&x.q = both.words;

KERNEL(before_to_buffer)
{
    START
    global struct one *g = (global struct one *)far;
    FILL(G)
    x.v[in[2]] = L;
    g->p = G;
    *g = *(struct one *)&x.v[2];
    out[0] = *g->p;
}

KERNEL(before_from_buffer)
{
    START
    global struct one *g = (global struct one *)far;
    FILL(L)
    g->p = G;
    *(struct one *)&x.v[2] = *g;
    out[0] = *x.v[in[2]];
}
