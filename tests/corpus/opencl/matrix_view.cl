// SPDX-License-Identifier: Apache-2.0
// Views with strides, returned by value and nested, over local, global and private memory.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{[(i*3)%17 for i in range(64)]}"],
 "expect": {"0": "int:{(lambda a: [sum(a[(g//8)*8+t]*a[(g%8)*8+t] for t in range(8)) + a[(g%8)*8+g//8] + ([1,2,3,4][(g & 1)*2+(g//8)%2]) for g in range(64)])([(i*3)%17 for i in range(64)])}"}, "ambiguous": 0}]}
*/
typedef struct { int *data; int rows, cols; long rs, cs; } view;
typedef struct { view v[2]; } pair;
static view make(int *d, int r, int c) { view v = {d, r, c, c, 1}; return v; }
static view transposed(view v) { view t = {v.data, v.cols, v.rows, v.cs, v.rs}; return t; }
static view block(view v, int r, int c, int nr, int nc) { view b = {v.data + r * v.rs + c * v.cs, nr, nc, v.rs, v.cs}; return b; }
static int *at(const view *v, int r, int c) { return v->data + r * v->rs + c * v->cs; }
static int dot(view a, view b) { int s = 0; for (int i = 0; i < a.cols; i++) s += *at(&a, 0, i) * *at(&b, i, 0); return s; }
static pair both(view a, view b) { pair p = {{a, b}}; return p; }
kernel void k(global int *out, global int *in) {
    local int tile[64];
    uint g = get_global_id(0), l = get_local_id(0);
    for (int i = l; i < 64; i += 16) tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int four[4] = {1, 2, 3, 4};
    view a = make((int *)tile, 8, 8), b = transposed(make((int *)in, 8, 8)), c = make(four, 2, 2);
    pair p = both(block(a, g / 8, 0, 1, 8), block(b, 0, g % 8, 8, 1));
    view ct = transposed(c);
    out[g] = dot(p.v[0], p.v[1]) + *at(&b, g / 8, g % 8) + *at(&ct, (g >> 3) & 1, g & 1);
}
