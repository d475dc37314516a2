// SPDX-License-Identifier: Apache-2.0
// A loop copies the bytes of a pointer in a row inside of a struct. clang at -O2 replaces the loop by one copy, whose address is an index into an
// array before it, with which the struct begins or not, beyond the end of this array, in an access chain that is not in bounds.
/* TRUTH
{"kernels": [
  {"name": "loaded", "args": ["zero:8", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "stored", "args": ["zero:8", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1},
  {"name": "behind", "args": ["zero:8", "buffer:uint:0,1,2,3,50,50,70,70", "zero:1024", "local:64"], "expect": {"0": "uint:70"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char uchar;
struct row {
    uint *v[3], *q;
};
struct item {
    uint *n[2];
    struct row v[2];
    ulong q;
};
struct all {
    uint *head[2];
    struct item a[2];
};
#define START                                                                                                          \
    struct all x;                                                                                                      \
    uint own = 99, *L = (uint *)near;                                                                                  \
    near[0] = in[6];                                                                                                   \
    x.a[0].n[0] = x.a[0].n[1] = x.a[1].n[0] = x.a[1].n[1] = &own;                                                      \
    int k = in[3], j = in[2], i = in[0];

void copy(uchar *to, const uchar *from, int n)
{
    for (int i = 0; i < n; ++i)
        to[i] = from[i];
}

kernel void loaded(global uint *out, global const int *in, global ulong *far, local uint *near)
{
    START
    uint *t;
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
            x.a[0].v[r].v[c] = L;
    copy((uchar *)&t, (uchar *)&((struct item *)x.a)[i].v[k + -3].v[j], sizeof t);
    out[0] = *t;
}

kernel void stored(global uint *out, global const int *in, global ulong *far, local uint *near)
{
    START
    copy((uchar *)&((struct item *)x.a)[i].v[k + -3].v[j], (uchar *)&L, sizeof L);
    out[0] = *x.a[0].v[0].v[2];
}

struct late {
    ulong q;
    uint *n[2];
    struct {
        uint *v[2];
    } rows[2];
};

kernel void behind(global uint *out, global const int *in, global ulong *far, local uint *near)
{
    struct { struct late a[2]; } x;
    uint own = 99, *t;
    near[0] = in[6];
    x.a[0].n[0] = x.a[0].n[1] = x.a[1].n[0] = x.a[1].n[1] = &own;
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
            x.a[0].rows[r].v[c] = (uint *)near;
    copy((uchar *)&t, (uchar *)&((struct late *)x.a)[in[0]].rows[in[2] - 1].v[in[1]], sizeof t);
    out[0] = *t;
}
