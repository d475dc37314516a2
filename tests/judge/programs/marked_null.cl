// SPDX-License-Identifier: Apache-2.0
// A list marks deleted nodes in the lowest bit of their links (Harris, DISC 2001). The last link is null, and null with
// the mark is the integer 1, which is outside of every window.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:16", "buffer:uint:1,2,3"], "expect": {"0": "uint:123,1,1"}, "global": 1, "local": 1}]}
*/
#define NOINLINE __attribute__((noinline))
struct node {
    struct node *next;
    uint v;
};
NOINLINE struct node *marked(struct node *p)
{
    return (struct node *)((ulong)p | 1);
}
NOINLINE struct node *unmarked(struct node *p)
{
    return (struct node *)((ulong)p & ~1ul);
}
NOINLINE uint is_one(struct node *p)
{
    return (ulong)p == 1;
}
kernel void k(global uint *out, global const uint *in)
{
    struct node a[3];
    for (uint i = 0; i < 3; i++) {
        a[i].v = i + 1;
        a[i].next = i < 2 ? &a[i + 1] : 0;
    }
    a[in[1]].next = marked(a[in[1]].next); /* the last node */
    uint sum = 0, n = 0;
    for (struct node *p = a; p && n < 3; p = unmarked(p->next), n++) sum = sum * 10 + p->v;
    out[0] = sum;
    out[1] = unmarked(a[2].next) == 0;
    out[2] = is_one(a[2].next);
}
