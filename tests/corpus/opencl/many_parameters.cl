// SPDX-License-Identifier: Apache-2.0
// A function of twenty pointers, called with twelve mixtures of spaces, most of them passed on and few of them read.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[12 * (3 * j + 30) + 78 + 12 * 200 for j in range(64)]}"}, "ambiguous": 0}]}
*/
#define REST int *c, int *d, int *e, int *f, int *g, int *h, int *i, int *j, int *k, int *l, int *m, int *n, int *o, int *p, int *q, int *r
int last(int *a, int *b, int *s, REST, int *t, int v) { return *a + *b + *s + v + (t ? 200 : 100); }
int middle(int *a, int *b, int *s, REST, int *t, int v) { return last(s, a, b, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, c, t, v); }
#define CALL(A, B, S, C, D, E, V) middle(A, B, S, C, D, E, C, D, E, E, D, C, C, E, D, C, D, E, S, D, V)
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int id = get_global_id(0), own = id + 20;
    scratch[get_local_id(0)] = id + 10;
    int *P = &own, *L = (int *)&scratch[get_local_id(0)], *G = (int *)&in[id];
    int sum = CALL(P, L, G, P, L, G, 1) + CALL(P, G, L, P, L, G, 2) + CALL(L, P, G, P, L, G, 3) + CALL(L, G, P, P, L, G, 4);
    sum += CALL(G, P, L, P, L, G, 5) + CALL(G, L, P, P, L, G, 6) + CALL(P, L, G, L, G, P, 7) + CALL(P, G, L, L, G, P, 8);
    sum += CALL(L, P, G, L, P, P, 9) + CALL(L, G, P, G, G, G, 10) + CALL(G, P, L, P, P, P, 11) + CALL(G, L, P, L, L, L, 12);
    out[id] = sum;
}
