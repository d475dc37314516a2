// SPDX-License-Identifier: Apache-2.0
// A pointer is stored by one view of memory and loaded by another: records of other lengths, a toggled bit of the address, words that
// begin in the middle of another, a struct copied by several kinds of elements.
/* TRUTH
{"kernels": [
  {"name": "xor_toggle", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2155180732,0"}, "global": 1, "local": 1},
  {"name": "strides", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:4215595518,0"}, "global": 1, "local": 1},
  {"name": "constant_then_index", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:807458264,0"}, "global": 1, "local": 1},
  {"name": "straddling", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2339456331,0"}, "global": 1, "local": 1},
  {"name": "moved_by_four", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:593574444,0"}, "global": 1, "local": 1},
  {"name": "in_between", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:1083502322,0"}, "global": 1, "local": 1}]}
*/
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong2 __attribute__((ext_vector_type(2)));
#define NOINLINE __attribute__((noinline))
#define offset_of(type, member) __builtin_offsetof(type, member)
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local ulong *near)
/* Arrays of the type in three memories; AT(i) is element i of the one that in[i] names. */
#define MEMORIES(type, n)                                                                                              \
    type own[n];                                                                                                       \
    type *m[3] = {own, (type *)near, (type *)far}
#define AT(i) (m[in[i] % 3] + (i))
#define START                                                                                                          \
    uint x = in[1];                                                                                                    \
    uint *px = &x;                                                                                                     \
    local uint *lx = (local uint *)(near + 900);                                                                       \
    global uint *gx = (global uint *)(far + 4000);                                                                     \
    *lx = in[2];                                                                                                       \
    *gx = in[3];                                                                                                       \
    uint *L = (uint *)lx, *G = (uint *)gx;                                                                             \
    uint s = 0;
#define SUM(q) s = s * 7 + *(uint *)(q)
struct cell {
    uint *a, *b, *c, *d;
};
struct pr {
    uint *a, *b;
};
NOINLINE void put(ulong at, void *p)
{
    *(void **)at = p;
}

/* Toggled by XOR 8 on storage which is aligned to 16. */
KERNEL(xor_toggle)
{
    START
    struct cell o[2] __attribute__((aligned(32)));
    o[0].a = o[0].b = o[0].c = o[0].d = o[1].a = o[1].b = o[1].c = o[1].d = px;
    ulong at = (ulong)&o[0].a;
    put(at ^ 8, L);
    put(at ^ 16, G);
    SUM(o[0].a);
    SUM(o[0].b);
    SUM(o[0].c);
    SUM(o[0].d);
    put(at | 24, L);
    SUM(o[0].d);
    put((ulong)&o[1].d & ~31ul, G);
    SUM(o[1].a);
    SUM(o[1].d);
    out[0] = s;
}

/* Strides: an arena read as records of 16, of 24 and of 12 bytes. */
struct r16 {
    uint *p;
    ulong n;
};
struct r24 {
    ulong n;
    uint *p;
    ulong m;
};
struct __attribute__((packed)) r12 {
    uint *p;
    uint n;
};
NOINLINE void clear(ulong *w, uint n)
{
    for (uint i = 0; i < n; i++)
        w[i] = 0;
}
KERNEL(strides)
{
    START
    ulong mem[48];
    clear(mem, 48);
    struct r16 *a = (struct r16 *)mem;
    struct r24 *b = (struct r24 *)mem;
    for (uint i = 0; i < 6; i++)
        b[i].p = i & 1 ? L : G;
    for (uint i = 0; i < 9; i++)
        if (a[i].p) SUM(a[i].p);
    for (uint i = 0; i < 9; i++)
        a[i].p = px;
    for (uint i = 0; i < 6; i++)
        if (b[i].p) SUM(b[i].p);
    struct r12 *c = (struct r12 *)mem;
    for (uint i = 0; i < 12; i++)
        c[i].p = i % 3 ? G : L;
    for (uint i = 0; i < 12; i += 2) {
        ulong w = mem[i / 2 * 3];
        SUM((uint *)w);
    }
    out[0] = s;
}

/* Array elements by constants, then by an index that only another function computes. */
NOINLINE void store_at(void **base, long i, void *p)
{
    base[i] = p;
}
NOINLINE void store_back(void **end, ulong n, void *p)
{
    *(end - n) = p;
}
KERNEL(constant_then_index)
{
    START
    uint *t[8] = {G, G, G, G, G, G, G, G}, *u[8] = {L, L, L, L, L, L, L, L};
    store_at((void **)t, in[5] % 4 + 2, px);
    store_back((void **)(u + 8), in[6] % 4 + 1, px);
    for (uint i = 0; i < 8; i++) {
        SUM(t[i]);
        SUM(u[i]);
    }
    SUM(t[0]);
    SUM(t[1]);
    SUM(t[2]);
    SUM(t[3]);
    SUM(u[7]);
    SUM(u[6]);
    SUM(u[5]);
    SUM(u[4]);
    out[0] = s;
}

/* An object that begins in one field and ends in another: a word at byte 4 of a record. */
KERNEL(straddling)
{
    START
    uint w[6] = {1, 2, 3, 4, 5, 6};
    struct __attribute__((packed)) up {
        ulong v;
    };
    ((struct up *)(w + 1))->v = (ulong)L;
    s += w[0] + w[3];
    struct up *p = (struct up *)(w + (in[1] & 0) + 1);
    SUM((uint *)p->v);
    ((struct up *)(w + 3))->v = (ulong)px;
    uint2 h = (uint2)(w[3], w[4]);
    SUM((uint *)as_ulong(h));
    SUM((uint *)((ulong)w[2] << 32 | w[1]));
    out[0] = s;
}

/* An array moved by four bytes and back, by words that straddle. */
struct __attribute__((packed)) w4 {
    ulong v;
};
KERNEL(moved_by_four)
{
    START ulong m[6] = {(ulong)px, (ulong)L, (ulong)G, (ulong)L, (ulong)px, 0};
    char *b = (char *)m;
    for (int i = 4; i >= 0; i--)
        ((struct w4 *)(b + 4 + 8 * i))->v = ((struct w4 *)(b + 8 * i))->v;
    for (uint i = 0; i < 5; i++)
        ((struct w4 *)(b + 8 * i))->v = ((struct w4 *)(b + 4 + 8 * i))->v;
    for (uint i = 0; i < 5; i++)
        SUM(m[i]);
    out[0] = s;
}

/* The high half of one and the low half of the next in one word. */
KERNEL(in_between)
{
    START struct pr o = {px, L};
    ulong mid = ((struct w4 *)((char *)&o + 4))->v;
    uint lo = (uint)(ulong)o.a, hi = (uint)((ulong)o.b >> 32);
    SUM(mid << 32 | lo);
    SUM((ulong)hi << 32 | mid >> 32);
    o.a = G;
    SUM(o.a);
    out[0] = s;
}
