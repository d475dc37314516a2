// SPDX-License-Identifier: Apache-2.0
// Concrete and generic pointers in one struct that is copied as bytes and as words through all memories.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}", "zero:4096"],
 "expect": {"0": "int:{[2*(g + 2*g + 3*g) + g + 2*g + 3*g + (2*g if g%2 else 0) for g in range(64)]}"}, "ambiguous": {"O0": 3, "O2": 3}, "why": "the struct that is read last is local or global"}]}
*/
typedef struct { local int *l; private int *p; global int *g; int *any; } four;
static int sum(const four *f) { return *f->l + *f->p + *f->g; }
static void copy(void *d, const void *s, int n) { for (int i = 0; i < n; i++) ((char *)d)[i] = ((const char *)s)[i]; }
static void copy8(void *d, const void *s, int n) { for (int i = 0; i < n; i++) ((ulong *)d)[i] = ((const ulong *)s)[i]; }
static four make(local int *l, private int *p, global int *g) { four f = {l, p, g, l}; return f; }
kernel void k(global int *out, global int *in, global four *far) {
    local int tile[16];
    local four kept[16];
    int g = get_global_id(0), l = get_local_id(0), own = 3 * g;
    tile[l] = 2 * g;
    four a = make(&tile[l], &own, &in[g]), b, c, *w = g % 2 ? &a : &b;
    copy(&b, &a, sizeof a);
    copy8(&kept[l], &b, sizeof b / 8);
    far[g] = b;
    c = kept[l];
    four *pick = g % 3 ? (four *)&kept[l] : (four *)&far[g];
    out[g] = sum(pick) + sum(&c) + sum(&b) + (w == &a ? *c.any : 0);
}
