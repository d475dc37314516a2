// SPDX-License-Identifier: Apache-2.0
// Ranges of begin and end: reversed, sorted, searched, compared and subtracted in each memory.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{[(i*29)%64 for i in range(64)]}", "buffer:long:{[0]*64}"],
 "expect": {"0": "int:{[63-g + 0 for g in range(64)]}", "2": "long:{[16 + 4*100 + 64*10000 + (1000000 if g%2 else 0) for g in range(64)]}"}, "ambiguous": 0}]}
*/
typedef struct { int *first, *last; } range;
static long size(range r) { return r.last - r.first; }
static range whole(int *p, int n) { range r = {p, p + n}; return r; }
static range drop(range r, int n) { r.first += n; return r; }
static void reverse(range r) { while (r.first != r.last && r.first != --r.last) { int t = *r.first; *r.first++ = *r.last; *r.last = t; } }
static int *lower(range r, int v) { while (r.first < r.last) { int *m = r.first + (r.last - r.first) / 2; if (*m < v) r.first = m + 1; else r.last = m; } return r.first; }
static void sort(range r) { for (int *i = r.first; i < r.last; ++i) for (int *j = i; j > r.first && j[-1] > *j; --j) { int t = *j; *j = j[-1]; j[-1] = t; } }
kernel void k(global int *out, global int *in, global long *sizes) {
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0);
    int own[64];
    for (int i = 0; i < 64; i++) own[i] = in[i];
    tile[l] = own[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    range a = whole(tile, 16), b = whole(own, 64), c = whole((int *)in, 64), d = drop(b, 60);
    sort(b);
    int *where = lower(b, g);
    reverse(b);
    range odd = g % 2 ? a : b;
    sizes[g] = size(a) + 100 * size(d) + 10000 * size(c) + ((odd.first == a.first && odd.last != b.last) ? 1000000 : 0);
    out[g] = *(b.last - 1 - (63 - (where - b.first))) + (where == b.last ? 1000 : 0);
}
