// SPDX-License-Identifier: Apache-2.0
// Pointers of private and local memory that are stored as numbers and read as pointers, the other way round, and in bytes.
/* TRUTH
{"kernels": [
  {"name": "into_pointer", "args": ["zero:256"], "expect": {"0": "int:{[3 * g for g in range(64)]}"}},
  {"name": "from_pointer", "args": ["zero:256"], "expect": {"0": "int:{[5 * g for g in range(64)]}"}},
  {"name": "parts", "args": ["zero:256", "buffer:int:{range(64)}", "zero:4096"],
   "expect": {"0": "int:{[2*(g + 2*g + 3*g) + g + 2*g + 3*g + (2*g if g%2 else 0) for g in range(64)]}"}}]}
*/
typedef union { private int *p; local int *l; ulong u; uint2 w; } any;
__attribute__((noinline)) int read_p(any *a) { return *a->p; }
__attribute__((noinline)) int read_l(any *a) { return *a->l; }
__attribute__((noinline)) void write_p(any *a, private int *p) { a->p = p; }
kernel void into_pointer(global int *out) {
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0), x = g;
    any a, b;
    tile[l] = 2 * g;
    a.u = (ulong)&x;
    b.u = (ulong)&tile[l];
    out[g] = read_p(&a) + read_l(&b);
}
kernel void from_pointer(global int *out) {
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0), x = g;
    any a, b;
    tile[l] = 2 * g;
    write_p(&a, &x);
    b.l = &tile[l];
    private int *p = (private int *)a.u;
    int *q = (int *)b.u;
    local int *m = (local int *)b.u;
    out[g] = *p + *m + *q;
}

typedef struct { local int *l; private int *p; global int *g; int *any; } four;
static int sum(const four *f) { return *f->l + *f->p + *f->g; }
static void copy(void *d, const void *s, int n) { for (int i = 0; i < n; i++) ((char *)d)[i] = ((const char *)s)[i]; }
static void copy8(void *d, const void *s, int n) { for (int i = 0; i < n; i++) ((ulong *)d)[i] = ((const ulong *)s)[i]; }
static four make(local int *l, private int *p, global int *g) { four f = {l, p, g, l}; return f; }
kernel void parts(global int *out, global int *in, global four *far) {
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
