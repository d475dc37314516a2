// SPDX-License-Identifier: Apache-2.0
// An array is a member of the elements of another array, both are indexed by values that are not constant, and a part of a later element
// is copied: from and to a buffer, from a struct that a buffer has filled in part, through a pointer to one of two objects, and as the
// components of a vector in another order. A part of an array is copied into the words of an arena, which hold a longer array.
/* TRUTH
{"kernels": [
  {"name": "from_buffer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:50"}, "global": 1, "local": 1},
  {"name": "to_buffer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "from_filled", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:50"}, "global": 1, "local": 1},
  {"name": "viewed_to_buffer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "viewed_from_buffer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:50"}, "global": 1, "local": 1},
  {"name": "reordered", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:7543"}, "global": 1, "local": 1},
  {"name": "part_of_longer", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "behind_rows", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "part_of_arena", "args": ["zero:16", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong4 __attribute__((ext_vector_type(4)));
struct two {
    uint *a, *b;
};
struct outer {
    ulong n;
    uint *v[4];
    ulong pad[3];
};
struct small {
    ulong n;
    uint *p;
};
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local uint *near)
/* The numbers at G are 50, those at L 70. */
#define START                                                                                                          \
    global uint *gx = (global uint *)(far + 100);                                                                      \
    for (uint i = 0; i < 2; i++)                                                                                       \
        gx[i] = in[4 + i], near[i] = in[6 + i];                                                                        \
    uint *G = (uint *)gx, *L = (uint *)near;
#define FILL                                                                                                           \
    for (uint i = 0; i < 4; i++)                                                                                       \
        a[in[1]].v[i] = L;

KERNEL(from_buffer)
{
    START
    struct outer a[2];
    global struct two *g = (global struct two *)far;
    FILL g->a = g->b = G;
    *(struct two *)&a[1].v[1] = *g;
    out[0] = *a[in[1]].v[in[2]];
}

KERNEL(to_buffer)
{
    START
    struct outer a[2];
    global struct two *g = (global struct two *)far;
    FILL g->a = g->b = G;
    *g = *(struct two *)&a[1].v[1];
    out[0] = *g->b;
}

KERNEL(from_filled)
{
    START
    struct outer a[2], t;
    global struct two *g = (global struct two *)far;
    FILL g->a = g->b = G;
    t.v[0] = t.v[1] = L;
    *(struct two *)&t.v[2] = *g;
    a[1] = t;
    out[0] = *a[in[1]].v[in[3]];
}

KERNEL(viewed_to_buffer)
{
    START
    struct small a[2], b;
    global struct small *g = (global struct small *)far;
    b.n = 3;
    a[in[1]].p = L;
    g->p = G;
    *g = *(in[0] ? &b : &a[1]);
    out[0] = *g->p;
}

KERNEL(viewed_from_buffer)
{
    START
    struct small a[2], b;
    global struct small *g = (global struct small *)far;
    b.n = 3;
    a[in[1]].p = L;
    g->p = G;
    *(in[0] ? &b : &a[1]) = *g;
    out[0] = *a[in[1]].p;
}

KERNEL(reordered)
{
    START
    uint own = 3;
    ulong4 a[2];
    a[0] = a[1] = (ulong4)((ulong)L, (ulong)L, (ulong)G, (ulong)&own);
    ulong4 v = a[in[1]];
    a[in[0]] = v.wzyx;
    a[1].s2 = a[0].s0;
    out[0] = *(uint *)a[in[0]].s3 * 100 + *(uint *)a[0].s1 * 10 + *(uint *)a[in[1]].s2 + 40;
}

KERNEL(part_of_longer)
{
    START
    ulong arena[16];
    uint **d = (uint **)arena, *v[4];
    d[4] = G;
    for (uint i = 0; i < 4; i++)
        v[in[i]] = G;
    __builtin_memcpy(d + 1, v + 1, 2 * sizeof *v);
    uint **p = d + 1;
    p[in[3]] = L;
    out[0] = *d[4];
}

struct with_rows {
    uint *first, *rows[2][3];
    struct {
        uint *a;
        ulong n;
        uint *b;
    } items[4];
};

/* The copy ends between two items, so that their array is merged with the rows, but not with the array of the rows. */
KERNEL(behind_rows)
{
    START
    struct with_rows x;
    ulong arena[8];
    for (uint i = 0; i < 2; i++)
        for (uint j = 0; j < 3; j++)
            x.rows[i][j] = L;
    for (uint i = 0; i < 8; i++)
        arena[i] = (ulong)G;
    *(struct two *)&x.items[2].b = *(struct two *)(arena + 4);
    out[0] = *x.rows[1][1];
}

/* As part_of_longer, but no variable holds the address of the arena. */
KERNEL(part_of_arena)
{
    START
    ulong arena[16];
    uint *v[4];
    ((uint **)arena)[4] = G;
    for (uint i = 0; i < 4; i++)
        v[in[i]] = G;
    __builtin_memcpy((uint **)arena + 1, v + 1, 2 * sizeof *v);
    ((uint **)arena + 1)[in[3]] = L;
    out[0] = *((uint **)arena)[4];
}
