// SPDX-License-Identifier: Apache-2.0
// A union with a concrete pointer for each memory and a tag of the program's own.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
 "expect": {"0": "int:{[ [2*g, 3*g, g][g%3] for g in range(64)]}"}, "ambiguous": 0}]}
*/
typedef struct { int space; union { local int *l; private int *p; global int *g; } u; } anyptr;
static int load(anyptr a) { switch (a.space) { case 0: return *a.u.l; case 1: return *a.u.p; default: return *a.u.g; } }
static anyptr next(anyptr a, int n) { switch (a.space) { case 0: a.u.l += n; break; case 1: a.u.p += n; break; default: a.u.g += n; } return a; }
static anyptr of_local(local int *l) { anyptr a; a.space = 0; a.u.l = l; return a; }
static anyptr of_private(private int *p) { anyptr a; a.space = 1; a.u.p = p; return a; }
static anyptr of_global(global int *g) { anyptr a; a.space = 2; a.u.g = g; return a; }
kernel void k(global int *out, global int *in) {
    local int tile[32];
    int g = get_global_id(0), l = get_local_id(0), own[2] = {-1, 3 * g};
    tile[2 * l] = -2; tile[2 * l + 1] = 2 * g;
    anyptr a = g % 3 == 0 ? of_local(&tile[2 * l]) : g % 3 == 1 ? of_private(own) : of_global(&in[g - 1]);
    anyptr all[2] = {a, next(a, 1)};
    anyptr *p = all + 1;
    out[g] = load(*p);
}
