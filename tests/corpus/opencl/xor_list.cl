// SPDX-License-Identifier: Apache-2.0
// A list that stores the XOR of its neighbors' addresses, over three memories, is walked in both directions; pointers are swapped by XOR.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:2048"],
 "expect": {"0": "int:{[ (g+1)*1+(g+2)*10+(g+3)*100 + 1000000*((g+3)*1+(g+2)*10+(g+1)*100 - (g*111)) for g in range(64)]}"}, "ambiguous": {"O0": 2, "O2": 4}, "why": "both fields of a node in one of three memories"}]}
*/
typedef struct node { int v; ulong both; } node;
static int walk(const node *n) {
    ulong before = 0; int s = 0, f = 1;
    while (n) { s += n->v * f; f *= 10; ulong next = n->both ^ before; before = (ulong)n; n = (const node *)next; }
    return s;
}
static void swap(const node **a, const node **b) { ulong x = (ulong)*a, y = (ulong)*b; x ^= y; y ^= x; x ^= y; *a = (const node *)x; *b = (const node *)y; }
kernel void k(global int *out, global node *far) {
    local node near[16];
    int g = get_global_id(0), l = get_local_id(0);
    node own;
    node *a = &own, *b = (node *)&near[l], *c = (node *)&far[g];
    a->v = g + 1; b->v = g + 2; c->v = g + 3;
    a->both = (ulong)b; b->both = (ulong)a ^ (ulong)c; c->both = (ulong)b;
    const node *x = a, *y = c;
    int first = walk(x);
    swap(&x, &y);
    out[g] = first + 1000000 * (walk(x) - g * 111);
}
