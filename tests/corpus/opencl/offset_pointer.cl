// SPDX-License-Identifier: Apache-2.0
// Links that are differences of addresses in different memories: only the sum of a link and its owner's address is an address.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:2048"],
 "expect": {"0": "int:{[ g+1 + 2*(g+2) + 3*(g+3) for g in range(64)]}"}, "ambiguous": {"O0": 3, "O2": 2}, "why": "nodes in one of three memories"}]}
*/
typedef struct n { int v; long to; } n;
static void link(n *a, const n *b) { a->to = b ? (long)b - (long)a : 0; }
static const n *follow(const n *a) { return a->to ? (const n *)((long)a + a->to) : 0; }
static int walk(const n *a) { int s = 0, f = 1; for (; a; a = follow(a)) s += f++ * a->v; return s; }
kernel void k(global int *out, global n *far) {
    local n near[16];
    int g = get_global_id(0), l = get_local_id(0);
    n own;
    own.v = g + 1; near[l].v = g + 2; far[g].v = g + 3;
    link(&own, (n *)&near[l]); link((n *)&near[l], (n *)&far[g]); link((n *)&far[g], 0);
    out[g] = walk(&own);
}
